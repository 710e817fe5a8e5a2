-- The journal (contract: changes.journal). Every item belongs to a scope: a user's own things ('u') or a calendar ('c'). A
-- change steps the counter of its scope when it commits, and notes there which item to look at again.
CREATE TABLE "sync_state" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"epoch" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "sync_state_only_check" CHECK ("sync_state"."is_only")
);--> statement-breakpoint
INSERT INTO "sync_state" DEFAULT VALUES;--> statement-breakpoint
CREATE TABLE "sync_scopes" (
	"kind" "char" NOT NULL,
	"id" integer NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"floor" bigint DEFAULT 0 NOT NULL,
	"xid" "xid8",
	"is_new_to_push" boolean DEFAULT true NOT NULL,
	CONSTRAINT "sync_scopes_pkey" PRIMARY KEY("kind","id"),
	CONSTRAINT "sync_scopes_kind_check" CHECK ("sync_scopes"."kind" in ('u', 'c')),
	CONSTRAINT "sync_scopes_floor_check" CHECK ("sync_scopes"."floor" between 0 and "sync_scopes"."seq")
) WITH (fillfactor = 50);--> statement-breakpoint
CREATE INDEX "sync_scopes_xid_idx" ON "sync_scopes" ("xid") WHERE "xid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "sync_scopes_new_to_push_idx" ON "sync_scopes" ("kind", "id") WHERE "is_new_to_push";--> statement-breakpoint
CREATE TABLE "sync_changes" (
	"scope_kind" "char" NOT NULL,
	"scope_id" integer NOT NULL,
	"type" text NOT NULL,
	"item" integer NOT NULL,
	"seq" bigint NOT NULL,
	"gone" boolean NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sync_changes_pkey" PRIMARY KEY("scope_kind","scope_id","type","item")
) WITH (fillfactor = 80);--> statement-breakpoint
CREATE UNIQUE INDEX "sync_changes_seq_key" ON "sync_changes" ("scope_kind", "scope_id", "seq");--> statement-breakpoint
CREATE INDEX "sync_changes_gone_idx" ON "sync_changes" ("at") WHERE "gone";--> statement-breakpoint
-- What the running transactions have changed so far. No row outlives its transaction, so that a crash may empty them.
CREATE UNLOGGED TABLE "sync_pending" (
	"n" bigint GENERATED ALWAYS AS IDENTITY,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"scope_kind" "char" NOT NULL,
	"scope_id" integer NOT NULL,
	"type" text NOT NULL,
	"item" integer NOT NULL,
	"gone" boolean NOT NULL
);--> statement-breakpoint
CREATE INDEX "sync_pending_xid_idx" ON "sync_pending" ("xid");--> statement-breakpoint
-- One row for each running transaction that has pending changes. It carries the deferred trigger: one for each pending row
-- would take time quadratic in their number.
CREATE UNLOGGED TABLE "sync_marks" (
	"xid" "xid8" PRIMARY KEY
);--> statement-breakpoint
-- Runs when the transaction commits. A stepped counter stays locked until the commit is visible, so of one scope every number up
-- to the greatest visible one is visible; a rollback gives the numbers back. Sorted, so that no two transactions wait for each
-- other. A deleted user takes their scopes along.
CREATE FUNCTION "public"."sync_flush"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
	IF EXISTS (SELECT FROM "sync_pending" WHERE "xid" = NEW."xid" AND "type" = 'scope') THEN
		PERFORM FROM "sync_scopes" JOIN "sync_pending" ON ("kind", "id") = ("scope_kind", "scope_id")
			WHERE "sync_pending"."xid" = NEW."xid" AND "type" = 'scope' ORDER BY "kind", "id" FOR UPDATE OF "sync_scopes";
		DELETE FROM "sync_changes" USING "sync_pending" AS "ended"
			WHERE ("sync_changes"."scope_kind", "sync_changes"."scope_id") = ("ended"."scope_kind", "ended"."scope_id")
				AND "ended"."xid" = NEW."xid" AND "ended"."type" = 'scope';
		DELETE FROM "sync_scopes" USING "sync_pending" AS "ended"
			WHERE ("kind", "id") = ("ended"."scope_kind", "ended"."scope_id")
				AND "ended"."xid" = NEW."xid" AND "ended"."type" = 'scope';
	END IF;
	WITH "mine" AS (
		DELETE FROM "sync_pending" WHERE "xid" = NEW."xid" RETURNING *
	), "latest" AS (
		SELECT DISTINCT ON ("scope_kind", "scope_id", "type", "item") * FROM "mine"
			ORDER BY "scope_kind", "scope_id", "type", "item", "n" DESC
	), "stepped" AS (
		INSERT INTO "sync_scopes" AS "s" ("kind", "id", "seq", "xid")
			SELECT "scope_kind", "scope_id", count(*), NEW."xid" FROM "latest" GROUP BY "scope_kind", "scope_id"
			HAVING CASE "scope_kind"
				WHEN 'u' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				ELSE EXISTS (SELECT FROM "calendars" WHERE "calendars"."id" = "scope_id")
			END
			ORDER BY "scope_kind", "scope_id"
			ON CONFLICT ("kind", "id") DO UPDATE
				SET "seq" = "s"."seq" + excluded."seq", "xid" = excluded."xid", "is_new_to_push" = true
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
CREATE CONSTRAINT TRIGGER "sync_marks_flush" AFTER INSERT ON "sync_marks" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "sync_flush"();--> statement-breakpoint
-- The functions that note changes. "changed" are the rows as they are, of a deletion as they were, and "former" the rows before
-- an update. What goes with its parent (at a greater depth of triggers) is not noted where the parent's own end says it.
CREATE FUNCTION "public"."sync_mark"() RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_marks" VALUES (pg_current_xact_id()) ON CONFLICT DO NOTHING;
END
$$;--> statement-breakpoint
-- Things that a user owns; the trigger names their type.
CREATE FUNCTION "public"."sync_own"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", TG_ARGV[0], "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- What others see of these users: their connections, linked people, and requests that wait for an answer.
CREATE FUNCTION "public"."sync_profiles"("user_ids" integer[]) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'connection', "id", false FROM "connections" WHERE "other_user_id" = ANY ("user_ids")
		UNION ALL SELECT 'u', "user_id", 'person', "id", false FROM "people" WHERE "linked_user_id" = ANY ("user_ids")
		UNION ALL SELECT 'u', "receiver_id", 'connection_request', "id", false FROM "connection_requests"
			WHERE "sender_id" = ANY ("user_ids") AND "status" = 'pending'
		UNION ALL SELECT 'u', "sender_id", 'connection_request', "id", false FROM "connection_requests"
			WHERE "receiver_id" = ANY ("user_ids") AND "status" = 'pending';
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_settings"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'settings', "user_id", false FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_settings"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'settings', "user_id", false FROM "changed";
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	PERFORM "sync_mark"();
	PERFORM "sync_profiles"(array_agg("user_id")) FROM "changed" JOIN "former" USING ("user_id")
		WHERE (
			"changed"."preferred_name", "changed"."first_name", "changed"."last_name", "changed"."phone", "changed"."mobile",
			"changed"."address", "changed"."company", "changed"."job_title", "changed"."share_first_name",
			"changed"."share_last_name", "changed"."share_preferred_name", "changed"."share_email", "changed"."share_phone",
			"changed"."share_mobile", "changed"."share_birthday", "changed"."share_address", "changed"."share_company",
			"changed"."share_job_title"
		) IS DISTINCT FROM (
			"former"."preferred_name", "former"."first_name", "former"."last_name", "former"."phone", "former"."mobile",
			"former"."address", "former"."company", "former"."job_title", "former"."share_first_name",
			"former"."share_last_name", "former"."share_preferred_name", "former"."share_email", "former"."share_phone",
			"former"."share_mobile", "former"."share_birthday", "former"."share_address", "former"."share_company",
			"former"."share_job_title"
		)
		HAVING count(*) > 0;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The profile in "users" shows in the settings of the user, and their name wherever others meet them.
CREATE FUNCTION "public"."sync_changed_users"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"shown" integer[];
	"renamed" integer[];
BEGIN
	SELECT array_agg("id"), array_agg("id") FILTER (WHERE "changed"."network_name" <> "former"."network_name")
		INTO "shown", "renamed" FROM "changed" JOIN "former" USING ("id")
		WHERE ("changed"."network_name", "changed"."email", "changed"."date_of_birth", "changed"."is_active")
			IS DISTINCT FROM ("former"."network_name", "former"."email", "former"."date_of_birth", "former"."is_active");
	IF "shown" IS NULL THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "id", 'settings', "id", false FROM unnest("shown") AS "id";
	PERFORM "sync_mark"();
	PERFORM "sync_profiles"("shown");
	IF "renamed" IS NOT NULL THEN
		INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
			SELECT 'c', "id", 'calendar', "id", false FROM "calendars" WHERE "user_id" = ANY ("renamed")
			UNION ALL SELECT 'u', "calendar_members"."user_id", 'calendar_invite', "calendar_members"."id", false
				FROM "calendars" JOIN "calendar_members" ON "calendar_members"."calendar_id" = "calendars"."id"
				WHERE "calendars"."user_id" = ANY ("renamed") AND "calendar_members"."status" = 'pending'
			UNION ALL SELECT 'c', "events"."calendar_id", 'event', "events"."id", false
				FROM "event_invitations" JOIN "events" ON "events"."id" = "event_invitations"."event_id"
				WHERE "event_invitations"."user_id" = ANY ("renamed");
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_deleted_users"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "id", 'scope', "id", true FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A connection names the person who is linked with it.
CREATE FUNCTION "public"."sync_people"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'person', "id", TG_OP = 'DELETE' FROM "changed"
		UNION ALL SELECT 'u', "connections"."user_id", 'connection', "connections"."id", false
			FROM "changed" JOIN "connections" ON "connections"."user_id" = "changed"."user_id"
				AND "connections"."other_user_id" = "changed"."linked_user_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_people"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'person', "id", false FROM "changed"
		UNION ALL SELECT 'u', "connections"."user_id", 'connection', "connections"."id", false
			FROM (
				SELECT "changed"."user_id", unnest(ARRAY["former"."linked_user_id", "changed"."linked_user_id"]) AS "linked"
				FROM "changed" JOIN "former" USING ("id")
				WHERE "changed"."linked_user_id" IS DISTINCT FROM "former"."linked_user_id"
			) AS "links"
			JOIN "connections" ON "connections"."user_id" = "links"."user_id"
				AND "connections"."other_user_id" = "links"."linked";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A direction of a connection says what its user shows to the other one: it changes what both see. Settled requests name the other
-- user only as long as the two are connected.
CREATE FUNCTION "public"."sync_connections"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "connections"."user_id", 'connection', "connections"."id", false
			FROM "changed" JOIN "connections" ON "connections"."user_id" = "changed"."other_user_id"
				AND "connections"."other_user_id" = "changed"."user_id"
		UNION ALL SELECT 'u', "people"."user_id", 'person', "people"."id", false
			FROM "changed" JOIN "people" ON "people"."user_id" = "changed"."other_user_id"
				AND "people"."linked_user_id" = "changed"."user_id"
		UNION ALL SELECT 'u', "changed"."user_id", 'connection_request', "connection_requests"."id", false
			FROM "changed" JOIN "connection_requests"
				ON ("sender_id" = "changed"."user_id" AND "receiver_id" = "changed"."other_user_id")
					OR ("sender_id" = "changed"."other_user_id" AND "receiver_id" = "changed"."user_id")
			WHERE TG_OP <> 'UPDATE'
		UNION ALL SELECT 'u', "user_id", 'connection', "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_requests"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "sender_id", 'connection_request', "id", TG_OP = 'DELETE' FROM "changed"
		UNION ALL SELECT 'u', "receiver_id", 'connection_request', "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A calendar is in its own scope, from which members read it, and in that of its owner. Whoever is invited to it sees its name.
CREATE FUNCTION "public"."sync_calendars"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'calendar', "id", false FROM "changed"
		UNION ALL SELECT 'c', "id", 'calendar', "id", false FROM "changed"
		UNION ALL SELECT 'u', "calendar_members"."user_id", 'calendar_invite', "calendar_members"."id", false
			FROM "changed" JOIN "calendar_members" ON "calendar_members"."calendar_id" = "changed"."id"
			WHERE "calendar_members"."status" = 'pending';
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The scope of a deleted calendar stays, so that it goes on counting if the calendar is restored, but not without its owner.
CREATE FUNCTION "public"."sync_deleted_calendars"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'calendar', "id", true FROM "changed" WHERE pg_trigger_depth() = 1
		UNION ALL SELECT 'c', "id", 'scope', "id", true FROM "changed" WHERE pg_trigger_depth() > 1;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The owner sees since when the calendar has a secret address.
CREATE FUNCTION "public"."sync_feeds"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "calendars"."user_id", 'calendar', "calendars"."id", false
			FROM "changed" JOIN "calendars" ON "calendars"."id" = "changed"."calendar_id"
			WHERE pg_trigger_depth() = 1;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Of a calendar that was taken from a member, the events to which they are invited stay theirs.
CREATE FUNCTION "public"."sync_members"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'calendar_invite', "id", TG_OP = 'DELETE' FROM "changed"
		UNION ALL SELECT 'u', "user_id", 'calendar', "calendar_id", TG_OP = 'DELETE' FROM "changed"
		UNION ALL SELECT 'u', "calendars"."user_id", 'calendar', "calendars"."id", false
			FROM "changed" JOIN "calendars" ON "calendars"."id" = "changed"."calendar_id"
		UNION ALL SELECT 'u', "event_invitations"."user_id", 'event', "events"."id", false
			FROM "changed" JOIN "event_invitations" ON "event_invitations"."user_id" = "changed"."user_id"
				JOIN "events" ON "events"."id" = "event_invitations"."event_id"
					AND "events"."calendar_id" = "changed"."calendar_id"
			WHERE TG_OP = 'DELETE';
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_events"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "calendar_id", 'event', "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_events"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "calendar_id", 'event', "id", false FROM "changed"
		UNION ALL SELECT 'c', "former"."calendar_id", 'event', "id", true FROM "changed" JOIN "former" USING ("id")
			WHERE "changed"."calendar_id" <> "former"."calendar_id"
		UNION ALL SELECT 'u', "event_invitations"."user_id", 'event', "changed"."id", false
			FROM "changed" JOIN "event_invitations" ON "event_invitations"."event_id" = "changed"."id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- What belongs to an event, by "event_id": changed occurrences and extra starts.
CREATE FUNCTION "public"."sync_event_parts"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT DISTINCT 'c'::"char", "events"."calendar_id", 'event', "events"."id", false
			FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
			WHERE pg_trigger_depth() = 1
		UNION ALL SELECT DISTINCT 'u'::"char", "event_invitations"."user_id", 'event', "event_invitations"."event_id", false
			FROM "changed" JOIN "event_invitations" ON "event_invitations"."event_id" = "changed"."event_id"
			WHERE pg_trigger_depth() = 1;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- An invitation changes what its invitee sees of the event, and what the others see of its guests.
CREATE FUNCTION "public"."sync_invitations"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "events"."calendar_id", 'event', "events"."id", false
			FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
		UNION ALL SELECT 'u', "user_id", 'event', "event_id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_responses"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "events"."calendar_id", 'event', "events"."id", false
			FROM "changed" JOIN "event_invitations" ON "event_invitations"."id" = "changed"."invitation_id"
				JOIN "events" ON "events"."id" = "event_invitations"."event_id"
			WHERE pg_trigger_depth() = 1
		UNION ALL SELECT 'u', "event_invitations"."user_id", 'event', "event_invitations"."event_id", false
			FROM "changed" JOIN "event_invitations" ON "event_invitations"."id" = "changed"."invitation_id"
			WHERE pg_trigger_depth() = 1;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A project shows how many tasks it has.
CREATE FUNCTION "public"."sync_tasks"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "projects"."user_id", 'task', "changed"."id", TG_OP = 'DELETE'
			FROM "changed" JOIN "projects" ON "projects"."id" = "changed"."project_id"
		UNION ALL SELECT DISTINCT 'u'::"char", "projects"."user_id", 'project', "projects"."id", false
			FROM "changed" JOIN "projects" ON "projects"."id" = "changed"."project_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A task shows how many comments it has.
CREATE FUNCTION "public"."sync_comments"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "projects"."user_id", 'comment', "changed"."id", TG_OP = 'DELETE'
			FROM "changed" JOIN "project_tasks" ON "project_tasks"."id" = "changed"."task_id"
				JOIN "projects" ON "projects"."id" = "project_tasks"."project_id"
		UNION ALL SELECT DISTINCT 'u'::"char", "projects"."user_id", 'task', "project_tasks"."id", false
			FROM "changed" JOIN "project_tasks" ON "project_tasks"."id" = "changed"."task_id"
				JOIN "projects" ON "projects"."id" = "project_tasks"."project_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "todos_sync_insert" AFTER INSERT ON "todos" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('todo');--> statement-breakpoint
CREATE TRIGGER "todos_sync_update" AFTER UPDATE ON "todos" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('todo');--> statement-breakpoint
CREATE TRIGGER "todos_sync_delete" AFTER DELETE ON "todos" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('todo');--> statement-breakpoint
CREATE TRIGGER "reminders_sync_insert" AFTER INSERT ON "reminders" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('reminder');--> statement-breakpoint
CREATE TRIGGER "reminders_sync_update" AFTER UPDATE ON "reminders" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('reminder');--> statement-breakpoint
CREATE TRIGGER "reminders_sync_delete" AFTER DELETE ON "reminders" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('reminder');--> statement-breakpoint
CREATE TRIGGER "projects_sync_insert" AFTER INSERT ON "projects" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('project');--> statement-breakpoint
CREATE TRIGGER "projects_sync_update" AFTER UPDATE ON "projects" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('project');--> statement-breakpoint
CREATE TRIGGER "projects_sync_delete" AFTER DELETE ON "projects" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('project');--> statement-breakpoint
CREATE TRIGGER "event_templates_sync_insert" AFTER INSERT ON "event_templates" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('event_template');--> statement-breakpoint
CREATE TRIGGER "event_templates_sync_update" AFTER UPDATE ON "event_templates" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('event_template');--> statement-breakpoint
CREATE TRIGGER "event_templates_sync_delete" AFTER DELETE ON "event_templates" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('event_template');--> statement-breakpoint
CREATE TRIGGER "notifications_sync_insert" AFTER INSERT ON "notifications" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('notification');--> statement-breakpoint
CREATE TRIGGER "notifications_sync_update" AFTER UPDATE ON "notifications" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('notification');--> statement-breakpoint
CREATE TRIGGER "notifications_sync_delete" AFTER DELETE ON "notifications" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('notification');--> statement-breakpoint
CREATE TRIGGER "settings_sync_insert" AFTER INSERT ON "settings" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_settings"();--> statement-breakpoint
CREATE TRIGGER "settings_sync_update" AFTER UPDATE ON "settings" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_settings"();--> statement-breakpoint
CREATE TRIGGER "users_sync_update" AFTER UPDATE ON "users" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_users"();--> statement-breakpoint
CREATE TRIGGER "users_sync_delete" AFTER DELETE ON "users" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_deleted_users"();--> statement-breakpoint
CREATE TRIGGER "people_sync_insert" AFTER INSERT ON "people" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_people"();--> statement-breakpoint
CREATE TRIGGER "people_sync_update" AFTER UPDATE ON "people" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_people"();--> statement-breakpoint
CREATE TRIGGER "people_sync_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_people"();--> statement-breakpoint
CREATE TRIGGER "connections_sync_insert" AFTER INSERT ON "connections" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_connections"();--> statement-breakpoint
CREATE TRIGGER "connections_sync_update" AFTER UPDATE ON "connections" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_connections"();--> statement-breakpoint
CREATE TRIGGER "connections_sync_delete" AFTER DELETE ON "connections" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_connections"();--> statement-breakpoint
CREATE TRIGGER "connection_requests_sync_insert" AFTER INSERT ON "connection_requests" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_requests"();--> statement-breakpoint
CREATE TRIGGER "connection_requests_sync_update" AFTER UPDATE ON "connection_requests" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_requests"();--> statement-breakpoint
CREATE TRIGGER "connection_requests_sync_delete" AFTER DELETE ON "connection_requests" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_requests"();--> statement-breakpoint
CREATE TRIGGER "calendars_sync_insert" AFTER INSERT ON "calendars" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_calendars"();--> statement-breakpoint
CREATE TRIGGER "calendars_sync_update" AFTER UPDATE ON "calendars" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_calendars"();--> statement-breakpoint
CREATE TRIGGER "calendars_sync_delete" AFTER DELETE ON "calendars" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_deleted_calendars"();--> statement-breakpoint
CREATE TRIGGER "calendar_feeds_sync_insert" AFTER INSERT ON "calendar_feeds" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_feeds"();--> statement-breakpoint
CREATE TRIGGER "calendar_feeds_sync_delete" AFTER DELETE ON "calendar_feeds" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_feeds"();--> statement-breakpoint
CREATE TRIGGER "calendar_members_sync_insert" AFTER INSERT ON "calendar_members" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_members"();--> statement-breakpoint
CREATE TRIGGER "calendar_members_sync_update" AFTER UPDATE ON "calendar_members" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_members"();--> statement-breakpoint
CREATE TRIGGER "calendar_members_sync_delete" AFTER DELETE ON "calendar_members" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_members"();--> statement-breakpoint
CREATE TRIGGER "events_sync_insert" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_events"();--> statement-breakpoint
CREATE TRIGGER "events_sync_update" AFTER UPDATE ON "events" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_events"();--> statement-breakpoint
CREATE TRIGGER "events_sync_delete" AFTER DELETE ON "events" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_events"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_sync_insert" AFTER INSERT ON "event_occurrences" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_sync_update" AFTER UPDATE ON "event_occurrences" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_sync_delete" AFTER DELETE ON "event_occurrences" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_sync_insert" AFTER INSERT ON "event_extra_starts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_sync_update" AFTER UPDATE ON "event_extra_starts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_sync_delete" AFTER DELETE ON "event_extra_starts" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_invitations_sync_insert" AFTER INSERT ON "event_invitations" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_invitations"();--> statement-breakpoint
CREATE TRIGGER "event_invitations_sync_update" AFTER UPDATE ON "event_invitations" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_invitations"();--> statement-breakpoint
CREATE TRIGGER "event_invitations_sync_delete" AFTER DELETE ON "event_invitations" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_invitations"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_sync_insert" AFTER INSERT ON "occurrence_responses" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_responses"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_sync_update" AFTER UPDATE ON "occurrence_responses" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_responses"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_sync_delete" AFTER DELETE ON "occurrence_responses" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_responses"();--> statement-breakpoint
CREATE TRIGGER "project_tasks_sync_insert" AFTER INSERT ON "project_tasks" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_tasks"();--> statement-breakpoint
CREATE TRIGGER "project_tasks_sync_update" AFTER UPDATE ON "project_tasks" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_tasks"();--> statement-breakpoint
CREATE TRIGGER "project_tasks_sync_delete" AFTER DELETE ON "project_tasks" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_tasks"();--> statement-breakpoint
CREATE TRIGGER "task_comments_sync_insert" AFTER INSERT ON "task_comments" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_comments"();--> statement-breakpoint
CREATE TRIGGER "task_comments_sync_update" AFTER UPDATE ON "task_comments" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_comments"();--> statement-breakpoint
CREATE TRIGGER "task_comments_sync_delete" AFTER DELETE ON "task_comments" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_comments"();--> statement-breakpoint
-- Creating the triggers has locked these tables against writers until the migration ends. What is there already is noted once.
INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "gone", "seq")
	SELECT "kind", "scope", "type", "item", false, row_number() OVER (PARTITION BY "kind", "scope" ORDER BY "rank", "item")
	FROM (
		SELECT 'c'::"char", "id", 'calendar', "id", 1 FROM "calendars"
		UNION ALL SELECT 'c', "calendar_id", 'event', "id", 2 FROM "events"
		UNION ALL SELECT 'u', "user_id", 'settings', "user_id", 1 FROM "settings"
		UNION ALL SELECT 'u', "user_id", 'todo', "id", 2 FROM "todos"
		UNION ALL SELECT 'u', "user_id", 'reminder', "id", 3 FROM "reminders"
		UNION ALL SELECT 'u', "user_id", 'project', "id", 4 FROM "projects"
		UNION ALL SELECT 'u', "user_id", 'task', "project_tasks"."id", 5
			FROM "project_tasks" JOIN "projects" ON "projects"."id" = "project_tasks"."project_id"
		UNION ALL SELECT 'u', "user_id", 'comment', "task_comments"."id", 6
			FROM "task_comments" JOIN "project_tasks" ON "project_tasks"."id" = "task_comments"."task_id"
				JOIN "projects" ON "projects"."id" = "project_tasks"."project_id"
		UNION ALL SELECT 'u', "user_id", 'person', "id", 7 FROM "people"
		UNION ALL SELECT 'u', "user_id", 'connection', "id", 8 FROM "connections"
		UNION ALL SELECT 'u', "sender_id", 'connection_request', "id", 9 FROM "connection_requests"
		UNION ALL SELECT 'u', "receiver_id", 'connection_request', "id", 9 FROM "connection_requests"
		UNION ALL SELECT 'u', "user_id", 'calendar_invite', "id", 10 FROM "calendar_members" WHERE "status" = 'pending'
		UNION ALL SELECT 'u', "user_id", 'event', "event_id", 11 FROM "event_invitations"
		UNION ALL SELECT 'u', "user_id", 'event_template', "id", 12 FROM "event_templates"
		UNION ALL SELECT 'u', "user_id", 'notification', "id", 13 FROM "notifications"
	) AS "items" ("kind", "scope", "type", "item", "rank");--> statement-breakpoint
INSERT INTO "sync_scopes" ("kind", "id", "seq")
	SELECT "scope_kind", "scope_id", max("seq") FROM "sync_changes" GROUP BY "scope_kind", "scope_id";--> statement-breakpoint
-- The journal takes the place of what push kept for itself.
DROP TRIGGER "settings_push_insert" ON "settings";--> statement-breakpoint
DROP TRIGGER "settings_push_update" ON "settings";--> statement-breakpoint
DROP TRIGGER "reminders_push_insert" ON "reminders";--> statement-breakpoint
DROP TRIGGER "reminders_push_update" ON "reminders";--> statement-breakpoint
DROP TRIGGER "todos_push_insert" ON "todos";--> statement-breakpoint
DROP TRIGGER "todos_push_update" ON "todos";--> statement-breakpoint
DROP TRIGGER "projects_push_insert" ON "projects";--> statement-breakpoint
DROP TRIGGER "projects_push_update" ON "projects";--> statement-breakpoint
DROP TRIGGER "people_push_insert" ON "people";--> statement-breakpoint
DROP TRIGGER "people_push_update" ON "people";--> statement-breakpoint
DROP TRIGGER "notifications_push_insert" ON "notifications";--> statement-breakpoint
DROP TRIGGER "calendar_members_push_insert" ON "calendar_members";--> statement-breakpoint
DROP TRIGGER "calendar_members_push_update" ON "calendar_members";--> statement-breakpoint
DROP TRIGGER "calendar_members_push_delete" ON "calendar_members";--> statement-breakpoint
DROP TRIGGER "event_invitations_push_insert" ON "event_invitations";--> statement-breakpoint
DROP TRIGGER "event_invitations_push_update" ON "event_invitations";--> statement-breakpoint
DROP TRIGGER "event_invitations_push_delete" ON "event_invitations";--> statement-breakpoint
DROP TRIGGER "project_tasks_push_insert" ON "project_tasks";--> statement-breakpoint
DROP TRIGGER "project_tasks_push_update" ON "project_tasks";--> statement-breakpoint
DROP TRIGGER "calendars_push_insert" ON "calendars";--> statement-breakpoint
DROP TRIGGER "calendars_push_update" ON "calendars";--> statement-breakpoint
DROP TRIGGER "events_push_insert" ON "events";--> statement-breakpoint
DROP TRIGGER "events_push_update" ON "events";--> statement-breakpoint
DROP TRIGGER "event_occurrences_push_insert" ON "event_occurrences";--> statement-breakpoint
DROP TRIGGER "event_occurrences_push_update" ON "event_occurrences";--> statement-breakpoint
DROP TRIGGER "event_occurrences_push_delete" ON "event_occurrences";--> statement-breakpoint
DROP TRIGGER "occurrence_responses_push_insert" ON "occurrence_responses";--> statement-breakpoint
DROP TRIGGER "occurrence_responses_push_update" ON "occurrence_responses";--> statement-breakpoint
DROP TRIGGER "occurrence_responses_push_delete" ON "occurrence_responses";--> statement-breakpoint
DROP TRIGGER "users_push_update" ON "users";--> statement-breakpoint
DROP TRIGGER "event_extra_starts_push_insert" ON "event_extra_starts";--> statement-breakpoint
DROP TABLE "push_changes";--> statement-breakpoint
DROP FUNCTION "push_changed_users"();--> statement-breakpoint
DROP FUNCTION "push_reactivated_users"();--> statement-breakpoint
DROP FUNCTION "push_changed_tasks"();--> statement-breakpoint
DROP FUNCTION "push_changed_calendars"();--> statement-breakpoint
DROP FUNCTION "push_changed_events"();--> statement-breakpoint
DROP FUNCTION "push_changed_occurrences"();--> statement-breakpoint
DROP FUNCTION "push_changed_responses"();--> statement-breakpoint
DROP FUNCTION "push_changes_listened"();
