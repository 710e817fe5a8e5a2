-- The images of one user by table, for what is deleted for good; those of the same table and user share an entry.
DROP INDEX "history_owner_id_idx";--> statement-breakpoint
CREATE INDEX "history_owner_id_idx" ON "history" USING btree ("owner_id","tab");--> statement-breakpoint
-- Images of others' things that name a user, who may go.
CREATE INDEX "history_linked_user_idx" ON "history" USING btree ((("before" ->> 'linked_user_id')::integer)) WHERE "history"."tab" = 'people' and "history"."before" ->> 'linked_user_id' is not null;--> statement-breakpoint
CREATE INDEX "history_guest_idx" ON "history" USING btree ((("before" ->> 'user_id')::integer)) WHERE "history"."tab" = 'event_invitations';--> statement-breakpoint
-- Compared with 0028_history: people in the history lose their link with whoever goes, as the people that are there do, and answers
-- go whose invitation goes now.
CREATE OR REPLACE FUNCTION "public"."history_of_users_gone"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	-- What went with something of theirs names no owner, but belongs to an operation that touched nobody else's things.
	DELETE FROM "history" WHERE "owner_id" IS NULL AND "operation" IN (
		SELECT "operation" FROM "history" WHERE "owner_id" IN (SELECT "id" FROM "former")
		EXCEPT SELECT "operation" FROM "history" AS "other" WHERE "other"."owner_id" NOT IN (SELECT "id" FROM "former")
			AND "other"."operation" IN (SELECT "operation" FROM "history" WHERE "owner_id" IN (SELECT "id" FROM "former"))
	);
	DELETE FROM "history" WHERE "tab" = 'event_invitations'
		AND ("before" ->> 'user_id')::integer IN (SELECT "id" FROM "former");
	-- Answers to invitations that are gone, and can no longer come back.
	DELETE FROM "history" WHERE "tab" = 'occurrence_responses'
		AND NOT EXISTS (SELECT FROM "event_invitations" WHERE "id" = split_part("row_key", '/', 1)::integer)
		AND NOT EXISTS (
			SELECT FROM "history" AS "invitation" WHERE "invitation"."tab" = 'event_invitations'
				AND "invitation"."row_key" = split_part("history"."row_key", '/', 1) AND "invitation"."before" IS NOT NULL
		);
	DELETE FROM "history" WHERE "operation" = "history_operation"();
	DELETE FROM "history" WHERE "owner_id" IN (SELECT "id" FROM "former");
	UPDATE "history" SET "before" = "before" || '{"linked_user_id": null}' WHERE "tab" = 'people'
		AND "before" ->> 'linked_user_id' IS NOT NULL
		AND ("before" ->> 'linked_user_id')::integer IN (SELECT "id" FROM "former");
	RETURN NULL;
END
$$;
