-- Rows as they were before a change, by the operation that changed them (contract: undo.history): for undoing it, for the trash, and
-- for the former versions of a record. Triggers write them in the transaction of the change.
CREATE TABLE "history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY NOT NULL,
	"operation" uuid,
	"tab" text NOT NULL,
	"row_key" text NOT NULL,
	"before" jsonb,
	"owner_id" integer,
	"in_trash" boolean DEFAULT false NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "history_operation_idx" ON "history" USING btree ("operation","id");--> statement-breakpoint
CREATE INDEX "history_row_idx" ON "history" USING btree ("tab","row_key","id");--> statement-breakpoint
CREATE INDEX "history_owner_id_idx" ON "history" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "history_trash_idx" ON "history" USING btree ("owner_id","id") WHERE "history"."in_trash";--> statement-breakpoint
CREATE INDEX "operations_undone_by_idx" ON "operations" USING btree ("undone_by") WHERE "operations"."undone_by" is not null;--> statement-breakpoint
ALTER TABLE "sync_state" ADD COLUMN "keeps_history" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- Compared with 0027_operations: the rest of the transaction also finds the time of the operation, in organiser.at.
CREATE OR REPLACE FUNCTION "public"."begin_operation"("credential" text, "credential_user_id" integer, "at" timestamptz, "operation" uuid,
	"operation_name" text, "operation_key" text, "operation_fingerprint" text, "is_open" boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF NOT public.credential_is_live("credential", "credential_user_id", "at") THEN
		RETURN false;
	END IF;
	IF "operation" IS NOT NULL THEN
		INSERT INTO "operations" ("id", "user_id", "credential", "name", "key", "fingerprint", "is_open", "created_at")
			VALUES ("operation", "credential_user_id", "credential", "operation_name", "operation_key", "operation_fingerprint",
				"begin_operation"."is_open", "at")
			ON CONFLICT ("id") DO NOTHING;
		PERFORM set_config('organiser.operation', "operation"::text, true), set_config('organiser.at', "at"::text, true);
	END IF;
	RETURN true;
END
$$;--> statement-breakpoint
-- Whether this transaction keeps what it changes: unless the configuration keeps nothing, or an account is deleted.
CREATE FUNCTION "public"."history_is_kept"() RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	RETURN coalesce(current_setting('organiser.history', true), '') <> 'off'
		-- What goes with its parent outside an operation could never be brought back.
		AND (pg_trigger_depth() = 1 OR coalesce(current_setting('organiser.operation', true), '') <> '')
		AND (SELECT "keeps_history" FROM "sync_state");
END
$$;--> statement-breakpoint
-- The image of a row: without generated columns, and without secrets, which a restored row must not bring back.
CREATE FUNCTION "public"."history_image"("whole" jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN "whole" - '{search,is_top_level,parent_is_top_level,ntfy_server_url,ntfy_topic,ntfy_auth_token}'::text[];--> statement-breakpoint
-- The user to whom a row belongs; what is in a calendar or project belongs to its owner.
CREATE FUNCTION "public"."history_owner"("changed_table" text, "image" jsonb) RETURNS integer LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	CASE "changed_table"
		WHEN 'users' THEN
			RETURN "image" -> 'id';
		WHEN 'events' THEN
			RETURN (SELECT "user_id" FROM "calendars" WHERE "id" = ("image" -> 'calendar_id')::integer);
		WHEN 'event_occurrences', 'event_extra_starts', 'event_sources', 'event_invitations' THEN
			RETURN (SELECT "calendars"."user_id" FROM "events" JOIN "calendars" ON "calendars"."id" = "events"."calendar_id"
				WHERE "events"."id" = ("image" -> 'event_id')::integer);
		WHEN 'occurrence_responses' THEN
			RETURN (SELECT "calendars"."user_id" FROM "event_invitations"
					JOIN "events" ON "events"."id" = "event_invitations"."event_id"
					JOIN "calendars" ON "calendars"."id" = "events"."calendar_id"
				WHERE "event_invitations"."id" = ("image" -> 'invitation_id')::integer);
		WHEN 'project_tasks' THEN
			-- A subtask that goes with its parent has none.
			RETURN (SELECT "user_id" FROM "projects" WHERE "id" = ("image" -> 'project_id')::integer AND (
				"image" ->> 'parent_task_id' IS NULL
				OR EXISTS (SELECT FROM "project_tasks" WHERE "id" = ("image" ->> 'parent_task_id')::integer)
			));
		WHEN 'task_comments' THEN
			RETURN (SELECT "projects"."user_id" FROM "project_tasks" JOIN "projects" ON "projects"."id" = "project_tasks"."project_id"
				WHERE "project_tasks"."id" = ("image" -> 'task_id')::integer);
		ELSE
			RETURN "image" -> 'user_id';
	END CASE;
END
$$;--> statement-breakpoint
-- When the operation of the transaction is done.
CREATE FUNCTION "public"."history_at"() RETURNS timestamptz LANGUAGE sql STABLE
RETURN coalesce(nullif(current_setting('organiser.at', true), '')::timestamptz, now());--> statement-breakpoint
-- The operation of the transaction; null for what happens by itself.
CREATE FUNCTION "public"."history_operation"() RETURNS uuid LANGUAGE sql STABLE
RETURN nullif(current_setting('organiser.operation', true), '')::uuid;--> statement-breakpoint
-- The triggers name the columns of the primary key.
CREATE FUNCTION "public"."history_of_new"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
DECLARE
	"done_by" uuid := "history_operation"();
	"done_at" timestamptz := "history_at"();
BEGIN
	IF NOT "history_is_kept"() THEN
		RETURN NULL;
	END IF;
	-- What imports write by the thousand needs no images of whole rows.
	IF TG_TABLE_NAME = 'events' THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "done_by", "done_at", 'events', "changed"."id"::text, CASE WHEN pg_trigger_depth() = 1 THEN "calendars"."user_id" END
			FROM "changed" JOIN "calendars" ON "calendars"."id" = "changed"."calendar_id";
	ELSIF TG_TABLE_NAME = 'event_sources' THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "done_by", "done_at", 'event_sources', "changed"."event_id"::text,
				CASE WHEN pg_trigger_depth() = 1 THEN "calendars"."user_id" END
			FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
				JOIN "calendars" ON "calendars"."id" = "events"."calendar_id";
	ELSE
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "done_by", "done_at", TG_TABLE_NAME, concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]),
				CASE WHEN pg_trigger_depth() = 1 THEN "history_owner"(TG_TABLE_NAME, "image") END
			FROM (SELECT to_jsonb("changed") AS "image" FROM "changed") AS "images";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."history_of_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
DECLARE
	"done_by" uuid := "history_operation"();
	"done_at" timestamptz := "history_at"();
BEGIN
	IF "history_is_kept"() THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id", "in_trash")
			SELECT "done_by", "done_at", TG_TABLE_NAME, concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]), "image", "owner",
				"owner" IS NOT NULL AND "done_by" IS NOT NULL AND TG_TABLE_NAME IN (
					'calendars', 'events', 'event_templates', 'todos', 'reminders', 'projects', 'project_tasks', 'task_comments', 'people'
				)
			FROM (
				SELECT "image", CASE WHEN pg_trigger_depth() = 1 THEN "history_owner"(TG_TABLE_NAME, "image") END AS "owner"
				FROM (SELECT "history_image"(to_jsonb("former")) AS "image" FROM "former") AS "images"
			) AS "owned";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A row whose primary key changes goes under the one and comes under the other.
CREATE FUNCTION "public"."history_of_changed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
DECLARE
	"done_by" uuid := "history_operation"();
	"done_at" timestamptz := "history_at"();
BEGIN
	IF "history_is_kept"() THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id")
			SELECT "done_by", "done_at", TG_TABLE_NAME, coalesce("was"."key", "is"."key"), "was"."image",
				CASE WHEN pg_trigger_depth() = 1 THEN "history_owner"(TG_TABLE_NAME, coalesce("was"."image", "is"."image")) END
			FROM (
				SELECT concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]) AS "key", "image"
				FROM (SELECT "history_image"(to_jsonb("former")) AS "image" FROM "former") AS "images"
			) AS "was" FULL JOIN (
				SELECT concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]) AS "key", "image"
				FROM (SELECT "history_image"(to_jsonb("changed")) AS "image" FROM "changed") AS "images"
			) AS "is" ON "is"."key" = "was"."key"
			WHERE "was"."image" IS DISTINCT FROM "is"."image";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Of a user only the day of birth is kept; that a name or address changed is noted, so that the change is not undone in part.
CREATE FUNCTION "public"."history_of_profiles"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
BEGIN
	IF NOT EXISTS (
		SELECT FROM "former" JOIN "changed" USING ("id")
		WHERE ("former"."date_of_birth", "former"."email", "former"."network_name")
			IS DISTINCT FROM ("changed"."date_of_birth", "changed"."email", "changed"."network_name")
	) OR NOT "history_is_kept"() THEN
		RETURN NULL;
	END IF;
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id")
		SELECT "history_operation"(), "history_at"(), 'users', "former"."id"::text, jsonb_build_object(
			'id', "former"."id", 'date_of_birth', "former"."date_of_birth",
			'is_renamed', ("former"."email", "former"."network_name") IS DISTINCT FROM ("changed"."email", "changed"."network_name")
		), "former"."id"
		FROM "former" JOIN "changed" USING ("id")
		WHERE ("former"."date_of_birth", "former"."email", "former"."network_name")
			IS DISTINCT FROM ("changed"."date_of_birth", "changed"."email", "changed"."network_name");
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The history of an account goes with it, and its deletion has none.
CREATE FUNCTION "public"."history_off"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM set_config('organiser.history', 'off', true);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."history_of_users_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	-- What went with something of theirs names no owner, but belongs to an operation that touched nobody else's things.
	DELETE FROM "history" WHERE "owner_id" IS NULL AND "operation" IN (
		SELECT "operation" FROM "history" WHERE "owner_id" IN (SELECT "id" FROM "former")
		EXCEPT SELECT "operation" FROM "history" AS "other" WHERE "other"."owner_id" NOT IN (SELECT "id" FROM "former")
			AND "other"."operation" IN (SELECT "operation" FROM "history" WHERE "owner_id" IN (SELECT "id" FROM "former"))
	);
	DELETE FROM "history" WHERE "tab" = 'occurrence_responses' AND ("before" ->> 'invitation_id') IN (
		SELECT "row_key" FROM "history" WHERE "tab" = 'event_invitations'
			AND ("before" ->> 'user_id')::integer IN (SELECT "id" FROM "former")
	);
	DELETE FROM "history" WHERE "tab" = 'event_invitations'
		AND ("before" ->> 'user_id')::integer IN (SELECT "id" FROM "former");
	DELETE FROM "history" WHERE "operation" = "history_operation"();
	DELETE FROM "history" WHERE "owner_id" IN (SELECT "id" FROM "former");
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_history_before_delete" BEFORE DELETE ON "users"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_off"();--> statement-breakpoint
CREATE TRIGGER "users_history_delete" AFTER DELETE ON "users" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_users_gone"();--> statement-breakpoint
CREATE TRIGGER "calendars_history_insert" AFTER INSERT ON "calendars" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "calendars_history_update" AFTER UPDATE ON "calendars" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "calendars_history_delete" AFTER DELETE ON "calendars" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "events_history_insert" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "events_history_update" AFTER UPDATE ON "events" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "events_history_delete" AFTER DELETE ON "events" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "event_occurrences_history_insert" AFTER INSERT ON "event_occurrences" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('event_id', 'occurrence_start');--> statement-breakpoint
CREATE TRIGGER "event_occurrences_history_update" AFTER UPDATE ON "event_occurrences" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('event_id', 'occurrence_start');--> statement-breakpoint
CREATE TRIGGER "event_occurrences_history_delete" AFTER DELETE ON "event_occurrences" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('event_id', 'occurrence_start');--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_history_insert" AFTER INSERT ON "event_extra_starts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('event_id', 'start');--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_history_update" AFTER UPDATE ON "event_extra_starts" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('event_id', 'start');--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_history_delete" AFTER DELETE ON "event_extra_starts" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('event_id', 'start');--> statement-breakpoint
CREATE TRIGGER "event_sources_history_insert" AFTER INSERT ON "event_sources" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('event_id');--> statement-breakpoint
CREATE TRIGGER "event_sources_history_update" AFTER UPDATE ON "event_sources" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('event_id');--> statement-breakpoint
CREATE TRIGGER "event_sources_history_delete" AFTER DELETE ON "event_sources" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('event_id');--> statement-breakpoint
CREATE TRIGGER "event_invitations_history_insert" AFTER INSERT ON "event_invitations" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "event_invitations_history_update" AFTER UPDATE ON "event_invitations" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "event_invitations_history_delete" AFTER DELETE ON "event_invitations" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_history_insert" AFTER INSERT ON "occurrence_responses" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('invitation_id', 'occurrence_start');--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_history_update" AFTER UPDATE ON "occurrence_responses" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('invitation_id', 'occurrence_start');--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_history_delete" AFTER DELETE ON "occurrence_responses" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('invitation_id', 'occurrence_start');--> statement-breakpoint
CREATE TRIGGER "event_templates_history_insert" AFTER INSERT ON "event_templates" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "event_templates_history_update" AFTER UPDATE ON "event_templates" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "event_templates_history_delete" AFTER DELETE ON "event_templates" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "todos_history_insert" AFTER INSERT ON "todos" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "todos_history_update" AFTER UPDATE ON "todos" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "todos_history_delete" AFTER DELETE ON "todos" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "reminders_history_insert" AFTER INSERT ON "reminders" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "reminders_history_update" AFTER UPDATE ON "reminders" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "reminders_history_delete" AFTER DELETE ON "reminders" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "projects_history_insert" AFTER INSERT ON "projects" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "projects_history_update" AFTER UPDATE ON "projects" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "projects_history_delete" AFTER DELETE ON "projects" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "project_tasks_history_insert" AFTER INSERT ON "project_tasks" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "project_tasks_history_update" AFTER UPDATE ON "project_tasks" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "project_tasks_history_delete" AFTER DELETE ON "project_tasks" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "task_comments_history_insert" AFTER INSERT ON "task_comments" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "task_comments_history_update" AFTER UPDATE ON "task_comments" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "task_comments_history_delete" AFTER DELETE ON "task_comments" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "people_history_insert" AFTER INSERT ON "people" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new"('id');--> statement-breakpoint
CREATE TRIGGER "people_history_update" AFTER UPDATE ON "people" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "people_history_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
CREATE TRIGGER "settings_history_update" AFTER UPDATE ON "settings" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('user_id');--> statement-breakpoint
CREATE TRIGGER "users_history_update" AFTER UPDATE ON "users" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_profiles"();
