CREATE TABLE "reminders" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reminders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"remind_at" timestamp (3) with time zone,
	"series_start" timestamp (3) with time zone,
	"series_wall" timestamp(3),
	"recurrence_rule" text,
	"time_zone" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_dismissed" boolean DEFAULT false NOT NULL,
	"snoozed_until" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reminders_recurrence_check" CHECK ("reminders"."recurrence_rule" is null or "reminders"."remind_at" is not null),
	CONSTRAINT "reminders_series_start_check" CHECK (num_nonnulls("reminders"."remind_at", "reminders"."series_start", "reminders"."series_wall") in (0, 3)),
	CONSTRAINT "reminders_dismissed_check" CHECK (not ("reminders"."is_dismissed" and "reminders"."snoozed_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "todos" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "todos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"priority" text NOT NULL,
	"due_date" date,
	"due_day" integer,
	"due_time" time(0),
	"category" text,
	"completed_at" timestamp (3) with time zone,
	"recurrence" text,
	"reset_at" timestamp (3) with time zone,
	"next_due_date" date,
	"rank" numeric NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "todos_priority_check" CHECK ("todos"."priority" in ('none', 'low', 'medium', 'high')),
	CONSTRAINT "todos_recurrence_check" CHECK ("todos"."recurrence" in ('daily', 'weekly', 'monthly')),
	CONSTRAINT "todos_due_time_check" CHECK ("todos"."due_time" is null or "todos"."due_date" is not null),
	CONSTRAINT "todos_due_day_check" CHECK ("todos"."due_day" between 1 and 31),
	CONSTRAINT "todos_reset_check" CHECK (num_nonnulls("todos"."reset_at", "todos"."next_due_date") = case when "todos"."completed_at" is null or "todos"."recurrence" is null then 0 else 2 end)
);
--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todos" ADD CONSTRAINT "todos_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reminders_user_id_moment_idx" ON "reminders" USING btree ("user_id",coalesce("snoozed_until", "remind_at"),"id");--> statement-breakpoint
CREATE UNIQUE INDEX "todos_user_id_rank_key" ON "todos" USING btree ("user_id","rank");--> statement-breakpoint
CREATE INDEX "todos_reset_at_idx" ON "todos" USING btree ("user_id","reset_at") WHERE "todos"."reset_at" is not null;