CREATE TABLE "tallies" (
	"kind" text NOT NULL,
	"owner_id" integer NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "tallies_pkey" PRIMARY KEY("kind","owner_id"),
	CONSTRAINT "tallies_kind_check" CHECK ("tallies"."kind" in ('todos', 'projects', 'tasks', 'subtasks')),
	CONSTRAINT "tallies_count_check" CHECK ("tallies"."count" > 0)
);--> statement-breakpoint
-- The position of an appended row is one more than the length of its list, which stands in tallies, so that nobody counts
-- the list. Triggers keep it, as rows also go by cascades. Every writer of a list has locked the user that owns it, so that
-- nobody waits for a tally. An empty list has no row: users, projects and tasks that are gone leave none behind.
CREATE FUNCTION "public"."tally"("list_kind" text, "list_owner" integer, "change" bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF "change" > 0 THEN
		INSERT INTO "tallies" ("kind", "owner_id", "count") VALUES ("list_kind", "list_owner", "change")
			ON CONFLICT ON CONSTRAINT "tallies_pkey" DO UPDATE SET "count" = "tallies"."count" + "change";
	ELSE
		DELETE FROM "tallies" WHERE "kind" = "list_kind" AND "owner_id" = "list_owner" AND "count" <= -"change";
		UPDATE "tallies" SET "count" = "count" + "change" WHERE "kind" = "list_kind" AND "owner_id" = "list_owner";
	END IF;
END
$$;--> statement-breakpoint
-- "changed" are the rows that were inserted, or that are gone.
CREATE FUNCTION "public"."tally_of_users"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"(TG_ARGV[0], "user_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" GROUP BY "user_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."tally_of_tasks"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"('tasks', "project_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" WHERE "parent_task_id" IS NULL GROUP BY "project_id";
	PERFORM "tally"('subtasks', "parent_task_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
		FROM "changed" WHERE "parent_task_id" IS NOT NULL GROUP BY "parent_task_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."tally_of_moved_task"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "tally"(
		CASE WHEN OLD."parent_task_id" IS NULL THEN 'tasks' ELSE 'subtasks' END,
		coalesce(OLD."parent_task_id", OLD."project_id"), -1
	);
	PERFORM "tally"(
		CASE WHEN NEW."parent_task_id" IS NULL THEN 'tasks' ELSE 'subtasks' END,
		coalesce(NEW."parent_task_id", NEW."project_id"), 1
	);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todos_tally_insert" AFTER INSERT ON "todos" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('todos');--> statement-breakpoint
CREATE TRIGGER "todos_tally_delete" AFTER DELETE ON "todos" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('todos');--> statement-breakpoint
CREATE TRIGGER "projects_tally_insert" AFTER INSERT ON "projects" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('projects');--> statement-breakpoint
CREATE TRIGGER "projects_tally_delete" AFTER DELETE ON "projects" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('projects');--> statement-breakpoint
CREATE TRIGGER "project_tasks_tally_insert" AFTER INSERT ON "project_tasks" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_tasks"();--> statement-breakpoint
CREATE TRIGGER "project_tasks_tally_delete" AFTER DELETE ON "project_tasks" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_tasks"();--> statement-breakpoint
CREATE TRIGGER "project_tasks_tally_move" AFTER UPDATE OF "project_id", "parent_task_id" ON "project_tasks"
	FOR EACH ROW WHEN (
		OLD."project_id" IS DISTINCT FROM NEW."project_id" OR OLD."parent_task_id" IS DISTINCT FROM NEW."parent_task_id"
	) EXECUTE FUNCTION "tally_of_moved_task"();--> statement-breakpoint
-- Creating the triggers has locked these tables against writers until the migration ends.
INSERT INTO "tallies" ("kind", "owner_id", "count")
	SELECT 'todos', "user_id", count(*) FROM "todos" GROUP BY "user_id"
	UNION ALL SELECT 'projects', "user_id", count(*) FROM "projects" GROUP BY "user_id"
	UNION ALL SELECT 'tasks', "project_id", count(*) FROM "project_tasks" WHERE "parent_task_id" IS NULL GROUP BY "project_id"
	UNION ALL SELECT 'subtasks', "parent_task_id", count(*) FROM "project_tasks" WHERE "parent_task_id" IS NOT NULL
		GROUP BY "parent_task_id";--> statement-breakpoint
-- Whether a session is unrevoked and unexpired at the moment of the call. A statement that waits for a lock sees other rows
-- as they were when it began, but a volatile function sees them as they are by then: so one statement locks a user's row and
-- tells whether their session goes on, and locks no session. Signing out waits for no writer.
CREATE FUNCTION "public"."session_is_live"("session_id" text, "session_user_id" integer, "at" timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	RETURN EXISTS (
		SELECT FROM "sessions"
			WHERE "id" = "session_id" AND "user_id" = "session_user_id" AND NOT "revoked" AND "expires_at" > "at"
	);
END
$$;
