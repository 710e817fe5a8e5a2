CREATE TABLE "event_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"location" text,
	"calendar_id" integer,
	"all_day" boolean DEFAULT false NOT NULL,
	"recurrence_rule" text,
	"reminder_minutes" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_templates_reminder_minutes_check" CHECK ("event_templates"."reminder_minutes" between 0 and 40320)
);
--> statement-breakpoint
ALTER TABLE "event_templates" ADD CONSTRAINT "event_templates_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_templates" ADD CONSTRAINT "event_templates_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "event_templates_user_id_name_key" ON "event_templates" USING btree ("user_id","name");--> statement-breakpoint
CREATE INDEX "event_templates_calendar_id_idx" ON "event_templates" USING btree ("calendar_id");--> statement-breakpoint
CREATE INDEX "todos_due_date_idx" ON "todos" USING btree ("user_id","due_date","id") WHERE "todos"."completed_at" is null;