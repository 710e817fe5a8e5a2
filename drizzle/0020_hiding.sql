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
	AND "connection_requests"."status" = 'cancelled';
