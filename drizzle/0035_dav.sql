CREATE TABLE "dav_collections" (
	"user_id" integer NOT NULL,
	"home" text NOT NULL,
	"slug" text NOT NULL,
	"kind" text NOT NULL,
	"item" integer NOT NULL,
	CONSTRAINT "dav_collections_pkey" PRIMARY KEY("user_id","home","slug"),
	CONSTRAINT "dav_collections_home_check" CHECK ("dav_collections"."home" in ('calendars', 'addressbooks')),
	CONSTRAINT "dav_collections_kind_check" CHECK ("dav_collections"."kind" in ('calendar')),
	CONSTRAINT "dav_collections_slug_check" CHECK (octet_length("dav_collections"."slug") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "dav_gone" (
	"kind" text NOT NULL,
	"collection" integer NOT NULL,
	"item" integer NOT NULL,
	"name" text NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dav_gone_pkey" PRIMARY KEY("kind","collection","item","name","is_hidden"),
	CONSTRAINT "dav_gone_kind_check" CHECK ("dav_gone"."kind" in ('calendar'))
);
--> statement-breakpoint
CREATE TABLE "dav_properties" (
	"user_id" integer NOT NULL,
	"place" text NOT NULL,
	"name" text NOT NULL,
	"xml" text NOT NULL,
	CONSTRAINT "dav_properties_pkey" PRIMARY KEY("user_id","place","name"),
	CONSTRAINT "dav_properties_xml_check" CHECK (octet_length("dav_properties"."xml") <= 65536)
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "object_name" text;--> statement-breakpoint
ALTER TABLE "dav_collections" ADD CONSTRAINT "dav_collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dav_properties" ADD CONSTRAINT "dav_properties_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dav_collections_item_idx" ON "dav_collections" USING btree ("kind","item");--> statement-breakpoint
CREATE INDEX "dav_gone_at_idx" ON "dav_gone" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "events_calendar_id_object_name_key" ON "events" USING btree ("calendar_id","object_name") WHERE "events"."object_name" is not null;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_object_name_check" CHECK (octet_length("events"."object_name") between 1 and 255);--> statement-breakpoint
-- The name of an object in its collection (contract: dav.addresses): what a client chose, else its UID if that needs no escapes, else its id.
CREATE FUNCTION "public"."dav_name"("chosen" text, "uid" text, "id" integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce("chosen", CASE WHEN "uid" ~ '^[A-Za-z0-9][A-Za-z0-9@._+-]{0,199}$' THEN "uid" ELSE "id"::text END || '.ics');--> statement-breakpoint
-- Keeps the names of events that leave a calendar, so that clients hear that they are gone. What goes with its calendar needs no name.
CREATE FUNCTION "public"."dav_events_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF pg_trigger_depth() = 1 THEN
		INSERT INTO "dav_gone" ("kind", "collection", "item", "name", "is_hidden")
			SELECT 'calendar', "calendar_id", "id", "dav_name"("object_name", "uid", "id"), "visibility" = 'private' FROM "former"
			ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "public"."dav_event_renamed"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "dav_gone" ("kind", "collection", "item", "name", "is_hidden")
		VALUES ('calendar', OLD."calendar_id", OLD."id", "dav_name"(OLD."object_name", OLD."uid", OLD."id"), OLD."visibility" = 'private')
		ON CONFLICT ("kind", "collection", "item", "name", "is_hidden") DO UPDATE SET "at" = excluded."at";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "events_dav_delete" AFTER DELETE ON "events" REFERENCING OLD TABLE AS "former"
	FOR EACH STATEMENT EXECUTE FUNCTION "dav_events_gone"();--> statement-breakpoint
CREATE TRIGGER "events_dav_update" AFTER UPDATE ON "events" FOR EACH ROW
	WHEN (OLD."calendar_id" <> NEW."calendar_id" OR OLD."uid" <> NEW."uid" OR OLD."visibility" <> NEW."visibility" OR OLD."object_name" IS DISTINCT FROM NEW."object_name")
	EXECUTE FUNCTION "dav_event_renamed"();
