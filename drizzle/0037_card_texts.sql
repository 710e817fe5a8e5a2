-- The texts of cards (contract: people.texts): of people, and of groups, which are no people.
CREATE TABLE "loose_cards" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "loose_cards_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"book_id" integer DEFAULT null NOT NULL,
	"uid" text NOT NULL,
	"text" text NOT NULL,
	"hash" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "person_texts" (
	"person_id" integer PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"text" text NOT NULL,
	"said" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "loose_cards" ADD CONSTRAINT "loose_cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loose_cards" ADD CONSTRAINT "loose_cards_book_id_fkey" FOREIGN KEY ("book_id","user_id") REFERENCES "public"."address_books"("id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_texts" ADD CONSTRAINT "person_texts_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "loose_cards_user_id_idx" ON "loose_cards" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "loose_cards_book_id_idx" ON "loose_cards" USING btree ("book_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "loose_cards_uid_key" ON "loose_cards" USING btree ("user_id","uid");--> statement-breakpoint
-- Groups for which no address book is named go into the default one, and all go with their address book, as people do.
CREATE TRIGGER "loose_cards_default_address_book" BEFORE INSERT ON "loose_cards" FOR EACH ROW WHEN (NEW."book_id" IS NULL)
	EXECUTE FUNCTION "default_address_book"();--> statement-breakpoint
-- Compared with 0033_address_books: groups.
CREATE OR REPLACE FUNCTION "public"."empty_address_book"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	DELETE FROM "people" WHERE "book_id" = OLD."id";
	DELETE FROM "loose_cards" WHERE "book_id" = OLD."id";
	RETURN OLD;
END
$$;--> statement-breakpoint
-- As history_of_new, without an image of whole texts, which may hold pictures.
CREATE FUNCTION "public"."history_of_new_texts"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF TG_TABLE_NAME = 'person_texts' THEN
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "history_operation"(), "history_at"(), 'person_texts', "changed"."person_id"::text,
				CASE WHEN pg_trigger_depth() = 1 THEN "changed"."user_id" END
			FROM "sync_state", "changed" WHERE "keeps_history" AND "history_is_wanted"();
	ELSE
		INSERT INTO "history" ("operation", "at", "tab", "row_key", "owner_id")
			SELECT "history_operation"(), "history_at"(), 'loose_cards', "changed"."id"::text,
				CASE WHEN pg_trigger_depth() = 1 THEN "changed"."user_id" END
			FROM "sync_state", "changed" WHERE "keeps_history" AND "history_is_wanted"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "person_texts_history_insert" AFTER INSERT ON "person_texts" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new_texts"();--> statement-breakpoint
CREATE TRIGGER "person_texts_history_update" AFTER UPDATE ON "person_texts" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('person_id');--> statement-breakpoint
CREATE TRIGGER "person_texts_history_delete" AFTER DELETE ON "person_texts" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('person_id');--> statement-breakpoint
CREATE TRIGGER "loose_cards_history_insert" AFTER INSERT ON "loose_cards" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_new_texts"();--> statement-breakpoint
CREATE TRIGGER "loose_cards_history_update" AFTER UPDATE ON "loose_cards" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_changed"('id');--> statement-breakpoint
CREATE TRIGGER "loose_cards_history_delete" AFTER DELETE ON "loose_cards" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "history_of_gone"('id');--> statement-breakpoint
-- Other programs follow groups; the changes of JSON do not name them.
CREATE TRIGGER "loose_cards_sync_insert" AFTER INSERT ON "loose_cards" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('card');--> statement-breakpoint
CREATE TRIGGER "loose_cards_sync_update" AFTER UPDATE ON "loose_cards" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('card');--> statement-breakpoint
CREATE TRIGGER "loose_cards_sync_delete" AFTER DELETE ON "loose_cards" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_own"('card');--> statement-breakpoint
-- Groups count as people.
CREATE TRIGGER "loose_cards_tally_insert" AFTER INSERT ON "loose_cards" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('people');--> statement-breakpoint
CREATE TRIGGER "loose_cards_tally_delete" AFTER DELETE ON "loose_cards" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "tally_of_users"('people');
