-- What went with a calendar may come back without it, as with a list of todos, and is noted nowhere: whoever follows a restored one begins again.
CREATE FUNCTION "public"."sync_restored_calendars"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"here" integer := "sync_timeline"();
BEGIN
	WITH "stepped" AS (
		UPDATE "sync_scopes" SET "seq" = "seq" + 1, "floor" = "seq" + 1, "timeline" = "here",
			"before_switch" = CASE WHEN "timeline" <> "here" THEN "seq" END
			WHERE "kind" = 'c' AND "id" IN (SELECT "id" FROM "changed")
			RETURNING "kind", "id", "before_switch"
	)
	INSERT INTO "sync_switches" ("kind", "id", "timeline", "seq")
		SELECT "kind", "id", "here", "before_switch" FROM "stepped" WHERE "before_switch" IS NOT NULL
		ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "calendars_sync_restore" AFTER INSERT ON "calendars" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_restored_calendars"();
