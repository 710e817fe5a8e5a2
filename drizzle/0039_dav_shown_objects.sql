CREATE TABLE "invitation_parts" (
	"invitation_id" integer PRIMARY KEY NOT NULL,
	"parts" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dav_collections" DROP CONSTRAINT "dav_collections_kind_check";--> statement-breakpoint
ALTER TABLE "dav_gone" DROP CONSTRAINT "dav_gone_kind_check";--> statement-breakpoint
ALTER TABLE "invitation_parts" ADD CONSTRAINT "invitation_parts_invitation_id_event_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."event_invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dav_collections" ADD CONSTRAINT "dav_collections_kind_check" CHECK ("dav_collections"."kind" in ('calendar', 'list', 'reminders', 'book', 'birthdays'));--> statement-breakpoint
ALTER TABLE "dav_gone" ADD CONSTRAINT "dav_gone_kind_check" CHECK ("dav_gone"."kind" in ('calendar', 'list', 'reminders', 'book', 'birthdays'));--> statement-breakpoint
-- Birthdays are objects of /dav that follow from people: the journal notes them in the scope of their user, under the id of the person.
CREATE FUNCTION "public"."sync_birthdays"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "user_id", 'birthday', "id", TG_OP = 'DELETE' FROM "changed" WHERE "birthday" IS NOT NULL;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_birthdays"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'u', "changed"."user_id", 'birthday', "id", "changed"."birthday" IS NULL FROM "changed" JOIN "former" USING ("id")
			WHERE num_nonnulls("changed"."birthday", "former"."birthday") > 0
				AND ("changed"."first_name", "changed"."last_name", "changed"."nickname", "changed"."birthday")
					IS DISTINCT FROM ("former"."first_name", "former"."last_name", "former"."nickname", "former"."birthday");
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "people_sync_birthday_insert" AFTER INSERT ON "people" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_birthdays"();--> statement-breakpoint
CREATE TRIGGER "people_sync_birthday_update" AFTER UPDATE ON "people" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_birthdays"();--> statement-breakpoint
CREATE TRIGGER "people_sync_birthday_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_birthdays"();--> statement-breakpoint
-- Invitations are objects of /dav in the calendar that shows them: the journal notes them in its scope, whenever anything changes that
-- the invitee sees of the event.
CREATE FUNCTION "public"."sync_shown"("invitation_ids" integer[]) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "display_calendar_id", 'invitation', "id", false FROM "event_invitations"
			WHERE "id" = ANY ("invitation_ids") AND "display_calendar_id" IS NOT NULL;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_shown_invitations"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "display_calendar_id", 'invitation', "id", TG_OP = 'DELETE' FROM "changed" WHERE "display_calendar_id" IS NOT NULL;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_shown_invitations"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "former"."display_calendar_id", 'invitation', "id", true FROM "changed" JOIN "former" USING ("id")
			WHERE "former"."display_calendar_id" IS DISTINCT FROM "changed"."display_calendar_id" AND "former"."display_calendar_id" IS NOT NULL;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	PERFORM "sync_shown"(array_agg("id")) FROM "changed" HAVING count(*) > 0;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_shown_events"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "sync_shown"(array_agg("event_invitations"."id"))
		FROM "changed" JOIN "event_invitations" ON "event_invitations"."event_id" = "changed"."id" HAVING count(*) > 0;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_shown_event_parts"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "sync_shown"(array_agg(DISTINCT "event_invitations"."id"))
		FROM "changed" JOIN "event_invitations" ON "event_invitations"."event_id" = "changed"."event_id"
		WHERE pg_trigger_depth() = 1 HAVING count(*) > 0;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- What belongs to an invitation, by "invitation_id": answers to occurrences, and what the invitee's programs keep.
CREATE FUNCTION "public"."sync_shown_invitation_parts"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	PERFORM "sync_shown"(array_agg(DISTINCT "invitation_id")) FROM "changed" WHERE pg_trigger_depth() = 1 HAVING count(*) > 0;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The names of the invitee and of the organiser.
CREATE FUNCTION "public"."sync_shown_users"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"renamed" integer[];
BEGIN
	SELECT array_agg("id") INTO "renamed" FROM "changed" JOIN "former" USING ("id")
		WHERE "changed"."network_name" <> "former"."network_name";
	IF "renamed" IS NOT NULL THEN
		PERFORM "sync_shown"(array_agg("shown"."id")) FROM (
			SELECT "id" FROM "event_invitations" WHERE "user_id" = ANY ("renamed")
			UNION SELECT "event_invitations"."id" FROM "calendars" JOIN "events" ON "events"."calendar_id" = "calendars"."id"
				JOIN "event_invitations" ON "event_invitations"."event_id" = "events"."id" WHERE "calendars"."user_id" = ANY ("renamed")
		) AS "shown" HAVING count(*) > 0;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "event_invitations_sync_shown_insert" AFTER INSERT ON "event_invitations" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitations"();--> statement-breakpoint
CREATE TRIGGER "event_invitations_sync_shown_delete" AFTER DELETE ON "event_invitations" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitations"();--> statement-breakpoint
CREATE TRIGGER "event_invitations_sync_shown_update" AFTER UPDATE ON "event_invitations" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_shown_invitations"();--> statement-breakpoint
CREATE TRIGGER "events_sync_shown_update" AFTER UPDATE ON "events" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_events"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_sync_shown_insert" AFTER INSERT ON "event_occurrences" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_sync_shown_update" AFTER UPDATE ON "event_occurrences" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_occurrences_sync_shown_delete" AFTER DELETE ON "event_occurrences" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_sync_shown_insert" AFTER INSERT ON "event_extra_starts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_sync_shown_update" AFTER UPDATE ON "event_extra_starts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_event_parts"();--> statement-breakpoint
CREATE TRIGGER "event_extra_starts_sync_shown_delete" AFTER DELETE ON "event_extra_starts" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_event_parts"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_sync_shown_insert" AFTER INSERT ON "occurrence_responses" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitation_parts"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_sync_shown_update" AFTER UPDATE ON "occurrence_responses" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitation_parts"();--> statement-breakpoint
CREATE TRIGGER "occurrence_responses_sync_shown_delete" AFTER DELETE ON "occurrence_responses" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitation_parts"();--> statement-breakpoint
CREATE TRIGGER "invitation_parts_sync_shown_insert" AFTER INSERT ON "invitation_parts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitation_parts"();--> statement-breakpoint
CREATE TRIGGER "invitation_parts_sync_shown_update" AFTER UPDATE ON "invitation_parts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitation_parts"();--> statement-breakpoint
CREATE TRIGGER "invitation_parts_sync_shown_delete" AFTER DELETE ON "invitation_parts" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_invitation_parts"();--> statement-breakpoint
CREATE TRIGGER "users_sync_shown_update" AFTER UPDATE ON "users" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_shown_users"();--> statement-breakpoint
-- What is there already is noted once.
INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
	SELECT 'u', "user_id", 'birthday', "id", false FROM "people" WHERE "birthday" IS NOT NULL
	UNION ALL SELECT 'c', "display_calendar_id", 'invitation', "id", false FROM "event_invitations" WHERE "display_calendar_id" IS NOT NULL;--> statement-breakpoint
SELECT "sync_mark"();--> statement-breakpoint
-- The journal is written now, so that a later migration of this transaction may change its tables.
SET CONSTRAINTS "sync_marks_flush" IMMEDIATE;--> statement-breakpoint
SET CONSTRAINTS "sync_marks_flush" DEFERRED;
