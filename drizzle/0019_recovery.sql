ALTER TABLE "calendar_feeds" ADD COLUMN "last_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE TABLE "seen_user_agents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seen_user_agents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"user_agent" varchar(255) NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "seen_user_agents" ADD CONSTRAINT "seen_user_agents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "seen_user_agents_user_id_user_agent_key" ON "seen_user_agents" USING btree ("user_id","user_agent");--> statement-breakpoint
CREATE INDEX "seen_user_agents_last_seen_at_idx" ON "seen_user_agents" USING btree ("last_seen_at");--> statement-breakpoint
-- Browsers that are signed in when the migration runs are not new to their users at the next sign-in.
INSERT INTO "seen_user_agents" ("user_id", "user_agent", "last_seen_at")
	SELECT "user_id", coalesce("user_agent", ''), max("last_seen_at") FROM "sessions" GROUP BY 1, 2;
