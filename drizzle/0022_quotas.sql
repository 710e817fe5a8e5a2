ALTER TABLE "tallies" DROP CONSTRAINT "tallies_kind_check";--> statement-breakpoint
ALTER TABLE "tallies" ADD CONSTRAINT "tallies_kind_check" CHECK ("tallies"."kind" in ('calendars', 'feeds', 'events', 'event_templates', 'todos', 'reminders', 'projects', 'all_tasks', 'comments', 'people', 'occurrences', 'responses', 'tasks', 'subtasks'));--> statement-breakpoint
-- How many records of a kind a user may have; null for the lists of one project or task, whose records count as all_tasks.
CREATE FUNCTION "public"."quota"("record_kind" text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE "record_kind"
	WHEN 'calendars' THEN 200
	WHEN 'feeds' THEN 100
	WHEN 'tasks' THEN NULL
	WHEN 'subtasks' THEN NULL
	ELSE 250000
END;--> statement-breakpoint
-- Tallies are what quotas are judged by: they are right in any number of transactions at once, and nobody counts records.
-- Who has more than a quota already may delete, and only adds no more.
CREATE OR REPLACE FUNCTION "public"."tally"("list_kind" text, "list_owner" integer, "change" bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"total" integer;
BEGIN
	IF "change" > 0 THEN
		INSERT INTO "tallies" ("kind", "owner_id", "count") VALUES ("list_kind", "list_owner", "change")
			ON CONFLICT ON CONSTRAINT "tallies_pkey" DO UPDATE SET "count" = "tallies"."count" + "change"
			RETURNING "count" INTO "total";
		IF "total" > "quota"("list_kind") THEN
			RAISE EXCEPTION 'the user has too many %', "list_kind"
				USING ERRCODE = 'check_violation', TABLE = 'tallies', CONSTRAINT = "list_kind" || '_quota',
					DETAIL = "list_owner"::text;
		END IF;
	ELSE
		DELETE FROM "tallies" WHERE "kind" = "list_kind" AND "owner_id" = "list_owner" AND "count" <= -"change";
		UPDATE "tallies" SET "count" = "count" + "change" WHERE "kind" = "list_kind" AND "owner_id" = "list_owner";
	END IF;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."tally_of_authors"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"(TG_ARGV[0], "author_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" GROUP BY "author_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- What is in a calendar counts for its owner. It goes before the calendar does, which tells whose it is.
CREATE FUNCTION "public"."tally_of_calendars"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"(TG_ARGV[0], "calendars"."user_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" JOIN "calendars" ON "calendars"."id" = "changed"."calendar_id" GROUP BY "calendars"."user_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- What differs in single occurrences of a series counts for the owner of its calendar. It goes before its event does.
CREATE FUNCTION "public"."tally_of_occurrences"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"('occurrences', "calendars"."user_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
		JOIN "calendars" ON "calendars"."id" = "events"."calendar_id" GROUP BY "calendars"."user_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Answers for single occurrences count for who is invited. They go before their invitation does.
CREATE FUNCTION "public"."tally_of_responses"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"('responses', "event_invitations"."user_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" JOIN "event_invitations" ON "event_invitations"."id" = "changed"."invitation_id"
		GROUP BY "event_invitations"."user_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."tally_of_moved_event"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"before" integer := (SELECT "user_id" FROM "calendars" WHERE "id" = OLD."calendar_id");
	"after" integer := (SELECT "user_id" FROM "calendars" WHERE "id" = NEW."calendar_id");
	"occurrences" bigint;
BEGIN
	IF "before" IS DISTINCT FROM "after" THEN
		"occurrences" := (SELECT count(*) FROM "event_occurrences" WHERE "event_id" = NEW."id");
		PERFORM "tally"('events', "before", -1);
		PERFORM "tally"('events', "after", 1);
		PERFORM "tally"('occurrences', "before", -"occurrences");
		PERFORM "tally"('occurrences', "after", "occurrences");
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."empty_calendar"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	DELETE FROM "events" WHERE "calendar_id" = OLD."id";
	DELETE FROM "calendar_feeds" WHERE "calendar_id" = OLD."id";
	RETURN OLD;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."empty_event"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM "event_occurrences" WHERE "event_id" = OLD."id") THEN
		DELETE FROM "event_occurrences" WHERE "event_id" = OLD."id";
	END IF;
	RETURN OLD;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."empty_invitation"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM "occurrence_responses" WHERE "invitation_id" = OLD."id") THEN
		DELETE FROM "occurrence_responses" WHERE "invitation_id" = OLD."id";
	END IF;
	RETURN OLD;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."empty_project"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	DELETE FROM "project_tasks" WHERE "project_id" = OLD."id";
	RETURN OLD;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "public"."tally_of_tasks"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"('tasks', "project_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" WHERE "parent_task_id" IS NULL GROUP BY "project_id";
	PERFORM "tally"('subtasks', "parent_task_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" WHERE "parent_task_id" IS NOT NULL GROUP BY "parent_task_id";
	PERFORM "tally"('all_tasks', "projects"."user_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" JOIN "projects" ON "projects"."id" = "changed"."project_id" GROUP BY "projects"."user_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "projects_empty" BEFORE DELETE ON "projects" FOR EACH ROW EXECUTE FUNCTION "empty_project"();--> statement-breakpoint
CREATE TRIGGER "calendars_empty" BEFORE DELETE ON "calendars" FOR EACH ROW EXECUTE FUNCTION "empty_calendar"();--> statement-breakpoint
CREATE TRIGGER "events_empty" BEFORE DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION "empty_event"();--> statement-breakpoint
CREATE TRIGGER "event_invitations_empty" BEFORE DELETE ON "event_invitations"
	FOR EACH ROW EXECUTE FUNCTION "empty_invitation"();--> statement-breakpoint
CREATE TRIGGER "calendars_tally_insert" AFTER INSERT ON "calendars" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('calendars');--> statement-breakpoint
CREATE TRIGGER "calendars_tally_delete" AFTER DELETE ON "calendars" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('calendars');--> statement-breakpoint
CREATE TRIGGER "calendar_feeds_tally_insert" AFTER INSERT ON "calendar_feeds" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_calendars"('feeds');--> statement-breakpoint
CREATE TRIGGER "calendar_feeds_tally_delete" AFTER DELETE ON "calendar_feeds" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_calendars"('feeds');--> statement-breakpoint
CREATE TRIGGER "events_tally_insert" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_calendars"('events');--> statement-breakpoint
CREATE TRIGGER "events_tally_delete" AFTER DELETE ON "events" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_calendars"('events');--> statement-breakpoint
CREATE TRIGGER "events_tally_move" AFTER UPDATE OF "calendar_id" ON "events"
	FOR EACH ROW WHEN (OLD."calendar_id" IS DISTINCT FROM NEW."calendar_id")
	EXECUTE FUNCTION "tally_of_moved_event"();--> statement-breakpoint
CREATE TRIGGER "event_templates_tally_insert" AFTER INSERT ON "event_templates" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('event_templates');--> statement-breakpoint
CREATE TRIGGER "event_templates_tally_delete" AFTER DELETE ON "event_templates" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('event_templates');--> statement-breakpoint
CREATE TRIGGER "reminders_tally_insert" AFTER INSERT ON "reminders" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('reminders');--> statement-breakpoint
CREATE TRIGGER "reminders_tally_delete" AFTER DELETE ON "reminders" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('reminders');--> statement-breakpoint
CREATE TRIGGER "people_tally_insert" AFTER INSERT ON "people" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('people');--> statement-breakpoint
CREATE TRIGGER "people_tally_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('people');--> statement-breakpoint
CREATE TRIGGER "task_comments_tally_insert" AFTER INSERT ON "task_comments" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_authors"('comments');--> statement-breakpoint
CREATE TRIGGER "task_comments_tally_delete" AFTER DELETE ON "task_comments" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_authors"('comments');--> statement-breakpoint
CREATE TRIGGER "event_occurrences_tally_insert" AFTER INSERT ON "event_occurrences" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_occurrences"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_tally_delete" AFTER DELETE ON "event_occurrences" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_occurrences"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_tally_insert" AFTER INSERT ON "occurrence_responses" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_responses"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_tally_delete" AFTER DELETE ON "occurrence_responses" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_responses"();--> statement-breakpoint
-- Creating the triggers has locked these tables against writers until the migration ends; tasks need a lock of their own.
LOCK TABLE "project_tasks" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "tallies" ("kind", "owner_id", "count")
	SELECT 'calendars', "user_id", count(*) FROM "calendars" GROUP BY "user_id"
	UNION ALL SELECT 'feeds', "user_id", count(*) FROM "calendar_feeds" JOIN "calendars" ON "id" = "calendar_id" GROUP BY "user_id"
	UNION ALL SELECT 'events', "user_id", count(*) FROM "events" JOIN "calendars" ON "calendars"."id" = "calendar_id" GROUP BY "user_id"
	UNION ALL SELECT 'occurrences', "user_id", count(*) FROM "event_occurrences" JOIN "events" ON "events"."id" = "event_id"
		JOIN "calendars" ON "calendars"."id" = "calendar_id" GROUP BY "user_id"
	UNION ALL SELECT 'responses', "user_id", count(*) FROM "occurrence_responses"
		JOIN "event_invitations" ON "event_invitations"."id" = "invitation_id" GROUP BY "user_id"
	UNION ALL SELECT 'event_templates', "user_id", count(*) FROM "event_templates" GROUP BY "user_id"
	UNION ALL SELECT 'reminders', "user_id", count(*) FROM "reminders" GROUP BY "user_id"
	UNION ALL SELECT 'people', "user_id", count(*) FROM "people" GROUP BY "user_id"
	UNION ALL SELECT 'comments', "author_id", count(*) FROM "task_comments" GROUP BY "author_id"
	UNION ALL SELECT 'all_tasks', "user_id", count(*) FROM "project_tasks" JOIN "projects" ON "projects"."id" = "project_id"
		GROUP BY "user_id";
