-- Settled requests keep both names as they were then; those that were settled before keep what they are now.
ALTER TABLE "connection_requests" ADD COLUMN "sender_network_name" text;--> statement-breakpoint
ALTER TABLE "connection_requests" ADD COLUMN "sender_preferred_name" text;--> statement-breakpoint
ALTER TABLE "connection_requests" ADD COLUMN "receiver_network_name" text;--> statement-breakpoint
ALTER TABLE "connection_requests" ADD COLUMN "receiver_preferred_name" text;--> statement-breakpoint
WITH "shown" AS (
	SELECT "users"."id", "others"."id" AS "viewer_id", "users"."network_name",
		CASE WHEN coalesce("connections"."share_preferred_name", "settings"."share_preferred_name")
			THEN "settings"."preferred_name" END AS "preferred_name"
	FROM (
		SELECT "sender_id" AS "id", "receiver_id" AS "other_id" FROM "connection_requests"
		UNION SELECT "receiver_id", "sender_id" FROM "connection_requests"
	) AS "pairs"
	JOIN "users" ON "users"."id" = "pairs"."id"
	JOIN "users" AS "others" ON "others"."id" = "pairs"."other_id"
	LEFT JOIN "settings" ON "settings"."user_id" = "users"."id"
	LEFT JOIN "connections" ON "connections"."user_id" = "users"."id" AND "connections"."other_user_id" = "others"."id"
)
UPDATE "connection_requests" SET
	"sender_network_name" = "sender"."network_name", "sender_preferred_name" = "sender"."preferred_name",
	"receiver_network_name" = "receiver"."network_name", "receiver_preferred_name" = "receiver"."preferred_name"
FROM "shown" AS "sender", "shown" AS "receiver"
WHERE "status" <> 'pending' AND "sender"."id" = "sender_id" AND "sender"."viewer_id" = "receiver_id"
	AND "receiver"."id" = "receiver_id" AND "receiver"."viewer_id" = "sender_id";--> statement-breakpoint
ALTER TABLE "connection_requests" ADD CONSTRAINT "connection_requests_settled_check" CHECK (
	num_nonnulls("sender_network_name", "receiver_network_name") = CASE WHEN "status" = 'pending' THEN 0 ELSE 2 END
);--> statement-breakpoint
-- To its sender a rejected request stays pending; one that a later request has replaced counts as taken back.
UPDATE "connection_requests" AS "old" SET "status" = 'cancelled'
WHERE "old"."status" = 'rejected' AND EXISTS (
	SELECT FROM "connection_requests" AS "later" WHERE "later"."id" > "old"."id" AND (
		("later"."sender_id" = "old"."sender_id" AND "later"."receiver_id" = "old"."receiver_id")
		OR ("later"."status" = 'accepted' AND "later"."sender_id" = "old"."receiver_id" AND "later"."receiver_id" = "old"."sender_id")
	)
);--> statement-breakpoint
DELETE FROM "notifications" USING "connection_requests"
WHERE "notifications"."type" = 'connection_request' AND "notifications"."user_id" = "connection_requests"."receiver_id"
	AND "notifications"."data" = jsonb_build_object('request_id', "connection_requests"."id")
	AND "connection_requests"."status" = 'cancelled';--> statement-breakpoint
CREATE TABLE "blocks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blocks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"blocked_user_id" integer NOT NULL,
	"network_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blocks_not_oneself_check" CHECK ("blocks"."user_id" <> "blocks"."blocked_user_id")
);
--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocked_user_id_users_id_fk" FOREIGN KEY ("blocked_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "blocks_user_id_blocked_user_id_key" ON "blocks" USING btree ("user_id","blocked_user_id");--> statement-breakpoint
CREATE INDEX "blocks_blocked_user_id_idx" ON "blocks" USING btree ("blocked_user_id");--> statement-breakpoint
-- One unread notification for each type and subject: of those that there are the newest stays unread.
ALTER TABLE "notifications" ADD COLUMN "subject_id" integer GENERATED ALWAYS AS (case when type in ('security', 'system') then null else coalesce(case when type = 'event_response' then (data ->> 'invitation_id')::integer end, (data ->> 'event_id')::integer, (data ->> 'invite_id')::integer, (data ->> 'request_id')::integer, (data ->> 'connection_id')::integer) end) STORED;--> statement-breakpoint
UPDATE "notifications" SET "is_read" = true WHERE "id" IN (
	SELECT "id" FROM (
		SELECT "id", row_number() OVER (
			PARTITION BY "user_id", "type", "subject_id" ORDER BY "created_at" DESC, "id" DESC
		) AS "place"
		FROM "notifications" WHERE NOT "is_read" AND "subject_id" IS NOT NULL
	) AS "unread" WHERE "place" > 1
);--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_unread_subject_key" ON "notifications" USING btree ("user_id","type","subject_id") WHERE not "notifications"."is_read";--> statement-breakpoint
-- A single line holds no control characters but tabs, and no directions that reach beyond it. What came out of files is read
-- without them from now on: so is what was read before, or an export would take it for edited.
CREATE FUNCTION "public"."tidy_line"("text" text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE WHEN "text" ~ '[\u0001-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e]'
	THEN nullif(regexp_replace(regexp_replace(regexp_replace("text", '[\u202a-\u202e]', '', 'g'), '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'), '^\s+|\s+$', '', 'g'), '')
	ELSE "text"
END;--> statement-breakpoint
CREATE FUNCTION "public"."tidy_lines"("text" text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE WHEN "text" ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]'
	THEN nullif(regexp_replace(regexp_replace(regexp_replace("text", '[\u202a-\u202e]', '', 'g'), '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]', ' ', 'g'), '^\s+|\s+$', '', 'g'), '')
	ELSE "text"
END;--> statement-breakpoint
UPDATE "people" SET
	"first_name" = "tidy_line"("first_name"),
	"last_name" = "tidy_line"("last_name"),
	"nickname" = CASE WHEN num_nonnulls("tidy_line"("first_name"), "tidy_line"("last_name"), "tidy_line"("nickname")) > 0
		THEN "tidy_line"("nickname") ELSE 'Untitled' END,
	"phone" = "tidy_line"("phone"),
	"mobile" = "tidy_line"("mobile"),
	"address" = "tidy_lines"("address"),
	"company" = "tidy_line"("company"),
	"job_title" = "tidy_line"("job_title"),
	"category" = "tidy_line"("category"),
	"version" = "version" + 1
WHERE ("first_name", "last_name", "nickname", "phone", "mobile", "address", "company", "job_title", "category") IS DISTINCT FROM ("tidy_line"("first_name"), "tidy_line"("last_name"), "tidy_line"("nickname"), "tidy_line"("phone"), "tidy_line"("mobile"), "tidy_lines"("address"), "tidy_line"("company"), "tidy_line"("job_title"), "tidy_line"("category"));--> statement-breakpoint
UPDATE "events" SET
	"title" = coalesce("tidy_line"("title"), '(no title)'),
	"location" = "tidy_line"("location"),
	"version" = "version" + 1
WHERE ("title", "location") IS DISTINCT FROM (coalesce("tidy_line"("title"), '(no title)'), "tidy_line"("location"));--> statement-breakpoint
UPDATE "event_templates" SET
	"title" = coalesce("tidy_line"("title"), 'Untitled'),
	"location" = "tidy_line"("location"),
	"version" = "version" + 1
WHERE ("title", "location") IS DISTINCT FROM (coalesce("tidy_line"("title"), 'Untitled'), "tidy_line"("location"));--> statement-breakpoint
UPDATE "todos" SET
	"title" = coalesce("tidy_line"("title"), 'Untitled'),
	"category" = "tidy_line"("category"),
	"version" = "version" + 1
WHERE ("title", "category") IS DISTINCT FROM (coalesce("tidy_line"("title"), 'Untitled'), "tidy_line"("category"));--> statement-breakpoint
UPDATE "reminders" SET
	"title" = coalesce("tidy_line"("title"), 'Untitled'),
	"version" = "version" + 1
WHERE ("title") IS DISTINCT FROM (coalesce("tidy_line"("title"), 'Untitled'));--> statement-breakpoint
UPDATE "projects" SET
	"name" = coalesce("tidy_line"("name"), 'Untitled'),
	"version" = "version" + 1
WHERE ("name") IS DISTINCT FROM (coalesce("tidy_line"("name"), 'Untitled'));--> statement-breakpoint
UPDATE "project_tasks" SET
	"title" = coalesce("tidy_line"("title"), 'Untitled'),
	"version" = "version" + 1
WHERE ("title") IS DISTINCT FROM (coalesce("tidy_line"("title"), 'Untitled'));--> statement-breakpoint
UPDATE "passkeys" SET
	"name" = coalesce("tidy_line"("name"), 'Untitled')
WHERE ("name") IS DISTINCT FROM (coalesce("tidy_line"("name"), 'Untitled'));--> statement-breakpoint
UPDATE "settings" SET
	"preferred_name" = "tidy_line"("preferred_name"),
	"first_name" = "tidy_line"("first_name"),
	"last_name" = "tidy_line"("last_name"),
	"phone" = "tidy_line"("phone"),
	"mobile" = "tidy_line"("mobile"),
	"address" = "tidy_lines"("address"),
	"company" = "tidy_line"("company"),
	"job_title" = "tidy_line"("job_title"),
	"weather_city" = "tidy_line"("weather_city")
WHERE ("preferred_name", "first_name", "last_name", "phone", "mobile", "address", "company", "job_title", "weather_city") IS DISTINCT FROM ("tidy_line"("preferred_name"), "tidy_line"("first_name"), "tidy_line"("last_name"), "tidy_line"("phone"), "tidy_line"("mobile"), "tidy_lines"("address"), "tidy_line"("company"), "tidy_line"("job_title"), "tidy_line"("weather_city"));--> statement-breakpoint
UPDATE "connection_requests" SET
	"sender_preferred_name" = "tidy_line"("sender_preferred_name"),
	"receiver_preferred_name" = "tidy_line"("receiver_preferred_name")
WHERE ("sender_preferred_name", "receiver_preferred_name") IS DISTINCT FROM ("tidy_line"("sender_preferred_name"), "tidy_line"("receiver_preferred_name"));--> statement-breakpoint
-- Two names of one user that become the same stay apart by their ids.
UPDATE "calendars" AS "named" SET
	"name" = coalesce("tidy_line"("name"), 'Untitled') || CASE WHEN EXISTS (
		SELECT FROM "calendars" AS "other" WHERE "other"."user_id" = "named"."user_id" AND "other"."id" <> "named"."id"
			AND coalesce("tidy_line"("other"."name"), 'Untitled') = coalesce("tidy_line"("named"."name"), 'Untitled')
	) THEN ' (' || "id" || ')' ELSE '' END
WHERE "name" IS DISTINCT FROM "tidy_line"("name");--> statement-breakpoint
UPDATE "event_templates" AS "named" SET
	"name" = coalesce("tidy_line"("name"), 'Untitled') || CASE WHEN EXISTS (
		SELECT FROM "event_templates" AS "other" WHERE "other"."user_id" = "named"."user_id" AND "other"."id" <> "named"."id"
			AND coalesce("tidy_line"("other"."name"), 'Untitled') = coalesce("tidy_line"("named"."name"), 'Untitled')
	) THEN ' (' || "id" || ')' ELSE '' END,
	"version" = "version" + 1
WHERE "name" IS DISTINCT FROM "tidy_line"("name");--> statement-breakpoint
DROP FUNCTION "public"."tidy_line";--> statement-breakpoint
DROP FUNCTION "public"."tidy_lines";
