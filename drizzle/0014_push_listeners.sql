-- Whoever has not switched push on costs nothing: changes are noted for listeners alone, so that they do not heap up for
-- others where no jobs run. Switching it on is noted itself. A change that began just before and ends just after that is
-- not: for its sake Push looks once more, minutes later, at whoever has changed their settings.
CREATE FUNCTION "push_changes_listened"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM "settings" WHERE "user_id" = NEW."user_id" AND "ntfy_enabled") THEN
		RETURN NEW;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "push_changes_listened" BEFORE INSERT ON "push_changes"
	FOR EACH ROW EXECUTE FUNCTION "push_changes_listened"();--> statement-breakpoint
DELETE FROM "push_changes" WHERE "user_id" NOT IN (SELECT "user_id" FROM "settings" WHERE "ntfy_enabled");
