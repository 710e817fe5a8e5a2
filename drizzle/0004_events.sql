CREATE TABLE "event_invitations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"response" text,
	"display_calendar_id" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_invitations_response_check" CHECK ("event_invitations"."response" in ('Going', 'Tentative', 'Declined'))
);
--> statement-breakpoint
CREATE TABLE "event_occurrences" (
	"event_id" integer NOT NULL,
	"occurrence_start" timestamp(3) NOT NULL,
	"is_cancelled" boolean DEFAULT false NOT NULL,
	"changes" jsonb NOT NULL,
	"start_at" timestamp (3) with time zone,
	"end_at" timestamp (3) with time zone,
	"start_date" date,
	"end_date" date,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_occurrences_pkey" PRIMARY KEY("event_id","occurrence_start"),
	CONSTRAINT "event_occurrences_times_check" CHECK (num_nonnulls("event_occurrences"."start_at", "event_occurrences"."end_at") in (0, 2) and num_nonnulls("event_occurrences"."start_date", "event_occurrences"."end_date") in (0, 2)
        and num_nonnulls("event_occurrences"."start_at", "event_occurrences"."start_date") < 2)
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"calendar_id" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"location" text,
	"all_day" boolean NOT NULL,
	"start_at" timestamp (3) with time zone,
	"end_at" timestamp (3) with time zone,
	"start_wall" timestamp(3),
	"time_zone" text,
	"start_date" date,
	"end_date" date,
	"recurrence_rule" text,
	"last_end_at" timestamp (3) with time zone,
	"last_end_date" date,
	"reminder_minutes" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_times_check" CHECK (case when "events"."all_day"
        then "events"."start_date" <= "events"."end_date" and num_nonnulls("events"."start_date", "events"."end_date") = 2
          and num_nonnulls("events"."start_at", "events"."end_at", "events"."start_wall", "events"."time_zone", "events"."last_end_at") = 0
        else "events"."start_at" <= "events"."end_at" and num_nonnulls("events"."start_at", "events"."end_at", "events"."start_wall", "events"."time_zone") = 4
          and num_nonnulls("events"."start_date", "events"."end_date", "events"."last_end_date") = 0 end),
	CONSTRAINT "events_last_end_check" CHECK ("events"."recurrence_rule" is not null or num_nonnulls("events"."last_end_at", "events"."last_end_date") = 1),
	CONSTRAINT "events_reminder_minutes_check" CHECK ("events"."reminder_minutes" between 0 and 40320)
);
--> statement-breakpoint
CREATE TABLE "occurrence_responses" (
	"invitation_id" integer NOT NULL,
	"occurrence_start" timestamp(3) NOT NULL,
	"response" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "occurrence_responses_pkey" PRIMARY KEY("invitation_id","occurrence_start"),
	CONSTRAINT "occurrence_responses_response_check" CHECK ("occurrence_responses"."response" in ('Going', 'Tentative', 'Declined'))
);
--> statement-breakpoint
ALTER TABLE "event_invitations" ADD CONSTRAINT "event_invitations_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_invitations" ADD CONSTRAINT "event_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_invitations" ADD CONSTRAINT "event_invitations_display_calendar_id_calendars_id_fk" FOREIGN KEY ("display_calendar_id") REFERENCES "public"."calendars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_occurrences" ADD CONSTRAINT "event_occurrences_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "occurrence_responses" ADD CONSTRAINT "occurrence_responses_invitation_id_event_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."event_invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "event_invitations_event_id_user_id_key" ON "event_invitations" USING btree ("event_id","user_id");--> statement-breakpoint
CREATE INDEX "event_invitations_user_id_idx" ON "event_invitations" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "event_invitations_display_calendar_id_idx" ON "event_invitations" USING btree ("display_calendar_id");--> statement-breakpoint
CREATE INDEX "events_calendar_id_start_at_idx" ON "events" USING btree ("calendar_id","start_at");--> statement-breakpoint
CREATE INDEX "events_calendar_id_last_end_at_idx" ON "events" USING btree ("calendar_id","last_end_at");--> statement-breakpoint
CREATE INDEX "events_calendar_id_start_date_idx" ON "events" USING btree ("calendar_id","start_date");--> statement-breakpoint
CREATE INDEX "events_calendar_id_last_end_date_idx" ON "events" USING btree ("calendar_id","last_end_date");--> statement-breakpoint
CREATE INDEX "events_series_idx" ON "events" USING btree ("calendar_id") WHERE "events"."recurrence_rule" is not null;