-- A UID is unique in its address book, so that cards move and are copied between them (contract: dav.cards), and every person has one.
-- The UID of a person whom no card has named: always the same one.
CREATE FUNCTION "public"."own_card_uid"("owner" integer, "person" integer, "created" timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN 'urn:uuid:' || md5(concat_ws('/', 'person', "owner", "person", extract(epoch FROM "created")))::uuid;--> statement-breakpoint
CREATE FUNCTION "public"."default_card_uid"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	NEW."vcard_uid" := "own_card_uid"(NEW."user_id", NEW."id", NEW."created_at");
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "people_default_uid" BEFORE INSERT OR UPDATE OF "vcard_uid" ON "people" FOR EACH ROW WHEN (NEW."vcard_uid" IS NULL)
	EXECUTE FUNCTION "default_card_uid"();--> statement-breakpoint
-- The people of before, and as they were: what clients read of them stays the same.
ALTER TABLE "people" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "people" SET "vcard_uid" = "own_card_uid"("user_id", "id", "created_at") WHERE "vcard_uid" IS NULL;--> statement-breakpoint
ALTER TABLE "people" ENABLE TRIGGER USER;--> statement-breakpoint
UPDATE "history" SET "before" = "before" || jsonb_build_object('vcard_uid',
		"own_card_uid"(("before" ->> 'user_id')::integer, "row_key"::integer, ("before" ->> 'created_at')::timestamptz))
	WHERE "tab" = 'people' AND "before" IS NOT NULL AND "before" ->> 'vcard_uid' IS NULL;--> statement-breakpoint
DROP INDEX "loose_cards_uid_key";--> statement-breakpoint
DROP INDEX "people_vcard_uid_key";--> statement-breakpoint
ALTER TABLE "people" ALTER COLUMN "vcard_uid" SET DEFAULT null;--> statement-breakpoint
ALTER TABLE "people" ALTER COLUMN "vcard_uid" SET NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "loose_cards_book_id_uid_key" ON "loose_cards" USING btree ("book_id","uid");--> statement-breakpoint
CREATE INDEX "loose_cards_user_id_uid_idx" ON "loose_cards" USING btree ("user_id","uid");--> statement-breakpoint
CREATE UNIQUE INDEX "people_book_id_vcard_uid_key" ON "people" USING btree ("book_id","vcard_uid");--> statement-breakpoint
CREATE INDEX "people_user_id_vcard_uid_idx" ON "people" USING btree ("user_id","vcard_uid");
