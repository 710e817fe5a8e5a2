-- Cards as objects of /dav (contract: dav.addresses, dav.sync): their names, the names that they leave, and a journal for each address book.
ALTER TABLE "dav_collections" DROP CONSTRAINT "dav_collections_kind_check";--> statement-breakpoint
ALTER TABLE "dav_gone" DROP CONSTRAINT "dav_gone_kind_check";--> statement-breakpoint
ALTER TABLE "sync_scopes" DROP CONSTRAINT "sync_scopes_kind_check";--> statement-breakpoint
ALTER TABLE "loose_cards" ADD COLUMN "object_name" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "object_name" text;--> statement-breakpoint
CREATE UNIQUE INDEX "loose_cards_book_id_object_name_key" ON "loose_cards" USING btree ("book_id","object_name") WHERE "loose_cards"."object_name" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "people_book_id_object_name_key" ON "people" USING btree ("book_id","object_name") WHERE "people"."object_name" is not null;--> statement-breakpoint
ALTER TABLE "dav_collections" ADD CONSTRAINT "dav_collections_kind_check" CHECK ("dav_collections"."kind" in ('calendar', 'list', 'reminders', 'book', 'birthdays'));--> statement-breakpoint
ALTER TABLE "dav_gone" ADD CONSTRAINT "dav_gone_kind_check" CHECK ("dav_gone"."kind" in ('calendar', 'list', 'reminders', 'book', 'birthdays'));--> statement-breakpoint
ALTER TABLE "sync_scopes" ADD CONSTRAINT "sync_scopes_kind_check" CHECK ("sync_scopes"."kind" in ('u', 'c', 'b'));--> statement-breakpoint
ALTER TABLE "loose_cards" ADD CONSTRAINT "loose_cards_object_name_check" CHECK (octet_length("loose_cards"."object_name") between 1 and 255);--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_object_name_check" CHECK (octet_length("people"."object_name") between 1 and 255);--> statement-breakpoint
-- The name of a card in its address book: what a client chose, else its UID if that needs no escapes and is no other card's name, else a
-- name that follows from its id.
CREATE FUNCTION "public"."dav_card_name"("chosen" text, "uid" text, "otherwise" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce("chosen", CASE WHEN "uid" ~ '^[A-Za-z0-9][A-Za-z0-9@._+-]{0,199}$' AND "uid" !~ '^(group-)?[0-9]+$' THEN "uid" ELSE "otherwise" END || '.vcf');--> statement-breakpoint
-- Whether another card of the address book has the name. Groups count with a minus.
CREATE FUNCTION "public"."dav_is_card_name_taken"("book" integer, "owner" integer, "wanted" text, "own" integer) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"stem" text := regexp_replace("wanted", '[.]vcf$', '');
BEGIN
	IF EXISTS (SELECT FROM "people" WHERE "book_id" = "book" AND "object_name" = "wanted" AND "id" <> "own")
		OR EXISTS (SELECT FROM "loose_cards" WHERE "book_id" = "book" AND "object_name" = "wanted" AND -"id" <> "own") THEN
		RETURN true;
	ELSIF "stem" = "wanted" THEN
		RETURN false;
	ELSIF "stem" ~ '^[1-9][0-9]{0,8}$' THEN
		RETURN "stem"::integer <> "own" AND EXISTS (SELECT FROM "people" WHERE "id" = "stem"::integer AND "book_id" = "book"
			AND "dav_card_name"("object_name", "vcard_uid", "id"::text) = "wanted");
	ELSIF "stem" ~ '^group-[1-9][0-9]{0,8}$' THEN
		RETURN -substr("stem", 7)::integer <> "own" AND EXISTS (SELECT FROM "loose_cards" WHERE "id" = substr("stem", 7)::integer
			AND "book_id" = "book" AND "dav_card_name"("object_name", "uid", 'group-' || "id") = "wanted");
	END IF;
	RETURN EXISTS (
			SELECT FROM (SELECT * FROM "people" WHERE "user_id" = "owner" AND "vcard_uid" = "stem" OFFSET 0) AS "person"
			WHERE "book_id" = "book" AND "id" <> "own" AND "object_name" IS NULL
		) OR EXISTS (
			SELECT FROM (SELECT * FROM "loose_cards" WHERE "user_id" = "owner" AND "uid" = "stem" OFFSET 0) AS "card"
			WHERE "book_id" = "book" AND -"id" <> "own" AND "object_name" IS NULL
		);
END
$$;--> statement-breakpoint
-- No two cards of an address book have one name, however they came into it: by a client, JSON, an import, a move, or from the trash.
CREATE FUNCTION "public"."dav_free_person_name"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"wanted" text;
BEGIN
	IF NEW."object_name" IS NOT NULL AND "dav_is_card_name_taken"(NEW."book_id", NEW."user_id", NEW."object_name", NEW."id") THEN
		NEW."object_name" := NULL;
	END IF;
	-- Names that follow from UIDs and ids differ among people, and from those of groups but for one with the same UID.
	"wanted" := "dav_card_name"(NEW."object_name", NEW."vcard_uid", NEW."id"::text);
	IF NEW."object_name" IS NULL AND (
		EXISTS (SELECT FROM "people" WHERE "book_id" = NEW."book_id" AND "object_name" = "wanted" AND "id" <> NEW."id")
		OR EXISTS (SELECT FROM "loose_cards" WHERE "book_id" = NEW."book_id" AND "object_name" = "wanted")
		OR NEW."vcard_uid" IS NOT NULL AND EXISTS (
			SELECT FROM (SELECT * FROM "loose_cards" WHERE "user_id" = NEW."user_id" AND "uid" = NEW."vcard_uid" OFFSET 0) AS "card"
			WHERE "book_id" = NEW."book_id" AND "dav_card_name"("object_name", "uid", 'group-' || "id") = "wanted"
		)
	) THEN
		NEW."object_name" := gen_random_uuid() || '.vcf';
	END IF;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_free_group_name"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
DECLARE
	"wanted" text;
BEGIN
	IF NEW."object_name" IS NOT NULL AND "dav_is_card_name_taken"(NEW."book_id", NEW."user_id", NEW."object_name", -NEW."id") THEN
		NEW."object_name" := NULL;
	END IF;
	"wanted" := "dav_card_name"(NEW."object_name", NEW."uid", 'group-' || NEW."id");
	IF NEW."object_name" IS NULL AND (
		EXISTS (SELECT FROM "loose_cards" WHERE "book_id" = NEW."book_id" AND "object_name" = "wanted" AND "id" <> NEW."id")
		OR EXISTS (SELECT FROM "people" WHERE "book_id" = NEW."book_id" AND "object_name" = "wanted")
		OR EXISTS (
			SELECT FROM (SELECT * FROM "people" WHERE "user_id" = NEW."user_id" AND "vcard_uid" = NEW."uid" OFFSET 0) AS "person"
			WHERE "book_id" = NEW."book_id" AND "dav_card_name"("object_name", "vcard_uid", "id"::text) = "wanted"
		)
	) THEN
		NEW."object_name" := gen_random_uuid() || '.vcf';
	END IF;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "people_object_name" BEFORE INSERT OR UPDATE OF "book_id", "vcard_uid", "object_name" ON "people"
	FOR EACH ROW EXECUTE FUNCTION "dav_free_person_name"();--> statement-breakpoint
CREATE TRIGGER "loose_cards_object_name" BEFORE INSERT OR UPDATE OF "book_id", "uid", "object_name" ON "loose_cards"
	FOR EACH ROW EXECUTE FUNCTION "dav_free_group_name"();--> statement-breakpoint
-- Of before: groups whose UID a person of the address book has too.
ALTER TABLE "loose_cards" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "loose_cards" SET "object_name" = gen_random_uuid() || '.vcf' FROM "people"
	WHERE "people"."user_id" = "loose_cards"."user_id" AND "people"."vcard_uid" = "loose_cards"."uid"
		AND "people"."book_id" = "loose_cards"."book_id";--> statement-breakpoint
ALTER TABLE "loose_cards" ENABLE TRIGGER USER;--> statement-breakpoint
-- Keeps the names of cards that leave an address book, so that clients hear that they are gone. What goes with its address book needs no name.
CREATE FUNCTION "public"."dav_people_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF pg_trigger_depth() = 1 THEN
		INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
			SELECT 'book', "book_id", "id", "dav_card_name"("object_name", "vcard_uid", "id"::text) FROM "former"
			ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_person_renamed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
		VALUES ('book', OLD."book_id", OLD."id", "dav_card_name"(OLD."object_name", OLD."vcard_uid", OLD."id"::text))
		ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_groups_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF pg_trigger_depth() = 1 THEN
		INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
			SELECT 'book', "book_id", -"id", "dav_card_name"("object_name", "uid", 'group-' || "id") FROM "former"
			ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_group_renamed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "dav_gone" ("kind", "collection", "item", "name")
		VALUES ('book', OLD."book_id", -OLD."id", "dav_card_name"(OLD."object_name", OLD."uid", 'group-' || OLD."id"))
		ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "people_dav_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_people_gone"();--> statement-breakpoint
CREATE TRIGGER "people_dav_update" AFTER UPDATE ON "people" FOR EACH ROW
	WHEN (OLD."book_id" <> NEW."book_id" OR OLD."vcard_uid" IS DISTINCT FROM NEW."vcard_uid" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_person_renamed"();--> statement-breakpoint
CREATE TRIGGER "loose_cards_dav_delete" AFTER DELETE ON "loose_cards" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_groups_gone"();--> statement-breakpoint
CREATE TRIGGER "loose_cards_dav_update" AFTER UPDATE ON "loose_cards" FOR EACH ROW
	WHEN (OLD."book_id" <> NEW."book_id" OR OLD."uid" <> NEW."uid" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_group_renamed"();--> statement-breakpoint
-- Compared with 0031_plain_flush: address books ('b') have scopes too, which push never looks at.
CREATE OR REPLACE FUNCTION "public"."sync_flush"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
	WITH "mine" AS (
		DELETE FROM "sync_pending" WHERE "xid" = NEW."xid" RETURNING *
	), "latest" AS (
		SELECT DISTINCT ON ("scope_kind", "scope_id", "type", "item") * FROM "mine"
			ORDER BY "scope_kind", "scope_id", "type", "item", "n" DESC
	), "stepped" AS (
		INSERT INTO "sync_scopes" AS "s" ("kind", "id", "seq", "xid", "is_new_to_push")
			SELECT "scope_kind", "scope_id", count(*), NEW."xid", "scope_kind" <> 'b' FROM "latest" GROUP BY "scope_kind", "scope_id"
			HAVING bool_or("type" = 'scope') OR CASE "scope_kind"
				WHEN 'u' THEN EXISTS (SELECT FROM "users" WHERE "users"."id" = "scope_id")
				WHEN 'b' THEN EXISTS (SELECT FROM "address_books" WHERE "address_books"."id" = "scope_id")
				ELSE EXISTS (SELECT FROM "calendars" WHERE "calendars"."id" = "scope_id")
			END
			ORDER BY "scope_kind", "scope_id"
			ON CONFLICT ("kind", "id") DO UPDATE
				SET "seq" = "s"."seq" + excluded."seq", "xid" = excluded."xid", "is_new_to_push" = excluded."is_new_to_push"
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
$$;--> statement-breakpoint
-- Notes cards in the scopes of their address books: one that moves is gone from the former one. What goes with its address book is not noted.
CREATE FUNCTION "public"."sync_books"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
		RETURN NULL;
	END IF;
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'b', "book_id", TG_ARGV[0], "id", TG_OP = 'DELETE' FROM "changed";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."sync_changed_books"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'b', "book_id", TG_ARGV[0], "id", false FROM "changed"
		UNION ALL SELECT 'b', "former"."book_id", TG_ARGV[0], "id", true FROM "changed" JOIN "former" USING ("id")
			WHERE "changed"."book_id" <> "former"."book_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "people_sync_book_insert" AFTER INSERT ON "people" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_books"('person');--> statement-breakpoint
CREATE TRIGGER "people_sync_book_update" AFTER UPDATE ON "people" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_books"('person');--> statement-breakpoint
CREATE TRIGGER "people_sync_book_delete" AFTER DELETE ON "people" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_books"('person');--> statement-breakpoint
CREATE TRIGGER "loose_cards_sync_book_insert" AFTER INSERT ON "loose_cards" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_books"('card');--> statement-breakpoint
CREATE TRIGGER "loose_cards_sync_book_update" AFTER UPDATE ON "loose_cards" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_changed_books"('card');--> statement-breakpoint
CREATE TRIGGER "loose_cards_sync_book_delete" AFTER DELETE ON "loose_cards" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_books"('card');--> statement-breakpoint
-- The scope of a deleted address book stays, so that it goes on counting if that is restored; it ends with its owner.
CREATE FUNCTION "public"."sync_ended_books"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'b', "id", 'scope', "id", true FROM "changed" WHERE pg_trigger_depth() > 1;
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "address_books_sync_end" AFTER DELETE ON "address_books" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_ended_books"();--> statement-breakpoint
-- What went with an address book may come back without it, and is noted nowhere: whoever follows a restored one begins again.
CREATE FUNCTION "public"."sync_restored_books"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	UPDATE "sync_scopes" SET "seq" = "seq" + 1, "floor" = "seq" + 1
		WHERE "kind" = 'b' AND "id" IN (SELECT "id" FROM "changed");
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "address_books_sync_restore" AFTER INSERT ON "address_books" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_restored_books"();--> statement-breakpoint
-- The cards of before.
WITH "cards" AS (
	SELECT "book_id", 'person' AS "type", "id" FROM "people"
	UNION ALL SELECT "book_id", 'card', "id" FROM "loose_cards"
), "noted" AS (
	INSERT INTO "sync_changes" ("scope_kind", "scope_id", "type", "item", "seq", "gone")
		SELECT 'b', "book_id", "type", "id", row_number() OVER (PARTITION BY "book_id" ORDER BY "type", "id"), false FROM "cards"
)
INSERT INTO "sync_scopes" ("kind", "id", "seq", "is_new_to_push") SELECT 'b', "book_id", count(*), false FROM "cards" GROUP BY "book_id";
