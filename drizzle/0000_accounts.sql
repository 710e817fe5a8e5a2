CREATE TABLE "audit_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"actor_id" integer,
	"detail" jsonb,
	"ip" varchar(45),
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calendars" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calendars_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"is_system" boolean DEFAULT false NOT NULL,
	"is_visible" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "calendars_color_check" CHECK ("calendars"."color" ~ '^#[0-9A-Fa-f]{6}$'),
	CONSTRAINT "calendars_system_not_default_check" CHECK (not ("calendars"."is_default" and "calendars"."is_system"))
);
--> statement-breakpoint
CREATE TABLE "mfa_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"purpose" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mfa_tokens_purpose_check" CHECK ("mfa_tokens"."purpose" in ('sign_in', 'enforced_setup')),
	CONSTRAINT "mfa_tokens_attempts_check" CHECK ("mfa_tokens"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"sign_count" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_device_type_check" CHECK ("passkeys"."device_type" in ('singleDevice', 'multiDevice')),
	CONSTRAINT "passkeys_sign_count_check" CHECK ("passkeys"."sign_count" between 0 and 4294967295)
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" varchar(32) PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"revoked" boolean DEFAULT false NOT NULL,
	"ip_address" varchar(45),
	"user_agent" varchar(255),
	"is_locked" boolean DEFAULT false NOT NULL,
	"locked_at" timestamp (3) with time zone,
	"auth_method" text NOT NULL,
	"authenticated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_auth_method_check" CHECK ("sessions"."auth_method" in ('password', 'totp', 'backup_code', 'passkey', 'setup', 'registration'))
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"preferred_name" text,
	"first_name" text,
	"last_name" text,
	"phone" text,
	"mobile" text,
	"address" text,
	"company" text,
	"job_title" text,
	"first_day_of_week" integer DEFAULT 0 NOT NULL,
	"time_zone" text,
	"weather_city" text,
	"weather_lat" double precision,
	"weather_lon" double precision,
	"accept_connections" boolean DEFAULT false NOT NULL,
	"share_first_name" boolean DEFAULT false NOT NULL,
	"share_last_name" boolean DEFAULT false NOT NULL,
	"share_preferred_name" boolean DEFAULT false NOT NULL,
	"share_email" boolean DEFAULT false NOT NULL,
	"share_phone" boolean DEFAULT false NOT NULL,
	"share_mobile" boolean DEFAULT false NOT NULL,
	"share_birthday" boolean DEFAULT false NOT NULL,
	"share_address" boolean DEFAULT false NOT NULL,
	"share_company" boolean DEFAULT false NOT NULL,
	"share_job_title" boolean DEFAULT false NOT NULL,
	"ntfy_enabled" boolean DEFAULT false NOT NULL,
	"ntfy_server_url" text,
	"ntfy_topic" text,
	"ntfy_auth_token" text,
	"ntfy_events" boolean DEFAULT true NOT NULL,
	"ntfy_reminders" boolean DEFAULT true NOT NULL,
	"ntfy_todos" boolean DEFAULT true NOT NULL,
	"ntfy_projects" boolean DEFAULT true NOT NULL,
	"ntfy_connections" boolean DEFAULT true NOT NULL,
	"ntfy_event_lead_minutes" integer DEFAULT 15 NOT NULL,
	"ntfy_todo_lead_days" integer DEFAULT 1 NOT NULL,
	"ntfy_project_lead_days" integer DEFAULT 2 NOT NULL,
	"notify_day_at" time(0) DEFAULT '09:00' NOT NULL,
	"quiet_from" time(0),
	"quiet_to" time(0),
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settings_first_day_of_week_check" CHECK ("settings"."first_day_of_week" in (0, 1)),
	CONSTRAINT "settings_weather_lat_check" CHECK ("settings"."weather_lat" between -90 and 90),
	CONSTRAINT "settings_weather_lon_check" CHECK ("settings"."weather_lon" between -180 and 180),
	CONSTRAINT "settings_weather_pair_check" CHECK (("settings"."weather_lat" is null) = ("settings"."weather_lon" is null)),
	CONSTRAINT "settings_quiet_pair_check" CHECK (("settings"."quiet_from" is null) = ("settings"."quiet_to" is null)),
	CONSTRAINT "settings_ntfy_event_lead_minutes_check" CHECK ("settings"."ntfy_event_lead_minutes" between 0 and 10080),
	CONSTRAINT "settings_ntfy_todo_lead_days_check" CHECK ("settings"."ntfy_todo_lead_days" between 0 and 30),
	CONSTRAINT "settings_ntfy_project_lead_days_check" CHECK ("settings"."ntfy_project_lead_days" between 0 and 30)
);
--> statement-breakpoint
CREATE TABLE "system_config" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"allow_registration" boolean DEFAULT false NOT NULL,
	"enforce_mfa_new_users" boolean DEFAULT false NOT NULL,
	"allow_passwordless" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "system_config_single_row_check" CHECK ("system_config"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"failed_login_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"last_login_at" timestamp (3) with time zone,
	"last_password_change_at" timestamp (3) with time zone,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"mfa_required" boolean DEFAULT false NOT NULL,
	"totp_enabled" boolean DEFAULT false NOT NULL,
	"mfa_enforce_pending" boolean GENERATED ALWAYS AS (mfa_required and not totp_enabled) STORED NOT NULL,
	"passwordless_enabled" boolean DEFAULT false NOT NULL,
	"email" text,
	"date_of_birth" date,
	"network_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_role_check" CHECK ("users"."role" in ('admin', 'standard')),
	CONSTRAINT "users_failed_login_count_check" CHECK ("users"."failed_login_count" >= 0),
	CONSTRAINT "users_network_name_check" CHECK ("users"."network_name" = lower("users"."network_name"))
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD CONSTRAINT "mfa_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_created_at_idx" ON "audit_log" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action_idx" ON "audit_log" USING btree ("action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor_id_idx" ON "audit_log" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_user_id_name_key" ON "calendars" USING btree ("user_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_default_key" ON "calendars" USING btree ("user_id") WHERE "calendars"."is_default";--> statement-breakpoint
CREATE INDEX "mfa_tokens_user_id_idx" ON "mfa_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mfa_tokens_expires_at_idx" ON "mfa_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user_id_idx" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_network_name_key" ON "users" USING btree ("network_name");