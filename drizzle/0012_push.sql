CREATE TABLE "job_runs" (
	"job" text PRIMARY KEY NOT NULL,
	"last_run_at" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "push_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_deliveries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"item_id" integer NOT NULL,
	"occurrence" text NOT NULL,
	"about" text NOT NULL,
	"title" text NOT NULL,
	"fire_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"is_held" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "push_deliveries_kind_check" CHECK ("push_deliveries"."kind" in ('event', 'birthday', 'reminder', 'todo', 'project', 'task', 'connection')),
	CONSTRAINT "push_deliveries_status_check" CHECK ("push_deliveries"."status" in ('pending', 'sent', 'failed')),
	CONSTRAINT "push_deliveries_sent_check" CHECK (("push_deliveries"."status" = 'sent') = ("push_deliveries"."sent_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "push_wakes" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"wake_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "todos" ADD COLUMN "opened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_wakes" ADD CONSTRAINT "push_wakes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "push_deliveries_user_id_key_key" ON "push_deliveries" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "push_deliveries_user_id_idx" ON "push_deliveries" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "push_deliveries_user_id_sent_at_idx" ON "push_deliveries" USING btree ("user_id","sent_at");--> statement-breakpoint
CREATE INDEX "push_deliveries_created_at_idx" ON "push_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "push_deliveries_due_at_idx" ON "push_deliveries" USING btree ("due_at") WHERE "push_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "push_wakes_wake_at_idx" ON "push_wakes" USING btree ("wake_at");--> statement-breakpoint
CREATE INDEX "notifications_created_at_idx" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "people_birthday_idx" ON "people" USING btree ("user_id",right("birthday", 5)) WHERE "people"."birthday" is not null;--> statement-breakpoint
CREATE INDEX "reminders_series_idx" ON "reminders" USING btree ("user_id") WHERE "reminders"."recurrence_rule" is not null and "reminders"."is_active" and not "reminders"."is_dismissed";--> statement-breakpoint
CREATE INDEX "projects_due_date_idx" ON "projects" USING btree ("user_id","due_date") WHERE "projects"."status" <> 'completed';--> statement-breakpoint