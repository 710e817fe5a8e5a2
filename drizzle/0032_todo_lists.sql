-- Lists of todos (contract: todos.lists). Every user has a default one, in which all todos are that are there already.
CREATE TABLE "todo_lists" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "todo_lists_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"rank" numeric NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "todo_lists_owner_key" UNIQUE("id","user_id"),
	CONSTRAINT "todo_lists_color_check" CHECK ("todo_lists"."color" ~ '^#[0-9A-Fa-f]{6}$')
);
--> statement-breakpoint
ALTER TABLE "todo_lists" ADD CONSTRAINT "todo_lists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "todo_lists_user_id_name_key" ON "todo_lists" USING btree ("user_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "todo_lists_user_id_rank_key" ON "todo_lists" USING btree ("user_id","rank");--> statement-breakpoint
CREATE UNIQUE INDEX "todo_lists_default_key" ON "todo_lists" USING btree ("user_id") WHERE "todo_lists"."is_default";--> statement-breakpoint
ALTER TABLE "tallies" DROP CONSTRAINT "tallies_kind_check";--> statement-breakpoint
ALTER TABLE "tallies" ADD CONSTRAINT "tallies_kind_check" CHECK ("tallies"."kind" in ('calendars', 'feeds', 'events', 'event_templates', 'todo_lists', 'todos', 'reminders', 'projects', 'all_tasks', 'comments', 'people', 'occurrences', 'responses', 'tasks', 'subtasks'));--> statement-breakpoint
-- Compared with 0022_quotas: as few lists of todos as calendars.
CREATE OR REPLACE FUNCTION "public"."quota"("record_kind" text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE "record_kind"
	WHEN 'calendars' THEN 200
	WHEN 'todo_lists' THEN 200
	WHEN 'feeds' THEN 100
	WHEN 'tasks' THEN NULL
	WHEN 'subtasks' THEN NULL
	ELSE 250000
END;--> statement-breakpoint
CREATE TRIGGER "todo_lists_tally_insert" AFTER INSERT ON "todo_lists" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('todo_lists');--> statement-breakpoint
CREATE TRIGGER "todo_lists_tally_delete" AFTER DELETE ON "todo_lists" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('todo_lists');--> statement-breakpoint
CREATE TRIGGER "todo_lists_sync_insert" AFTER INSERT ON "todo_lists" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('todo_list');--> statement-breakpoint
CREATE TRIGGER "todo_lists_sync_update" AFTER UPDATE ON "todo_lists" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('todo_list');--> statement-breakpoint
CREATE TRIGGER "todo_lists_sync_delete" AFTER DELETE ON "todo_lists" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('todo_list');--> statement-breakpoint
-- "changed" are new users. A use-case that forgot the list would lose their todos, and instances of the release before, which know
-- none, add users until they are replaced.
CREATE FUNCTION "public"."add_default_todo_lists"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "todo_lists" ("user_id", "name", "color", "is_default", "rank", "created_at", "updated_at")
		SELECT "id", 'Todos', '#3b82f6', true, 1, "created_at", "created_at" FROM "changed";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_todo_list" AFTER INSERT ON "users" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "add_default_todo_lists"();--> statement-breakpoint
INSERT INTO "todo_lists" ("user_id", "name", "color", "is_default", "rank", "created_at", "updated_at")
	SELECT "id", 'Todos', '#3b82f6', true, 1, now(), now() FROM "users" ORDER BY "id";--> statement-breakpoint
-- Things that a user owns, and that can be in the trash: which tables these are is not repeated here.
CREATE FUNCTION "public"."history_of_gone_own"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
BEGIN
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id", "in_trash")
		SELECT "history_operation"(), "history_at"(), TG_TABLE_NAME, "images"."id"::text, "images"."image",
			CASE WHEN pg_trigger_depth() = 1 THEN "images"."user_id" END,
			pg_trigger_depth() = 1 AND "history_operation"() IS NOT NULL
		FROM "sync_state", (
			SELECT "id", "user_id", "history_image"(to_jsonb("former")) AS "image" FROM "former" OFFSET 0
		) AS "images"
		WHERE "keeps_history" AND "history_is_wanted"();
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todo_lists_history_insert" AFTER INSERT ON "todo_lists" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "todo_lists_history_update" AFTER UPDATE ON "todo_lists" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "todo_lists_history_delete" AFTER DELETE ON "todo_lists" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone_own"('id');--> statement-breakpoint
CREATE FUNCTION "public"."empty_todo_list"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	DELETE FROM "todos" WHERE "list_id" = OLD."id";
	RETURN OLD;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todo_lists_empty" BEFORE DELETE ON "todo_lists" FOR EACH ROW EXECUTE FUNCTION "empty_todo_list"();--> statement-breakpoint
-- Every todo that is there goes into the default list of its user. Clients hear of it; it is nothing that one could undo.
ALTER TABLE "todos" ADD COLUMN "list_id" integer;--> statement-breakpoint
ALTER TABLE "todos" DISABLE TRIGGER "todos_history_update";--> statement-breakpoint
UPDATE "todos" SET "list_id" = "todo_lists"."id" FROM "todo_lists" WHERE "todo_lists"."user_id" = "todos"."user_id";--> statement-breakpoint
ALTER TABLE "todos" ENABLE TRIGGER "todos_history_update";--> statement-breakpoint
-- The journal is written now, so that a later migration of this transaction may change its tables.
SET CONSTRAINTS "sync_marks_flush" IMMEDIATE;--> statement-breakpoint
SET CONSTRAINTS "sync_marks_flush" DEFERRED;--> statement-breakpoint
ALTER TABLE "todos" ALTER COLUMN "list_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "todos" ADD CONSTRAINT "todos_list_fkey" FOREIGN KEY ("list_id","user_id") REFERENCES "todo_lists"("id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "todos_list_id_idx" ON "todos" USING btree ("list_id","rank");--> statement-breakpoint
-- Images of todos belong to the same list.
UPDATE "history" SET "before" = "before" || jsonb_build_object('list_id', "todo_lists"."id")
	FROM "todo_lists" WHERE "tab" = 'todos' AND "before" IS NOT NULL AND "todo_lists"."user_id" = ("before" ->> 'user_id')::integer;--> statement-breakpoint
-- A todo that names no list is in the default one: one that comes back after its list is gone, and whatever instances of the release
-- before add until they are replaced.
CREATE FUNCTION "public"."place_todo"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	NEW."list_id" := (SELECT "id" FROM "todo_lists" WHERE "user_id" = NEW."user_id" AND "is_default");
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todos_default_list" BEFORE INSERT OR UPDATE OF "list_id" ON "todos"
	FOR EACH ROW WHEN (NEW."list_id" IS NULL) EXECUTE FUNCTION "place_todo"();
