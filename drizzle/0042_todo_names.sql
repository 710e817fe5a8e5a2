-- Names of todos and reminders for other programs, and what reminders said (contract: dav.todos, todos.text, reminders.text).
ALTER TABLE "todos" DROP CONSTRAINT "todos_reset_check";--> statement-breakpoint
ALTER TABLE "todos" ADD CONSTRAINT "todos_reset_check" CHECK (num_nonnulls("todos"."reset_at", "todos"."next_due_date") = case when "todos"."completed_at" is not null and ("todos"."recurrence" is not null or "todos"."recurrence_unsupported" and "todos"."reset_at" is not null) then 2 else 0 end);--> statement-breakpoint
-- Whether another todo of the list has the name: chosen, or because it follows from its UID or id. Only the function below
-- calls this, with its settings.
CREATE FUNCTION "public"."dav_is_todo_name_taken"("collection" integer, "wanted" text, "own" integer) RETURNS boolean LANGUAGE plpgsql STABLE
AS $$
BEGIN
	RETURN EXISTS (SELECT FROM "todos" WHERE "list_id" = "collection" AND "object_name" = "wanted" AND "id" <> "own")
		OR "wanted" LIKE '%.ics' AND EXISTS (
			SELECT FROM "todos" WHERE "list_id" = "collection" AND "uid" = left("wanted", -4) AND "id" <> "own"
				AND "dav_name"("object_name", "uid", "id") = "wanted"
		)
		OR EXISTS (
			SELECT FROM (
				SELECT * FROM "todos"
					WHERE "id" = substring("wanted", '^(?:todo-)?([1-9][0-9]{0,8})(?:-[0-9]+@organiser[.]invalid)?[.]ics$')::integer OFFSET 0
			) AS "other" WHERE "list_id" = "collection" AND "id" <> "own"
				AND "dav_name"("object_name", "dav_uid"("uid", 'todo', "id", "created_at"), "id") = "wanted"
		);
END
$$;--> statement-breakpoint
-- No two todos of a list have one UID or name, however they came there: by a client, JSON, or from the trash.
CREATE FUNCTION "public"."dav_free_todo_name"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
	IF EXISTS (SELECT FROM "todos" WHERE "list_id" = NEW."list_id" AND "uid" = NEW."uid" AND "id" <> NEW."id")
		OR EXISTS (
			SELECT FROM (SELECT * FROM "todos" WHERE "id" = substring(NEW."uid", '^todo-([1-9][0-9]{0,8})-')::integer OFFSET 0) AS "other"
				WHERE "id" <> NEW."id" AND "list_id" = NEW."list_id" AND "dav_uid"("uid", 'todo', "id", "created_at") = NEW."uid"
		) THEN
		NEW."uid" := NULL;
	END IF;
	-- A copy of it may have the UID that follows from its id.
	IF NEW."uid" IS NULL AND EXISTS (
		SELECT FROM "todos" WHERE "list_id" = NEW."list_id" AND "id" <> NEW."id"
			AND "uid" = "dav_uid"(NULL, 'todo', NEW."id", NEW."created_at")
	) THEN
		NEW."uid" := gen_random_uuid();
	END IF;
	IF NEW."object_name" IS NOT NULL AND "dav_is_todo_name_taken"(NEW."list_id", NEW."object_name", NEW."id") THEN
		NEW."object_name" := NULL;
	END IF;
	IF NEW."object_name" IS NULL AND "dav_is_todo_name_taken"(
		NEW."list_id", "dav_name"(NULL, "dav_uid"(NEW."uid", 'todo', NEW."id", NEW."created_at"), NEW."id"), NEW."id"
	) THEN
		NEW."object_name" := gen_random_uuid() || '.ics';
	END IF;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todos_object_name_insert" BEFORE INSERT ON "todos"
	FOR EACH ROW WHEN (NEW."uid" IS NOT NULL OR NEW."object_name" IS NOT NULL) EXECUTE FUNCTION "dav_free_todo_name"();--> statement-breakpoint
CREATE TRIGGER "todos_object_name_update" BEFORE UPDATE ON "todos" FOR EACH ROW
	WHEN (OLD."list_id" IS DISTINCT FROM NEW."list_id" OR OLD."uid" IS DISTINCT FROM NEW."uid" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_free_todo_name"();--> statement-breakpoint
-- Whether another reminder of the user has the name: chosen, or because it follows from its UID or id. Only the function below
-- calls this, with its settings.
CREATE FUNCTION "public"."dav_is_reminder_name_taken"("collection" integer, "wanted" text, "own" integer) RETURNS boolean LANGUAGE plpgsql STABLE
AS $$
BEGIN
	RETURN EXISTS (SELECT FROM "reminders" WHERE "user_id" = "collection" AND "object_name" = "wanted" AND "id" <> "own")
		OR "wanted" LIKE '%.ics' AND EXISTS (
			SELECT FROM "reminders" WHERE "user_id" = "collection" AND "uid" = left("wanted", -4) AND "id" <> "own"
				AND "dav_name"("object_name", "uid", "id") = "wanted"
		)
		OR EXISTS (
			SELECT FROM (
				SELECT * FROM "reminders"
					WHERE "id" = substring("wanted", '^(?:reminder-)?([1-9][0-9]{0,8})(?:-[0-9]+@organiser[.]invalid)?[.]ics$')::integer OFFSET 0
			) AS "other" WHERE "user_id" = "collection" AND "id" <> "own"
				AND "dav_name"("object_name", "dav_uid"("uid", 'reminder', "id", "created_at"), "id") = "wanted"
		);
END
$$;--> statement-breakpoint
-- No two reminders of a user have one UID or name, however they came there: by a client, JSON, or from the trash.
CREATE FUNCTION "public"."dav_free_reminder_name"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
	IF EXISTS (SELECT FROM "reminders" WHERE "user_id" = NEW."user_id" AND "uid" = NEW."uid" AND "id" <> NEW."id")
		OR EXISTS (
			SELECT FROM (SELECT * FROM "reminders" WHERE "id" = substring(NEW."uid", '^reminder-([1-9][0-9]{0,8})-')::integer OFFSET 0) AS "other"
				WHERE "id" <> NEW."id" AND "user_id" = NEW."user_id" AND "dav_uid"("uid", 'reminder', "id", "created_at") = NEW."uid"
		) THEN
		NEW."uid" := NULL;
	END IF;
	-- A copy of it may have the UID that follows from its id.
	IF NEW."uid" IS NULL AND EXISTS (
		SELECT FROM "reminders" WHERE "user_id" = NEW."user_id" AND "id" <> NEW."id"
			AND "uid" = "dav_uid"(NULL, 'reminder', NEW."id", NEW."created_at")
	) THEN
		NEW."uid" := gen_random_uuid();
	END IF;
	IF NEW."object_name" IS NOT NULL AND "dav_is_reminder_name_taken"(NEW."user_id", NEW."object_name", NEW."id") THEN
		NEW."object_name" := NULL;
	END IF;
	IF NEW."object_name" IS NULL AND "dav_is_reminder_name_taken"(
		NEW."user_id", "dav_name"(NULL, "dav_uid"(NEW."uid", 'reminder', NEW."id", NEW."created_at"), NEW."id"), NEW."id"
	) THEN
		NEW."object_name" := gen_random_uuid() || '.ics';
	END IF;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "reminders_object_name_insert" BEFORE INSERT ON "reminders"
	FOR EACH ROW WHEN (NEW."uid" IS NOT NULL OR NEW."object_name" IS NOT NULL) EXECUTE FUNCTION "dav_free_reminder_name"();--> statement-breakpoint
CREATE TRIGGER "reminders_object_name_update" BEFORE UPDATE ON "reminders" FOR EACH ROW
	WHEN (OLD."user_id" IS DISTINCT FROM NEW."user_id" OR OLD."uid" IS DISTINCT FROM NEW."uid" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_free_reminder_name"();--> statement-breakpoint
-- Texts of reminders say whether these were active.
ALTER TABLE "reminder_texts" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "reminder_texts" SET "said" = "said" || '{"isActive": true}'::jsonb;--> statement-breakpoint
ALTER TABLE "reminder_texts" ENABLE TRIGGER USER;--> statement-breakpoint
UPDATE "history" SET "before" = jsonb_set("before", '{said,isActive}', 'true') WHERE "tab" = 'reminder_texts' AND "before" IS NOT NULL;
