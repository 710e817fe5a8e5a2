-- Lists of todos ('l') and the reminders of a user ('r') have journals of their own for clients of /dav, as address books have, and birthdays
-- are noted in the journal of their calendar (contract: dav.sync).
ALTER TABLE "sync_scopes" DROP CONSTRAINT "sync_scopes_kind_check";--> statement-breakpoint
ALTER TABLE "sync_scopes" ADD CONSTRAINT "sync_scopes_kind_check" CHECK ("sync_scopes"."kind" in ('u', 'c', 'b', 'l', 'r'));--> statement-breakpoint
-- Compared with 0038_card_objects: lists and reminders have scopes too, which push never looks at.
CREATE OR REPLACE FUNCTION "public"."sync_flush"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
	WITH "mine" AS (
		DELETE FROM "sync_pending" WHERE "xid" = NEW."xid" RETURNING *
	), "latest" AS (
		SELECT DISTINCT ON ("scope_kind", "scope_id", "type", "item") * FROM "mine"
			ORDER BY "scope_kind", "scope_id", "type", "item", "n" DESC
	), "stepped" AS (
		INSERT INTO "sync_scopes" AS "s" ("kind", "id", "seq", "xid", "is_new_to_push")
			SELECT "scope_kind", "scope_id", count(*), NEW."xid", "scope_kind" IN ('u', 'c') FROM "latest" GROUP BY "scope_kind", "scope_id"
			HAVING bool_or("type" = 'scope') OR CASE "scope_kind"
				WHEN 'u' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				WHEN 'r' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				WHEN 'b' THEN EXISTS (SELECT FROM "address_books" WHERE "address_books"."id" = "scope_id")
				WHEN 'l' THEN EXISTS (SELECT FROM "todo_lists" WHERE "todo_lists"."id" = "scope_id")
				ELSE EXISTS (SELECT FROM "calendars" WHERE "calendars"."id" = "scope_id")
			END
			ORDER BY "scope_kind", "scope_id"
			ON CONFLICT ("kind", "id") DO UPDATE
				SET "seq" = "s"."seq" + excluded."seq", "xid" = excluded."xid", "is_new_to_push" = excluded."is_new_to_push"
			RETURNING "kind", "id", "seq"
	)
	INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "gone", "seq")
		SELECT "latest"."scope_kind", "latest"."scope_id", "latest"."type", "latest"."item", "latest"."gone",
			"stepped"."seq" + 1 - row_number() OVER (
				PARTITION BY "latest"."scope_kind", "latest"."scope_id" ORDER BY "latest"."n" DESC
			)
		FROM "latest" JOIN "stepped" ON ("stepped"."kind", "stepped"."id") = ("latest"."scope_kind", "latest"."scope_id")
		ON CONFLICT ("scope_kind", "scope_id", "type", "item") DO UPDATE
			SET "seq" = excluded."seq", "gone" = excluded."gone", "at" = now();
	DELETE FROM "sync_marks" WHERE "xid" = NEW."xid";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Notes todos in the scopes of their lists: one that moves is gone from the former one. What goes with its list is not noted.
CREATE FUNCTION "public"."sync_lists"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'l', "list_id", 'todo', "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_lists"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'l', "list_id", 'todo', "id", false FROM "changed"
		UNION ALL SELECT 'l', "former"."list_id", 'todo', "id", true FROM "changed" JOIN "former" USING ("id")
			WHERE "changed"."list_id" <> "former"."list_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todos_sync_list_insert" AFTER INSERT ON "todos" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_lists"();--> statement-breakpoint
CREATE TRIGGER "todos_sync_list_update" AFTER UPDATE ON "todos" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_lists"();--> statement-breakpoint
CREATE TRIGGER "todos_sync_list_delete" AFTER DELETE ON "todos" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_lists"();--> statement-breakpoint
-- The scope of a deleted list stays, so that it goes on counting if that is restored; it ends with its owner.
CREATE FUNCTION "public"."sync_ended_lists"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'l', "id", 'scope', "id", true FROM "changed" WHERE pg_trigger_depth() > 1;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todo_lists_sync_end" AFTER DELETE ON "todo_lists" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_ended_lists"();--> statement-breakpoint
-- What went with a list may come back without it, and is noted nowhere: whoever follows a restored one begins again.
CREATE FUNCTION "public"."sync_restored_lists"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	UPDATE "sync_scopes" SET "seq" = "seq" + 1, "floor" = "seq" + 1
		WHERE "kind" = 'l' AND "id" IN (SELECT "id" FROM "changed");
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todo_lists_sync_restore" AFTER INSERT ON "todo_lists" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_restored_lists"();--> statement-breakpoint
-- Notes reminders in the scope of those of their user.
CREATE FUNCTION "public"."sync_reminders"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'r', "user_id", 'reminder', "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "reminders_sync_own_insert" AFTER INSERT ON "reminders" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_reminders"();--> statement-breakpoint
CREATE TRIGGER "reminders_sync_own_update" AFTER UPDATE ON "reminders" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_reminders"();--> statement-breakpoint
CREATE TRIGGER "reminders_sync_own_delete" AFTER DELETE ON "reminders" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_reminders"();--> statement-breakpoint
-- Compared with 0025_journal: the scope of reminders ends with its user too.
CREATE OR REPLACE FUNCTION "public"."sync_deleted_users"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT "kind", "id", 'scope', "id", true FROM "changed", unnest('{u,r}'::"char"[]) AS "kind";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Compared with 0039_dav_shown_objects: birthdays are noted in the scope of the calendar that shows them, still under the id of the person.
CREATE OR REPLACE FUNCTION "public"."sync_birthdays"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "calendars"."id", 'birthday', "changed"."id", TG_OP = 'DELETE'
			FROM "changed" JOIN "calendars" ON "calendars"."user_id" = "changed"."user_id" AND "is_system"
			WHERE "birthday" IS NOT NULL;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "public"."sync_changed_birthdays"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "calendars"."id", 'birthday', "changed"."id", "changed"."birthday" IS NULL
			FROM "changed" JOIN "former" ON "former"."id" = "changed"."id"
				JOIN "calendars" ON "calendars"."user_id" = "changed"."user_id" AND "is_system"
			WHERE num_nonnulls("changed"."birthday", "former"."birthday") > 0
				AND ("changed"."first_name", "changed"."last_name", "changed"."nickname", "changed"."birthday")
					IS DISTINCT FROM ("former"."first_name", "former"."last_name", "former"."nickname", "former"."birthday");
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The todos and reminders of before. Their scopes count on from those of their users, beyond every token that clients have: these begin again.
WITH "scopes" AS (
	SELECT 'l'::"char" AS "kind", "todo_lists"."id", coalesce("seq", 0) + 1 AS "floor"
		FROM "todo_lists" LEFT JOIN "sync_scopes" ON "kind" = 'u' AND "sync_scopes"."id" = "user_id"
	UNION ALL SELECT 'r', "users"."id", coalesce("seq", 0) + 1
		FROM "users" LEFT JOIN "sync_scopes" ON "kind" = 'u' AND "sync_scopes"."id" = "users"."id"
), "objects" AS (
	SELECT 'l'::"char" AS "kind", "list_id" AS "id", 'todo' AS "type", "id" AS "item" FROM "todos"
	UNION ALL SELECT 'r', "user_id", 'reminder', "id" FROM "reminders"
), "noted" AS (
	INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "seq", "gone")
		SELECT "kind", "id", "type", "item", "floor" + row_number() OVER (PARTITION BY "kind", "id" ORDER BY "item"), false
		FROM "objects" JOIN "scopes" USING ("kind", "id")
)
INSERT INTO "sync_scopes" ("kind", "id", "seq", "floor", "is_new_to_push")
	SELECT "kind", "id", "floor" + count("item"), "floor", false FROM "scopes" LEFT JOIN "objects" USING ("kind", "id")
	GROUP BY "kind", "id", "floor";--> statement-breakpoint
-- The birthdays of before, also those that went, get numbers beyond all that were told: tokens go on to count, and no tag names another text.
WITH "moved" AS (
	DELETE FROM "sync_changes" WHERE "scope_kind" = 'u' AND "type" = 'birthday' RETURNING *
), "scopes" AS (
	SELECT "calendars"."id", "user_id", greatest("shown"."seq", "own"."seq", 0) AS "told" FROM "calendars"
		LEFT JOIN "sync_scopes" AS "shown" ON "shown"."kind" = 'c' AND "shown"."id" = "calendars"."id"
		LEFT JOIN "sync_scopes" AS "own" ON "own"."kind" = 'u' AND "own"."id" = "user_id"
		WHERE "is_system"
), "noted" AS (
	INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "seq", "gone", "at")
		SELECT 'c', "id", 'birthday', "item", "told" + row_number() OVER (PARTITION BY "id" ORDER BY "seq"), "gone", "at"
		FROM "moved" JOIN "scopes" ON "user_id" = "scope_id"
)
INSERT INTO "sync_scopes" ("kind", "id", "seq", "is_new_to_push")
	SELECT 'c', "id", "told" + count("item"), false FROM "scopes" LEFT JOIN "moved" ON "scope_id" = "user_id" GROUP BY "id", "told"
	ON CONFLICT ("kind", "id") DO UPDATE SET "seq" = excluded."seq";
