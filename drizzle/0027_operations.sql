CREATE TABLE "operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"credential" text NOT NULL,
	"name" text NOT NULL,
	"key" varchar(128),
	"fingerprint" text,
	"is_open" boolean DEFAULT false NOT NULL,
	"item" integer,
	"answer" jsonb,
	"undone_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operations_user_id_idx" ON "operations" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "operations_user_id_key_key" ON "operations" USING btree ("user_id","key") WHERE "operations"."key" is not null;--> statement-breakpoint
-- Notes the operation that the transaction belongs to, if its session or access token is still live then; returns whether it is.
-- The rest of the transaction finds the operation's id in organiser.operation. Without an id it only looks at the credential.
-- An import begins its operation in each of its transactions.
CREATE FUNCTION "public"."begin_operation"("credential" text, "credential_user_id" integer, "at" timestamptz, "operation" uuid,
	"operation_name" text, "operation_key" text, "operation_fingerprint" text, "is_open" boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF NOT public.credential_is_live("credential", "credential_user_id", "at") THEN
		RETURN false;
	END IF;
	IF "operation" IS NOT NULL THEN
		INSERT INTO "operations" ("id", "user_id", "credential", "name", "key", "fingerprint", "is_open", "created_at")
			VALUES ("operation", "credential_user_id", "credential", "operation_name", "operation_key", "operation_fingerprint",
				"begin_operation"."is_open", "at")
			ON CONFLICT ("id") DO NOTHING;
		PERFORM set_config('organiser.operation', "operation"::text, true);
	END IF;
	RETURN true;
END
$$;
