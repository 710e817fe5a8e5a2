-- For how many days the audit log is kept. This is a function because only its owner can replace it: rights on tables do
-- not reach it. The service replaces it at its start with AUDIT_RETENTION_DAYS; until then the longest retention holds.
CREATE FUNCTION "public"."audit_retention_days"() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
RETURN 36500;--> statement-breakpoint
-- The trigger judges each entry by its age, so that no statement, setting or search path removes a younger one.
-- In hours, because the length of a day depends on the session's time zone.
CREATE OR REPLACE FUNCTION "public"."refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND NEW."actor_id" IS NULL AND OLD."actor_id" IS NOT NULL
		AND to_jsonb(NEW) - 'actor_id' = to_jsonb(OLD) - 'actor_id'
		AND NOT EXISTS (SELECT 1 FROM "public"."users" WHERE "id" = OLD."actor_id") THEN
		RETURN NEW;
	END IF;
	IF TG_OP = 'DELETE'
		AND OLD."created_at" < now() - make_interval(hours => 24 * "public"."audit_retention_days"()) THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
END
$$;--> statement-breakpoint
-- The purge runs with the rights of the owner: the role of the service needs none to delete from the audit log.
CREATE FUNCTION "public"."purge_audit_log"("before" timestamptz, "most" integer) RETURNS integer
LANGUAGE sql STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	WITH "gone" AS (
		DELETE FROM "public"."audit_log" WHERE "id" IN (
			SELECT "id" FROM "public"."audit_log"
			WHERE "created_at" < least(
				"before", now() - make_interval(hours => 24 * "public"."audit_retention_days"())
			)
			ORDER BY "created_at", "id" LIMIT "most"
		) RETURNING 1
	)
	SELECT count(*)::integer FROM "gone"
$$;
