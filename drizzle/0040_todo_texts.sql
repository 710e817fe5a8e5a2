-- What other programs wrote of todos and reminders, as they wrote it (contract: todos.text, reminders.text). Texts change only together with these.
CREATE TABLE "reminder_texts" (
	"reminder_id" integer PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"text" text NOT NULL,
	"said" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "todo_texts" (
	"todo_id" integer PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"text" text NOT NULL,
	"said" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reminders" ADD COLUMN "recurrence_unsupported" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "reminders" ADD COLUMN "uid" text;--> statement-breakpoint
ALTER TABLE "reminders" ADD COLUMN "object_name" text;--> statement-breakpoint
ALTER TABLE "todos" ADD COLUMN "recurrence_unsupported" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "todos" ADD COLUMN "uid" text;--> statement-breakpoint
ALTER TABLE "todos" ADD COLUMN "object_name" text;--> statement-breakpoint
ALTER TABLE "reminder_texts" ADD CONSTRAINT "reminder_texts_reminder_id_reminders_id_fk" FOREIGN KEY ("reminder_id") REFERENCES "public"."reminders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_texts" ADD CONSTRAINT "todo_texts_todo_id_todos_id_fk" FOREIGN KEY ("todo_id") REFERENCES "public"."todos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reminders_user_id_uid_key" ON "reminders" USING btree ("user_id","uid") WHERE "reminders"."uid" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reminders_user_id_object_name_key" ON "reminders" USING btree ("user_id","object_name") WHERE "reminders"."object_name" is not null;--> statement-breakpoint
CREATE INDEX "todos_reopening_idx" ON "todos" USING btree ("reset_at") WHERE "todos"."reset_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "todos_list_id_uid_key" ON "todos" USING btree ("list_id","uid") WHERE "todos"."uid" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "todos_list_id_object_name_key" ON "todos" USING btree ("list_id","object_name") WHERE "todos"."object_name" is not null;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_object_name_check" CHECK (octet_length("reminders"."object_name") between 1 and 255);--> statement-breakpoint
ALTER TABLE "todos" ADD CONSTRAINT "todos_object_name_check" CHECK (octet_length("todos"."object_name") between 1 and 255);--> statement-breakpoint
-- Images from before have no such column, and it may not be null.
UPDATE "history" SET "before" = "before" || '{"recurrence_unsupported": false}'::jsonb
	WHERE "tab" IN ('todos', 'reminders') AND "before" IS NOT NULL;--> statement-breakpoint
-- The UID of a todo or reminder for other programs: what one of them gave it, else one that follows from its id and age.
CREATE FUNCTION "public"."dav_uid"("given" text, "kind" text, "id" integer, "created_at" timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce("given", "kind" || '-' || "id" || '-' || floor(extract(epoch FROM "created_at") * 1000)::bigint || '@organiser.invalid');--> statement-breakpoint
-- Keeps the names of todos that leave a list, and of reminders that go, so that clients hear of it. What goes with its list needs no name.
CREATE FUNCTION "public"."dav_todos_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF pg_trigger_depth() = 1 THEN
		INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
			SELECT 'list', "list_id", "id", "dav_name"("object_name", "dav_uid"("uid", 'todo', "id", "created_at"), "id") FROM "former"
			ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_todo_renamed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
		VALUES ('list', OLD."list_id", OLD."id", "dav_name"(OLD."object_name", "dav_uid"(OLD."uid", 'todo', OLD."id", OLD."created_at"), OLD."id"))
		ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_reminders_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF pg_trigger_depth() = 1 THEN
		INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
			SELECT 'reminders', "user_id", "id", "dav_name"("object_name", "dav_uid"("uid", 'reminder', "id", "created_at"), "id") FROM "former"
			ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_reminder_renamed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
		VALUES ('reminders', OLD."user_id", OLD."id", "dav_name"(OLD."object_name", "dav_uid"(OLD."uid", 'reminder', OLD."id", OLD."created_at"), OLD."id"))
		ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todos_dav_delete" AFTER DELETE ON "todos" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_todos_gone"();--> statement-breakpoint
CREATE TRIGGER "todos_dav_update" AFTER UPDATE ON "todos" FOR EACH ROW
	WHEN (OLD."list_id" <> NEW."list_id" OR OLD."uid" IS DISTINCT FROM NEW."uid" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_todo_renamed"();--> statement-breakpoint
CREATE TRIGGER "reminders_dav_delete" AFTER DELETE ON "reminders" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_reminders_gone"();--> statement-breakpoint
CREATE TRIGGER "reminders_dav_update" AFTER UPDATE ON "reminders" FOR EACH ROW
	WHEN (OLD."uid" IS DISTINCT FROM NEW."uid" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_reminder_renamed"();--> statement-breakpoint
CREATE TRIGGER "todo_texts_history_insert" AFTER INSERT ON "todo_texts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('todo_id');--> statement-breakpoint
CREATE TRIGGER "todo_texts_history_update" AFTER UPDATE ON "todo_texts" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('todo_id');--> statement-breakpoint
CREATE TRIGGER "todo_texts_history_delete" AFTER DELETE ON "todo_texts" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('todo_id');--> statement-breakpoint
CREATE TRIGGER "reminder_texts_history_insert" AFTER INSERT ON "reminder_texts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('reminder_id');--> statement-breakpoint
CREATE TRIGGER "reminder_texts_history_update" AFTER UPDATE ON "reminder_texts" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('reminder_id');--> statement-breakpoint
CREATE TRIGGER "reminder_texts_history_delete" AFTER DELETE ON "reminder_texts" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('reminder_id');
