-- As in 0025_journal: the short path of 0029_cheaper_history gained nothing that requests showed.
CREATE OR REPLACE FUNCTION "public"."sync_flush"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
	WITH "mine" AS (
		DELETE FROM "sync_pending" WHERE "xid" = NEW."xid" RETURNING *
	), "latest" AS (
		SELECT DISTINCT ON ("scope_kind", "scope_id", "type", "item") * FROM "mine"
			ORDER BY "scope_kind", "scope_id", "type", "item", "n" DESC
	), "stepped" AS (
		INSERT INTO "sync_scopes" AS "s" ("kind", "id", "seq", "xid")
			SELECT "scope_kind", "scope_id", count(*), NEW."xid" FROM "latest" GROUP BY "scope_kind", "scope_id"
			HAVING bool_or("type" = 'scope') OR CASE "scope_kind"
				WHEN 'u' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				ELSE EXISTS (SELECT FROM "calendars" WHERE "calendars"."id" = "scope_id")
			END
			ORDER BY "scope_kind", "scope_id"
			ON CONFLICT ("kind", "id") DO UPDATE
				SET "seq" = "s"."seq" + excluded."seq", "xid" = excluded."xid", "is_new_to_push" = true
			RETURNING "kind", "id", "seq"
	)
	INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "gone", "seq")
		SELECT "latest"."scope_kind", "latest"."scope_id", "latest"."type", "latest"."item", "latest"."gone",
			"stepped"."seq" + 1 - row_number() OVER (
				PARTITION BY "latest"."scope_kind", "latest"."scope_id" ORDER BY "latest"."n" DESC
			)
		FROM "latest" JOIN "stepped" ON ("stepped"."kind", "stepped"."id") = ("latest"."scope_kind", "latest"."scope_id")
		ON CONFLICT ("scope_kind", "scope_id", "type", "item") DO UPDATE
			SET "seq" = excluded."seq", "gone" = excluded."gone", "at" = now();
	DELETE FROM "sync_marks" WHERE "xid" = NEW."xid";
	RETURN NULL;
END
$$;
