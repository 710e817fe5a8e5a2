-- Compared with 0035_dav: what invitations are called, and private events for members, is the name of no other object.
CREATE OR REPLACE FUNCTION "public"."dav_name"("chosen" text, "uid" text, "id" integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce("chosen", CASE WHEN "uid" ~ '^(?!(inv|private)-[0-9]+$)[A-Za-z0-9][A-Za-z0-9@._+-]{0,199}$' THEN "uid" ELSE "id"::text END || '.ics');--> statement-breakpoint
-- Members who are invited to an event of the calendar see it as an invitation alone from now on, and hear of that once.
INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
	SELECT DISTINCT 'c'::"char", "events"."calendar_id", 'event', "events"."id", false FROM "event_invitations"
		JOIN "events" ON "events"."id" = "event_invitations"."event_id"
		JOIN "calendar_members" ON "calendar_members"."calendar_id" = "events"."calendar_id"
			AND "calendar_members"."user_id" = "event_invitations"."user_id"
		WHERE "display_calendar_id" IS NOT NULL;--> statement-breakpoint
SELECT "sync_mark"();--> statement-breakpoint
-- The journal is written now, so that a later migration of this transaction may change its tables.
SET CONSTRAINTS "sync_marks_flush" IMMEDIATE;--> statement-breakpoint
SET CONSTRAINTS "sync_marks_flush" DEFERRED;
