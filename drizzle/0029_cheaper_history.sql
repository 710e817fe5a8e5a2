-- What writes pay for the journal and the history. What these note stays the same.
--
-- Whether this transaction keeps what it changes, but for the configuration, which is in "sync_state". The planner writes it into
-- the statements that ask.
CREATE FUNCTION "public"."history_is_wanted"() RETURNS boolean LANGUAGE sql STABLE
RETURN coalesce(current_setting('organiser.history', true), '') <> 'off'
	-- What goes with its parent outside an operation could never be brought back.
	AND (pg_trigger_depth() = 1 OR coalesce(current_setting('organiser.operation', true), '') <> '');--> statement-breakpoint
-- Compared with 0028_history: one statement asks and writes, and things that a user owns need no images of whole rows either.
CREATE OR REPLACE FUNCTION "public"."history_of_new"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_TABLE_NAME IN ('calendars', 'event_templates', 'todos', 'reminders', 'projects', 'people') THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "history_operation"(), "history_at"(), TG_TABLE_NAME, "changed"."id"::text,
				CASE WHEN pg_trigger_depth() = 1 THEN "changed"."user_id" END
			FROM "sync_state", "changed" WHERE "keeps_history" AND "history_is_wanted"();
	ELSIF TG_TABLE_NAME = 'events' THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "history_operation"(), "history_at"(), 'events', "changed"."id"::text,
				CASE WHEN pg_trigger_depth() = 1 THEN "calendars"."user_id" END
			FROM "sync_state", "changed" JOIN "calendars" ON "calendars"."id" = "changed"."calendar_id"
			WHERE "keeps_history" AND "history_is_wanted"();
	ELSIF TG_TABLE_NAME = 'event_sources' THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "history_operation"(), "history_at"(), 'event_sources', "changed"."event_id"::text,
				CASE WHEN pg_trigger_depth() = 1 THEN "calendars"."user_id" END
			FROM "sync_state", "changed" JOIN "events" ON "events"."id" = "changed"."event_id"
				JOIN "calendars" ON "calendars"."id" = "events"."calendar_id"
			WHERE "keeps_history" AND "history_is_wanted"();
	ELSE
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "history_operation"(), "history_at"(), TG_TABLE_NAME, concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]),
				CASE WHEN pg_trigger_depth() = 1 THEN "history_owner"(TG_TABLE_NAME, "image") END
			FROM "sync_state", (SELECT to_jsonb("changed") AS "image" FROM "changed" OFFSET 0) AS "images"
			WHERE "keeps_history" AND "history_is_wanted"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Compared with 0028_history: OFFSET 0 keeps the planner from making each image again wherever it is used, and the owners
-- of events are found together.
CREATE OR REPLACE FUNCTION "public"."history_of_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
BEGIN
	IF TG_TABLE_NAME = 'events' THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id", "in_trash")
			SELECT "history_operation"(), "history_at"(), 'events', "images"."id"::text, "image", "calendars"."user_id",
				"calendars"."id" IS NOT NULL AND "history_operation"() IS NOT NULL
			FROM "sync_state", (
				SELECT "id", "calendar_id", "history_image"(to_jsonb("former")) AS "image" FROM "former" OFFSET 0
			) AS "images" LEFT JOIN "calendars" ON pg_trigger_depth() = 1 AND "calendars"."id" = "images"."calendar_id"
			WHERE "keeps_history" AND "history_is_wanted"();
		RETURN NULL;
	END IF;
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id", "in_trash")
		SELECT "history_operation"(), "history_at"(), TG_TABLE_NAME, concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]),
			"image", "owner", "owner" IS NOT NULL AND "history_operation"() IS NOT NULL AND TG_TABLE_NAME IN (
				'calendars', 'events', 'event_templates', 'todos', 'reminders', 'projects', 'project_tasks', 'task_comments', 'people'
			)
		FROM (
			SELECT "image", CASE WHEN pg_trigger_depth() = 1 THEN "history_owner"(TG_TABLE_NAME, "image") END AS "owner"
			FROM "sync_state", (SELECT "history_image"(to_jsonb("former")) AS "image" FROM "former" OFFSET 0) AS "images"
			WHERE "keeps_history" AND "history_is_wanted"() OFFSET 0
		) AS "owned";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Likewise. A row whose primary key changes goes under the one and comes under the other.
CREATE OR REPLACE FUNCTION "public"."history_of_changed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET TimeZone = 'UTC' AS $$
BEGIN
	INSERT INTO "history" ("operation", "at", "tab", "row_key", "before", "owner_id")
		SELECT "history_operation"(), "history_at"(), TG_TABLE_NAME, coalesce("was"."key", "is"."key"), "was"."image",
			CASE WHEN pg_trigger_depth() = 1 THEN "history_owner"(TG_TABLE_NAME, coalesce("was"."image", "is"."image")) END
		FROM "sync_state", (
			SELECT concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]) AS "key", "image"
			FROM (SELECT "history_image"(to_jsonb("former")) AS "image" FROM "former" OFFSET 0) AS "images"
		) AS "was" FULL JOIN (
			SELECT concat_ws('/', "image" ->> TG_ARGV[0], "image" ->> TG_ARGV[1]) AS "key", "image"
			FROM (SELECT "history_image"(to_jsonb("changed")) AS "image" FROM "changed" OFFSET 0) AS "images"
		) AS "is" ON "is"."key" = "was"."key"
		WHERE "keeps_history" AND "history_is_wanted"() AND "was"."image" IS DISTINCT FROM "is"."image";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "public"."history_is_kept"() RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	RETURN "history_is_wanted"() AND (SELECT "keeps_history" FROM "sync_state");
END
$$;--> statement-breakpoint
-- Compared with 0025_journal: a transaction that changes one thing, as most do, notes it without sorting and counting.
CREATE OR REPLACE FUNCTION "public"."sync_flush"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"only" "sync_pending";
	"stepped" bigint;
BEGIN
	DELETE FROM "sync_marks" WHERE "xid" = NEW."xid";
	IF (SELECT count(*) FROM "sync_pending" WHERE "xid" = NEW."xid") = 1 THEN
		DELETE FROM "sync_pending" WHERE "xid" = NEW."xid" RETURNING * INTO "only";
		INSERT INTO "sync_scopes" AS "s" ("kind", "id", "seq", "xid")
			SELECT "only"."scope_kind", "only"."scope_id", 1, NEW."xid"
			WHERE "only"."type" = 'scope' OR CASE "only"."scope_kind"
				WHEN 'u' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "only"."scope_id")
				ELSE EXISTS (SELECT FROM "calendars" WHERE "calendars"."id" = "only"."scope_id")
			END
			ON CONFLICT ("kind", "id") DO UPDATE SET "seq" = "s"."seq" + 1, "xid" = excluded."xid", "is_new_to_push" = true
			RETURNING "seq" INTO "stepped";
		IF FOUND THEN
			INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "gone", "seq")
				VALUES ("only"."scope_kind", "only"."scope_id", "only"."type", "only"."item", "only"."gone", "stepped")
				ON CONFLICT ("scope_kind", "scope_id", "type", "item") DO UPDATE
					SET "seq" = excluded."seq", "gone" = excluded."gone", "at" = now();
		END IF;
		RETURN NULL;
	END IF;
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
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Compared with 0010_search: a record without further texts costs no search for words in them.
CREATE OR REPLACE FUNCTION "public"."search_vector"("owner" text, "title" text, "texts" text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT coalesce(string_agg("entry", ' '), '')::tsvector
	FROM (
		SELECT format('''%1$s/%2$s'':%3$sA ''%1$s=%2$s''', "owner", left("word", 64), least("place", 16383))
		FROM unnest("search_words"("title")) WITH ORDINALITY AS "words" ("word", "place") WHERE "word" <> ''
		UNION ALL
		SELECT format('''%s/%s'':%s', "owner", left("word", 64), least("place", 16383))
		FROM unnest(CASE WHEN btrim("texts") <> '' THEN "search_words"("texts") END) WITH ORDINALITY AS "words" ("word", "place")
		WHERE "word" <> ''
	) AS "entries" ("entry")
);
