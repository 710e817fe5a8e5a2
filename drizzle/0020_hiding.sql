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
-- A single line holds no control characters but tabs. What came out of files is read with spaces in their place from now on:
-- so is what was read before, or an export would take it for edited.
UPDATE "people" SET
	"first_name" = regexp_replace("first_name", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"last_name" = regexp_replace("last_name", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"nickname" = regexp_replace("nickname", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"phone" = regexp_replace("phone", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"mobile" = regexp_replace("mobile", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"address" = regexp_replace("address", '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]', ' ', 'g'),
	"company" = regexp_replace("company", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"job_title" = regexp_replace("job_title", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"category" = regexp_replace("category", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g')
WHERE concat("first_name", "last_name", "nickname", "phone", "mobile", "address", "company", "job_title", "category")
	~ '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]';--> statement-breakpoint
UPDATE "events" SET
	"title" = regexp_replace("title", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g'),
	"location" = regexp_replace("location", '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]', ' ', 'g')
WHERE concat("title", "location") ~ '[\u0001-\u0008\u000a-\u001f\u007f-\u009f]';
