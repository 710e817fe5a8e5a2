ALTER TABLE "event_templates" ADD COLUMN "visibility" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "visibility" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "event_templates" ADD CONSTRAINT "event_templates_visibility_check" CHECK ("event_templates"."visibility" in ('public', 'private'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_visibility_check" CHECK ("events"."visibility" in ('public', 'private'));--> statement-breakpoint
-- Files said of some events that they are not public (RFC 5545, section 3.8.1.3), which only their exports repeated until now.
CREATE FUNCTION "public"."says_private"("kept" jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce("kept"::text ~* '"CLASS[;:]', false) AND EXISTS (
	SELECT FROM jsonb_array_elements_text("kept") AS "lines" ("line")
	WHERE "line" ~* '^CLASS(;[^:]*)?:' AND "line" !~* '^CLASS(;[^:]*)?:\s*PUBLIC\s*$'
);--> statement-breakpoint
SELECT set_config('organiser.history', 'off', true);--> statement-breakpoint
UPDATE "events" SET "visibility" = 'private', "version" = "version" + 1
	WHERE EXISTS (SELECT FROM "event_sources" WHERE "event_id" = "events"."id" AND "says_private"("kept"))
		OR EXISTS (SELECT FROM "event_occurrences" WHERE "event_id" = "events"."id" AND "says_private"("kept"));--> statement-breakpoint
SELECT set_config('organiser.history', '', true);--> statement-breakpoint
-- The journal notes it here: a later migration of this transaction could not alter a table whose triggers wait.
SET CONSTRAINTS ALL IMMEDIATE;--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;--> statement-breakpoint
-- Rows that come back from the history need a value.
UPDATE "history" SET "before" = "before" || jsonb_build_object('visibility', CASE
		WHEN EXISTS (SELECT FROM "events" WHERE "events"."id" = "history"."row_key"::integer AND "visibility" = 'private')
			OR EXISTS (
				SELECT FROM "history" AS "source" WHERE "source"."tab" = 'event_sources' AND "source"."row_key" = "history"."row_key"
					AND "says_private"("source"."before" -> 'kept')
			) THEN 'private'
		ELSE 'public'
	END) WHERE "tab" = 'events' AND "before" IS NOT NULL;--> statement-breakpoint
UPDATE "history" SET "before" = "before" || '{"visibility": "public"}' WHERE "tab" = 'event_templates' AND "before" IS NOT NULL;--> statement-breakpoint
DROP FUNCTION "says_private"(jsonb);
