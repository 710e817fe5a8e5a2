-- What other programs wrote, as they wrote it (contract: events.text). It changes only together with its event, of which the journal notes it.
CREATE TABLE "event_texts" (
	"event_id" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"zone" text NOT NULL,
	"exact_version" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "event_occurrences" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "event_occurrences" ADD COLUMN "text_start" timestamp(3);--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "is_cancelled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "event_texts" ADD CONSTRAINT "event_texts_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Images of events from before have no such column, and it may not be null.
UPDATE "history" SET "before" = "before" || '{"is_cancelled": false}'::jsonb WHERE "tab" = 'events' AND "before" IS NOT NULL;--> statement-breakpoint
-- Texts may be large, so that their images are made only where they are kept, and their owners are found together.
CREATE FUNCTION "public"."event_texts_history_of_new"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
		SELECT "history_operation"(), "history_at"(), 'event_texts', "changed"."event_id"::text,
			CASE WHEN pg_trigger_depth() = 1 THEN "calendars"."user_id" END
		FROM "sync_state", "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
			JOIN "calendars" ON "calendars"."id" = "events"."calendar_id"
		WHERE "keeps_history" AND "history_is_wanted"();
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."event_texts_history_of_former"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
BEGIN
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id")
		SELECT "history_operation"(), "history_at"(), 'event_texts', "former"."event_id"::text, to_jsonb("former"),
			CASE WHEN pg_trigger_depth() = 1 THEN "calendars"."user_id" END
		FROM "sync_state", "former" LEFT JOIN "events" ON "events"."id" = "former"."event_id"
			LEFT JOIN "calendars" ON "calendars"."id" = "events"."calendar_id"
		WHERE "keeps_history" AND "history_is_wanted"();
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "event_texts_history_insert" AFTER INSERT ON "event_texts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "event_texts_history_of_new"();--> statement-breakpoint
CREATE TRIGGER "event_texts_history_update" AFTER UPDATE ON "event_texts" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "event_texts_history_of_former"();--> statement-breakpoint
CREATE TRIGGER "event_texts_history_delete" AFTER DELETE ON "event_texts" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "event_texts_history_of_former"();
