-- Extra starts of series stand in a table of their own, so that what looks at a few days reads those of these days alone.
CREATE TABLE "event_extra_starts" (
	"event_id" integer NOT NULL,
	"start" timestamp (3) NOT NULL,
	CONSTRAINT "event_extra_starts_pkey" PRIMARY KEY("event_id","start")
);
--> statement-breakpoint
ALTER TABLE "event_extra_starts" ADD CONSTRAINT "event_extra_starts_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "event_extra_starts" ("event_id", "start")
	SELECT "id", "extra"::timestamp(3) FROM "events", jsonb_array_elements_text("extra_starts") AS "extra"
	ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "events" DROP COLUMN "extra_starts";--> statement-breakpoint
-- A start that is added may come due for somebody.
CREATE TRIGGER "event_extra_starts_push_insert" AFTER INSERT ON "event_extra_starts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "push_changed_occurrences"();
