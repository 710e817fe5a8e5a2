-- A mixed collection is a calendar and a list of todos at one address (contract: dav.mixed).
ALTER TABLE "dav_collections" ADD COLUMN "todo_list_id" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "dav_collections_todo_list_id_key" ON "dav_collections" USING btree ("todo_list_id") WHERE "dav_collections"."todo_list_id" is not null;--> statement-breakpoint
ALTER TABLE "dav_collections" ADD CONSTRAINT "dav_collections_mixed_check" CHECK ("dav_collections"."todo_list_id" is null or "dav_collections"."kind" = 'calendar');--> statement-breakpoint
-- The todos of a list that have the name or the UID.
CREATE FUNCTION "public"."dav_todos_called"("collection" integer, "wanted" text, "given" text) RETURNS SETOF integer LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
	SELECT "id" FROM (
		SELECT "id", "object_name", "uid", "created_at" FROM "todos" WHERE "list_id" = "collection" AND "object_name" = "wanted"
		UNION SELECT "id", "object_name", "uid", "created_at" FROM "todos" WHERE "list_id" = "collection" AND "uid" IN ("given", left("wanted", -4))
		UNION SELECT "id", "object_name", "uid", "created_at" FROM (
			SELECT * FROM "todos" WHERE "id" IN (
				substring("wanted", '^(?:todo-)?([1-9][0-9]{0,8})(?:-[0-9]+@organiser[.]invalid)?[.]ics$')::integer,
				substring("given", '^todo-([1-9][0-9]{0,8})-')::integer
			) OFFSET 0
		) AS "numbered" WHERE "list_id" = "collection"
	) AS "found"
	WHERE "dav_name"("object_name", "dav_uid"("uid", 'todo', "id", "created_at"), "id") = "wanted"
		OR "dav_uid"("uid", 'todo', "id", "created_at") = "given"
$$;--> statement-breakpoint
-- The events of a calendar, alike.
CREATE FUNCTION "public"."dav_events_called"("collection" integer, "wanted" text, "given" text) RETURNS SETOF integer LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
	SELECT "id" FROM (
		SELECT "id", "object_name", "uid" FROM "events" WHERE "calendar_id" = "collection" AND "object_name" = "wanted"
		UNION SELECT "id", "object_name", "uid" FROM "events" WHERE "calendar_id" = "collection" AND "uid" IN ("given", left("wanted", -4))
		UNION SELECT "id", "object_name", "uid" FROM (
			SELECT * FROM "events" WHERE "id" = substring("wanted", '^([1-9][0-9]{0,8})[.]ics$')::integer OFFSET 0
		) AS "numbered" WHERE "calendar_id" = "collection"
	) AS "found"
	WHERE "dav_name"("object_name", "uid", "id") = "wanted" OR "uid" = "given"
$$;--> statement-breakpoint
-- Compared with 0042_todo_names: no event of a mixed collection has the UID or name either.
CREATE OR REPLACE FUNCTION "public"."dav_free_todo_name"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"beside" integer := (SELECT "item" FROM "dav_collections" WHERE "todo_list_id" = NEW."list_id");
	"derived" text;
BEGIN
	IF EXISTS (SELECT FROM "todos" WHERE "list_id" = NEW."list_id" AND "uid" = NEW."uid" AND "id" <> NEW."id")
		OR EXISTS (
			SELECT FROM (SELECT * FROM "todos" WHERE "id" = substring(NEW."uid", '^todo-([1-9][0-9]{0,8})-')::integer OFFSET 0) AS "other"
				WHERE "id" <> NEW."id" AND "list_id" = NEW."list_id" AND "dav_uid"("uid", 'todo', "id", "created_at") = NEW."uid"
		) OR "beside" IS NOT NULL AND EXISTS (SELECT FROM "dav_events_called"("beside", NULL, NEW."uid")) THEN
		NEW."uid" := NULL;
	END IF;
	-- A copy of it may have the UID that follows from its id.
	IF NEW."uid" IS NULL THEN
		"derived" := "dav_uid"(NULL, 'todo', NEW."id", NEW."created_at");
		IF EXISTS (SELECT FROM "todos" WHERE "list_id" = NEW."list_id" AND "id" <> NEW."id" AND "uid" = "derived")
			OR "beside" IS NOT NULL AND EXISTS (SELECT FROM "dav_events_called"("beside", NULL, "derived")) THEN
			NEW."uid" := gen_random_uuid();
		END IF;
	END IF;
	-- Beside events, what invitations are called is the name of nothing else.
	IF NEW."object_name" IS NOT NULL AND (
		"dav_is_todo_name_taken"(NEW."list_id", NEW."object_name", NEW."id")
		OR "beside" IS NOT NULL AND NEW."object_name" ~ '^(inv|private)-[0-9]+[.]ics$'
		OR "beside" IS NOT NULL AND EXISTS (SELECT FROM "dav_events_called"("beside", NEW."object_name", NULL))
	) THEN
		NEW."object_name" := NULL;
	END IF;
	IF NEW."object_name" IS NULL THEN
		"derived" := "dav_name"(NULL, "dav_uid"(NEW."uid", 'todo', NEW."id", NEW."created_at"), NEW."id");
		IF "dav_is_todo_name_taken"(NEW."list_id", "derived", NEW."id")
			OR "beside" IS NOT NULL AND EXISTS (SELECT FROM "dav_events_called"("beside", "derived", NULL)) THEN
			NEW."object_name" := gen_random_uuid() || '.ics';
		END IF;
	END IF;
	RETURN NEW;
END
$$;--> statement-breakpoint
-- Where an event comes into a mixed collection by JSON, an import or from the trash, a todo there that has its UID or name gets another.
CREATE FUNCTION "public"."dav_free_todos_beside"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"event" record;
BEGIN
	FOR "event" IN
		SELECT "dav_name"("object_name", "uid", "id") AS "name", "uid", "todo_list_id" AS "list"
			FROM "changed" JOIN "dav_collections" ON "kind" = 'calendar' AND "item" = "calendar_id"
			WHERE "todo_list_id" IS NOT NULL
	LOOP
		UPDATE "todos" SET
			"uid" = CASE WHEN "dav_uid"("uid", 'todo', "id", "created_at") = "event"."uid" THEN gen_random_uuid()::text ELSE "uid" END,
			"object_name" = CASE
				WHEN "dav_name"("object_name", "dav_uid"("uid", 'todo', "id", "created_at"), "id") = "event"."name" THEN gen_random_uuid() || '.ics'
				ELSE "object_name"
			END,
			"version" = "version" + 1, "updated_at" = now()
			WHERE "id" IN (SELECT "dav_todos_called"("event"."list", "event"."name", "event"."uid"));
	END LOOP;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "events_object_name_insert" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_free_todos_beside"();--> statement-breakpoint
CREATE TRIGGER "events_object_name_update" AFTER UPDATE ON "events" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_free_todos_beside"();
