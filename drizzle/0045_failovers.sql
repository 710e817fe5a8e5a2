-- Which timeline of the database server each scope of the journal was stepped on last, and where it stood when a timeline began for it
-- (contract: changes.timelines). The first eight digits of the name of a WAL file are the timeline; only a primary can tell it.
CREATE FUNCTION "public"."sync_timeline"() RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN ('x' OPERATOR(pg_catalog.||) pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8))::bit(32)::integer;
END
$$;--> statement-breakpoint
CREATE TABLE "sync_switches" (
	"kind" "char" NOT NULL,
	"id" integer NOT NULL,
	"timeline" integer NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sync_switches_pkey" PRIMARY KEY("kind","id","timeline")
);
--> statement-breakpoint
ALTER TABLE "sync_scopes" ADD COLUMN "timeline" integer DEFAULT public.sync_timeline() NOT NULL;--> statement-breakpoint
ALTER TABLE "sync_scopes" ADD COLUMN "before_switch" bigint;--> statement-breakpoint
CREATE INDEX "sync_switches_at_idx" ON "sync_switches" ("at");--> statement-breakpoint
-- PostgreSQL 15 cannot read the sequence of an unlogged table on a server that was promoted ("bad magic number in sequence").
ALTER SEQUENCE "public"."sync_pending_n_seq" SET LOGGED;--> statement-breakpoint
-- Compared with 0041_object_scopes: the first step on a timeline notes where the scope stood. A scope that is new on a later timeline may
-- have been another one on an earlier timeline, and stood at nothing.
CREATE OR REPLACE FUNCTION "public"."sync_flush"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"here" integer := "sync_timeline"();
BEGIN
	WITH "mine" AS (
		DELETE FROM "sync_pending" WHERE "xid" = NEW."xid" RETURNING *
	), "latest" AS (
		SELECT DISTINCT ON ("scope_kind", "scope_id", "type", "item") * FROM "mine"
			ORDER BY "scope_kind", "scope_id", "type", "item", "n" DESC
	), "stepped" AS (
		INSERT INTO "sync_scopes" AS "s" ("kind", "id", "seq", "xid", "is_new_to_push", "timeline", "before_switch")
			SELECT "scope_kind", "scope_id", count(*), NEW."xid", "scope_kind" IN ('u', 'c'), "here", CASE WHEN "here" > 1 THEN 0 END
			FROM "latest" GROUP BY "scope_kind", "scope_id"
			HAVING bool_or("type" = 'scope') OR CASE "scope_kind"
				WHEN 'u' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				WHEN 'r' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				WHEN 'b' THEN EXISTS (SELECT FROM "address_books" WHERE "address_books"."id" = "scope_id")
				WHEN 'l' THEN EXISTS (SELECT FROM "todo_lists" WHERE "todo_lists"."id" = "scope_id")
				ELSE EXISTS (SELECT FROM "calendars" WHERE "calendars"."id" = "scope_id")
			END
			ORDER BY "scope_kind", "scope_id"
			ON CONFLICT ("kind", "id") DO UPDATE
				SET "seq" = "s"."seq" + excluded."seq", "xid" = excluded."xid", "is_new_to_push" = excluded."is_new_to_push",
					"timeline" = excluded."timeline",
					"before_switch" = CASE WHEN "s"."timeline" <> excluded."timeline" THEN "s"."seq" END
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
	IF "here" > 1 THEN
		INSERT INTO "sync_switches" ("kind", "id", "timeline", "seq")
			SELECT "kind", "id", "here", "before_switch" FROM "sync_scopes" WHERE "xid" = NEW."xid" AND "before_switch" IS NOT NULL
			ON CONFLICT DO NOTHING;
	END IF;
	DELETE FROM "sync_marks" WHERE "xid" = NEW."xid";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Compared with 0038_card_objects, alike.
CREATE OR REPLACE FUNCTION "public"."sync_restored_books"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"here" integer := "sync_timeline"();
BEGIN
	WITH "stepped" AS (
		UPDATE "sync_scopes" SET "seq" = "seq" + 1, "floor" = "seq" + 1, "timeline" = "here",
			"before_switch" = CASE WHEN "timeline" <> "here" THEN "seq" END
			WHERE "kind" = 'b' AND "id" IN (SELECT "id" FROM "changed")
			RETURNING "kind", "id", "before_switch"
	)
	INSERT INTO "sync_switches" ("kind", "id", "timeline", "seq")
		SELECT "kind", "id", "here", "before_switch" FROM "stepped" WHERE "before_switch" IS NOT NULL
		ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Compared with 0041_object_scopes, alike.
CREATE OR REPLACE FUNCTION "public"."sync_restored_lists"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"here" integer := "sync_timeline"();
BEGIN
	WITH "stepped" AS (
		UPDATE "sync_scopes" SET "seq" = "seq" + 1, "floor" = "seq" + 1, "timeline" = "here",
			"before_switch" = CASE WHEN "timeline" <> "here" THEN "seq" END
			WHERE "kind" = 'l' AND "id" IN (SELECT "id" FROM "changed")
			RETURNING "kind", "id", "before_switch"
	)
	INSERT INTO "sync_switches" ("kind", "id", "timeline", "seq")
		SELECT "kind", "id", "here", "before_switch" FROM "stepped" WHERE "before_switch" IS NOT NULL
		ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;
