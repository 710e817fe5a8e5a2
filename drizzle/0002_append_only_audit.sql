-- The audit log is append-only for everybody, the service included, with two exceptions: the actor becomes null where
-- their account is deleted, and entries end that the retention purge names by the day before which they were written,
-- none of the last day, whatever it names: the shortest retention is one.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND NEW."actor_id" IS NULL AND OLD."actor_id" IS NOT NULL
		AND to_jsonb(NEW) - 'actor_id' = to_jsonb(OLD) - 'actor_id'
		AND NOT EXISTS (SELECT 1 FROM "users" WHERE "id" = OLD."actor_id") THEN
		RETURN NEW;
	END IF;
	IF TG_OP = 'DELETE'
		AND OLD."created_at" < nullif(current_setting('organiser.audit_purge_before', true), '')::timestamptz
		AND OLD."created_at" < now() - interval '1 day' THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log"
	FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();--> statement-breakpoint
CREATE TRIGGER "audit_log_no_truncate" BEFORE TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
