CREATE TABLE "event_alarms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"alarms" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "event_alarms" ADD CONSTRAINT "event_alarms_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "event_alarms_event_id_user_id_key" ON "event_alarms" USING btree ("event_id","user_id");--> statement-breakpoint
CREATE INDEX "event_alarms_user_id_idx" ON "event_alarms" USING btree ("user_id");--> statement-breakpoint
-- Alarms of members are noted in the scope of the calendar, under their own ids: whoever else follows it passes over them (contract: dav.alarms).
CREATE FUNCTION "public"."sync_event_alarms"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	INSERT INTO "sync_pending" ("scope_kind", "scope_id", "type", "item", "gone")
		SELECT 'c', "events"."calendar_id", 'alarm', "changed"."id", false
			FROM "changed" JOIN "events" ON "events"."id" = "changed"."event_id";
	IF FOUND THEN
		PERFORM "sync_mark"();
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "event_alarms_sync_insert" AFTER INSERT ON "event_alarms" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_alarms"();--> statement-breakpoint
CREATE TRIGGER "event_alarms_sync_update" AFTER UPDATE ON "event_alarms" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_alarms"();--> statement-breakpoint
CREATE TRIGGER "event_alarms_sync_delete" AFTER DELETE ON "event_alarms" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "sync_event_alarms"();
