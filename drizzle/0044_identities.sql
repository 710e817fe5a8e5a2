CREATE TABLE "identities" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "identities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"name" text,
	"email" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "oidc_begins" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"browser_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"purpose" text NOT NULL,
	"next" text NOT NULL,
	"user_id" integer,
	"session_id" varchar(32),
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oidc_begins_purpose_check" CHECK ("oidc_begins"."purpose" in ('sign-in', 'link', 'reauthenticate'))
);
--> statement-breakpoint
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_auth_method_check";--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD COLUMN "oidc_issuer" text;--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD COLUMN "oidc_subject" text;--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD COLUMN "oidc_sid" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oidc_issuer" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oidc_subject" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oidc_sid" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "password_by_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_begins" ADD CONSTRAINT "oidc_begins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "identities_issuer_subject_key" ON "identities" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "identities_user_id_idx" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oidc_begins_user_id_idx" ON "oidc_begins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oidc_begins_expires_at_idx" ON "oidc_begins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_oidc_subject_idx" ON "sessions" USING btree ("oidc_subject") WHERE "sessions"."oidc_subject" is not null;--> statement-breakpoint
CREATE INDEX "sessions_oidc_sid_idx" ON "sessions" USING btree ("oidc_sid") WHERE "sessions"."oidc_sid" is not null;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_auth_method_check" CHECK ("sessions"."auth_method" in ('password', 'totp', 'backup_code', 'passkey', 'setup', 'registration', 'oidc'));