-- Push plans for each user when to look at their things again. Whatever changes what may come due for somebody says so in
-- push_changes, in the same transaction: as triggers, so that no way of writing (a cascade, an import, a feature of
-- tomorrow) can forget to, since a forgotten one is a lost reminder. What only takes something away says nothing: each
-- message is judged again before it is sent. "changed" are the rows as they are, of a deletion as they were.
CREATE FUNCTION "push_changed_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id") SELECT DISTINCT "user_id" FROM "changed";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "push_reactivated_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id")
		SELECT "id" FROM "changed" JOIN "former" USING ("id") WHERE "changed"."is_active" AND NOT "former"."is_active";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "push_changed_tasks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id")
		SELECT DISTINCT "projects"."user_id" FROM "changed" JOIN "projects" ON "projects"."id" = "changed"."project_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "push_changed_calendars"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id")
		SELECT "user_id" FROM "changed"
		UNION SELECT "calendar_members"."user_id" FROM "changed"
			JOIN "calendar_members" ON "calendar_members"."calendar_id" = "changed"."id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "push_changed_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id")
		SELECT "calendars"."user_id" FROM "changed" JOIN "calendars" ON "calendars"."id" = "changed"."calendar_id"
		UNION SELECT "calendar_members"."user_id" FROM "changed" JOIN "calendar_members" USING ("calendar_id")
		UNION SELECT "event_invitations"."user_id" FROM "changed"
			JOIN "event_invitations" ON "event_invitations"."event_id" = "changed"."id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "push_changed_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id")
		SELECT "calendars"."user_id" FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
			JOIN "calendars" ON "calendars"."id" = "events"."calendar_id"
		UNION SELECT "calendar_members"."user_id" FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
			JOIN "calendar_members" USING ("calendar_id")
		UNION SELECT "event_invitations"."user_id" FROM "changed" JOIN "event_invitations" USING ("event_id");
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "push_changed_responses"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "push_changes" ("user_id")
		SELECT DISTINCT "event_invitations"."user_id" FROM "changed"
			JOIN "event_invitations" ON "event_invitations"."id" = "changed"."invitation_id";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- For each table the statements that can bring something about for somebody.
DO $$
DECLARE
	watched record;
BEGIN
	FOR watched IN
		SELECT "name", "reader", lower("event") AS "event", CASE "event" WHEN 'DELETE' THEN 'OLD' ELSE 'NEW' END AS "rows"
		FROM (VALUES
			('settings', 'push_changed_users', ARRAY['INSERT', 'UPDATE']),
			('reminders', 'push_changed_users', ARRAY['INSERT', 'UPDATE']),
			('todos', 'push_changed_users', ARRAY['INSERT', 'UPDATE']),
			('projects', 'push_changed_users', ARRAY['INSERT', 'UPDATE']),
			('people', 'push_changed_users', ARRAY['INSERT', 'UPDATE']),
			('notifications', 'push_changed_users', ARRAY['INSERT']),
			('calendar_members', 'push_changed_users', ARRAY['INSERT', 'UPDATE', 'DELETE']),
			('event_invitations', 'push_changed_users', ARRAY['INSERT', 'UPDATE', 'DELETE']),
			('project_tasks', 'push_changed_tasks', ARRAY['INSERT', 'UPDATE']),
			('calendars', 'push_changed_calendars', ARRAY['INSERT', 'UPDATE']),
			('events', 'push_changed_events', ARRAY['INSERT', 'UPDATE']),
			('event_occurrences', 'push_changed_occurrences', ARRAY['INSERT', 'UPDATE', 'DELETE']),
			('occurrence_responses', 'push_changed_responses', ARRAY['INSERT', 'UPDATE', 'DELETE'])
		) AS "tables" ("name", "reader", "events"), unnest("events") AS "event"
	LOOP
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION %I()',
			watched."name" || '_push_' || watched."event", watched."event", watched."name", watched."rows", watched."reader"
		);
	END LOOP;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_push_update" AFTER UPDATE ON "users" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "push_reactivated_users"();--> statement-breakpoint
INSERT INTO "push_changes" ("user_id") SELECT "id" FROM "users";
