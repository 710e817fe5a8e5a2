CREATE TABLE "calendar_members" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calendar_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"calendar_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"permission" text NOT NULL,
	"status" text NOT NULL,
	"color" text,
	"is_visible" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "calendar_members_color_check" CHECK ("calendar_members"."color" ~ '^#[0-9A-Fa-f]{6}$'),
	CONSTRAINT "calendar_members_permission_check" CHECK ("calendar_members"."permission" in ('read', 'write')),
	CONSTRAINT "calendar_members_status_check" CHECK ("calendar_members"."status" in ('pending', 'accepted'))
);
--> statement-breakpoint
ALTER TABLE "calendar_members" ADD CONSTRAINT "calendar_members_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_members" ADD CONSTRAINT "calendar_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_members_calendar_id_user_id_key" ON "calendar_members" USING btree ("calendar_id","user_id");--> statement-breakpoint
CREATE INDEX "calendar_members_user_id_idx" ON "calendar_members" USING btree ("user_id");