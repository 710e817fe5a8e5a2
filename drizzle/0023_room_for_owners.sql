-- How many records of a kind a user may have before others may add none to the user's calendars.
CREATE FUNCTION "public"."quota_for_others"("record_kind" text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN "record_kind" IN ('events', 'occurrences') THEN 200000 ELSE "public"."quota"("record_kind") END;--> statement-breakpoint
-- Compared with 0022_quotas: a transaction that names another user as its writer must leave room for the owner.
CREATE OR REPLACE FUNCTION "public"."tally"("list_kind" text, "list_owner" integer, "change" bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"total" integer;
	"writer" integer := nullif(current_setting('organiser.writer', true), '');
	"most" integer := CASE WHEN "writer" <> "list_owner" THEN "quota_for_others"("list_kind") ELSE "quota"("list_kind") END;
BEGIN
	IF "change" > 0 THEN
		INSERT INTO "tallies" ("kind", "owner_id", "count") VALUES ("list_kind", "list_owner", "change")
			ON CONFLICT ON CONSTRAINT "tallies_pkey" DO UPDATE SET "count" = "tallies"."count" + "change"
			RETURNING "count" INTO "total";
		IF "total" > "most" THEN
			RAISE EXCEPTION 'the user has too many %', "list_kind"
				USING ERRCODE = 'check_violation', TABLE = 'tallies', CONSTRAINT = "list_kind" || '_quota',
					DETAIL = "list_owner"::text;
		END IF;
	ELSE
		DELETE FROM "tallies" WHERE "kind" = "list_kind" AND "owner_id" = "list_owner" AND "count" <= -"change";
		UPDATE "tallies" SET "count" = "count" + "change" WHERE "kind" = "list_kind" AND "owner_id" = "list_owner";
	END IF;
END
$$;
