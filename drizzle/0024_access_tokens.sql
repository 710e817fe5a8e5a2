CREATE TABLE "access_tokens" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"token_hash" text NOT NULL,
	"prefix" varchar(8) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_ip" varchar(45)
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_token_hash_key" ON "access_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "access_tokens_user_id_idx" ON "access_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
-- Whether a session, or the access token that stands in for one, is unrevoked and unexpired at the moment of the call.
-- Volatile, as session_is_live is, so that a statement that waits for a lock sees what was revoked meanwhile.
CREATE FUNCTION "public"."credential_is_live"("credential" text, "credential_user_id" integer, "at" timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF starts_with("credential", 'token-') THEN
		RETURN EXISTS (
			SELECT FROM "access_tokens"
				WHERE "id" = substr("credential", 7)::integer AND "user_id" = "credential_user_id"
					AND ("expires_at" IS NULL OR "expires_at" > "at")
		);
	END IF;
	RETURN public.session_is_live("credential", "credential_user_id", "at");
END
$$;
