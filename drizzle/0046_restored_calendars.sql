-- What went with a calendar may come back without it, as with a list of todos, and is noted nowhere: whoever follows a restored one begins again.
CREATE FUNCTION "public"."sync_restored_calendars"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	UPDATE "sync_scopes" SET "seq" = "seq" + 1, "floor" = "seq" + 1
		WHERE "kind" = 'c' AND "id" IN (SELECT "id" FROM "changed");
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "calendars_sync_restore" AFTER INSERT ON "calendars" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_restored_calendars"();
