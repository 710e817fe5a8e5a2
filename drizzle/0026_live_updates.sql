-- A session or access token that ends, or is locked, wakes the live updates of its user, which look at it then: as a note of
-- type 'credential', which no client is told. Row by row, since sessions are written often and end seldom.
CREATE FUNCTION "public"."sync_credential"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		VALUES ('u', OLD."user_id", 'credential', OLD."user_id", false);
	PERFORM "sync_mark"();
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "sessions_sync_update" AFTER UPDATE ON "sessions" FOR EACH ROW
	WHEN ((OLD."id", OLD."revoked", OLD."is_locked") IS DISTINCT FROM (NEW."id", NEW."revoked", NEW."is_locked"))
	EXECUTE FUNCTION "sync_credential"();--> statement-breakpoint
CREATE TRIGGER "access_tokens_sync_delete" AFTER DELETE ON "access_tokens" FOR EACH ROW
	EXECUTE FUNCTION "sync_credential"();
