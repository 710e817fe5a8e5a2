CREATE TABLE "address_books" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_books_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"rank" numeric NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "address_books_id_user_id_key" UNIQUE("id","user_id"),
	CONSTRAINT "address_books_color_check" CHECK ("address_books"."color" ~ '^#[0-9A-Fa-f]{6}$')
);
--> statement-breakpoint
ALTER TABLE "address_books" ADD CONSTRAINT "address_books_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "address_books_user_id_name_key" ON "address_books" USING btree ("user_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "address_books_user_id_rank_key" ON "address_books" USING btree ("user_id","rank");--> statement-breakpoint
CREATE UNIQUE INDEX "address_books_default_key" ON "address_books" USING btree ("user_id") WHERE "address_books"."is_default";--> statement-breakpoint
ALTER TABLE "tallies" DROP CONSTRAINT "tallies_kind_check";--> statement-breakpoint
ALTER TABLE "tallies" ADD CONSTRAINT "tallies_kind_check" CHECK ("tallies"."kind" in ('calendars', 'feeds', 'events', 'event_templates', 'todo_lists', 'todos', 'reminders', 'projects', 'all_tasks', 'comments', 'people', 'address_books', 'occurrences', 'responses', 'tasks', 'subtasks'));--> statement-breakpoint
-- Compared with 0032_todo_lists: address books, as many as calendars.
CREATE OR REPLACE FUNCTION "public"."quota"("record_kind" text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE "record_kind"
	WHEN 'calendars' THEN 200
	WHEN 'todo_lists' THEN 200
	WHEN 'address_books' THEN 200
	WHEN 'feeds' THEN 100
	WHEN 'tasks' THEN NULL
	WHEN 'subtasks' THEN NULL
	ELSE 250000
END;--> statement-breakpoint
CREATE TRIGGER "address_books_tally_insert" AFTER INSERT ON "address_books" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('address_books');--> statement-breakpoint
CREATE TRIGGER "address_books_tally_delete" AFTER DELETE ON "address_books" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('address_books');--> statement-breakpoint
CREATE TRIGGER "address_books_sync_insert" AFTER INSERT ON "address_books" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('address_book');--> statement-breakpoint
CREATE TRIGGER "address_books_sync_update" AFTER UPDATE ON "address_books" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('address_book');--> statement-breakpoint
CREATE TRIGGER "address_books_sync_delete" AFTER DELETE ON "address_books" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('address_book');--> statement-breakpoint
-- Every user has a default address book from the start, also one whom the release before creates.
CREATE FUNCTION "public"."first_address_book"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "address_books" ("user_id", "name", "color", "is_default", "rank", "created_at", "updated_at")
		SELECT "id", 'Contacts', '#3b82f6', true, 1, "created_at", "created_at" FROM "changed";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_first_address_book" AFTER INSERT ON "users" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "first_address_book"();--> statement-breakpoint
INSERT INTO "address_books" ("user_id", "name", "color", "is_default", "rank", "created_at", "updated_at")
	SELECT "id", 'Contacts', '#3b82f6', true, 1, now(), now() FROM "users" ORDER BY "id";--> statement-breakpoint
-- The people who are there go into the default address book. Clients that follow the changes hear of it; it is no version of its own.
ALTER TABLE "people" ADD COLUMN "book_id" integer DEFAULT null;--> statement-breakpoint
ALTER TABLE "people" DISABLE TRIGGER "people_history_update";--> statement-breakpoint
UPDATE "people" SET "book_id" = "address_books"."id" FROM "address_books"
	WHERE "address_books"."user_id" = "people"."user_id" AND "address_books"."is_default";--> statement-breakpoint
ALTER TABLE "people" ENABLE TRIGGER "people_history_update";--> statement-breakpoint
UPDATE "history" SET "before" = "before" || jsonb_build_object('book_id', "address_books"."id") FROM "address_books"
	WHERE "tab" = 'people' AND "before" IS NOT NULL
		AND "address_books"."user_id" = ("before" ->> 'user_id')::integer AND "address_books"."is_default";--> statement-breakpoint
ALTER TABLE "people" ALTER COLUMN "book_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_book_id_fkey" FOREIGN KEY ("book_id","user_id") REFERENCES "public"."address_books"("id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "people_book_id_idx" ON "people" USING btree ("book_id","user_id");--> statement-breakpoint
-- Who names no address book, as the release before does, adds the person to the default one.
CREATE FUNCTION "public"."default_address_book"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	NEW."book_id" := (SELECT "id" FROM "address_books" WHERE "user_id" = NEW."user_id" AND "is_default");
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "people_default_address_book" BEFORE INSERT ON "people" FOR EACH ROW WHEN (NEW."book_id" IS NULL)
	EXECUTE FUNCTION "default_address_book"();--> statement-breakpoint
CREATE FUNCTION "public"."empty_address_book"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	DELETE FROM "people" WHERE "book_id" = OLD."id";
	RETURN OLD;
END
$$;--> statement-breakpoint
CREATE TRIGGER "address_books_empty" BEFORE DELETE ON "address_books" FOR EACH ROW
	EXECUTE FUNCTION "empty_address_book"();--> statement-breakpoint
-- Unlike sync_people, this also notes people who go with their address book: a client that follows people alone hears of no address
-- book, and the connections of people who are gone name them no more.
CREATE FUNCTION "public"."sync_gone_people"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'person', "id", true FROM "changed"
		UNION ALL SELECT 'u', "connections"."user_id", 'connection', "connections"."id", false
			FROM "changed" JOIN "connections" ON "connections"."user_id" = "changed"."user_id"
				AND "connections"."other_user_id" = "changed"."linked_user_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
DROP TRIGGER "people_sync_delete" ON "people";--> statement-breakpoint
CREATE TRIGGER "people_sync_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_gone_people"();--> statement-breakpoint
-- As history_of_gone, for a table that it does not know to be in the trash.
CREATE FUNCTION "public"."history_of_gone_address_books"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
BEGIN
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id", "in_trash")
		SELECT "history_operation"(), "history_at"(), 'address_books', "id"::text, "image",
			CASE WHEN pg_trigger_depth() = 1 THEN "user_id" END, pg_trigger_depth() = 1 AND "history_operation"() IS NOT NULL
		FROM "sync_state", (
			SELECT "id", "user_id", "history_image"(to_jsonb("former")) AS "image" FROM "former" OFFSET 0
		) AS "images"
		WHERE "keeps_history" AND "history_is_wanted"();
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "address_books_history_insert" AFTER INSERT ON "address_books" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "address_books_history_update" AFTER UPDATE ON "address_books" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "address_books_history_delete" AFTER DELETE ON "address_books" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone_address_books"();
