CREATE TABLE "connection_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "connection_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"sender_id" integer NOT NULL,
	"receiver_id" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"message" text,
	"responded_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connection_requests_status_check" CHECK ("connection_requests"."status" in ('pending', 'accepted', 'rejected', 'cancelled')),
	CONSTRAINT "connection_requests_not_oneself_check" CHECK ("connection_requests"."sender_id" <> "connection_requests"."receiver_id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"other_user_id" integer NOT NULL,
	"share_first_name" boolean,
	"share_last_name" boolean,
	"share_preferred_name" boolean,
	"share_email" boolean,
	"share_phone" boolean,
	"share_mobile" boolean,
	"share_birthday" boolean,
	"share_address" boolean,
	"share_company" boolean,
	"share_job_title" boolean,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connections_not_oneself_check" CHECK ("connections"."user_id" <> "connections"."other_user_id")
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "people_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"linked_user_id" integer,
	"first_name" text,
	"last_name" text,
	"nickname" text,
	"email" text,
	"phone" text,
	"mobile" text,
	"address" text,
	"company" text,
	"job_title" text,
	"birthday" text,
	"category" text,
	"notes" text,
	"is_favourite" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"vcard_uid" text,
	"vcard_hash" text,
	"vcard_kept" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "people_name_check" CHECK (num_nonnulls("people"."first_name", "people"."last_name", "people"."nickname") > 0),
	CONSTRAINT "people_birthday_check" CHECK ("people"."birthday" ~ '^(\d{4}|-)-\d{2}-\d{2}$'),
	CONSTRAINT "people_not_oneself_check" CHECK ("people"."linked_user_id" <> "people"."user_id")
);
--> statement-breakpoint
ALTER TABLE "connection_requests" ADD CONSTRAINT "connection_requests_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_requests" ADD CONSTRAINT "connection_requests_receiver_id_users_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_other_user_id_users_id_fk" FOREIGN KEY ("other_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_linked_user_id_users_id_fk" FOREIGN KEY ("linked_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connection_requests_pending_key" ON "connection_requests" USING btree (least("sender_id", "receiver_id"),greatest("sender_id", "receiver_id")) WHERE "connection_requests"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "connection_requests_sender_id_idx" ON "connection_requests" USING btree ("sender_id","id");--> statement-breakpoint
CREATE INDEX "connection_requests_receiver_id_idx" ON "connection_requests" USING btree ("receiver_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_user_id_other_user_id_key" ON "connections" USING btree ("user_id","other_user_id");--> statement-breakpoint
CREATE INDEX "connections_other_user_id_idx" ON "connections" USING btree ("other_user_id");--> statement-breakpoint
CREATE INDEX "people_user_id_idx" ON "people" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_linked_user_id_key" ON "people" USING btree ("user_id","linked_user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_vcard_uid_key" ON "people" USING btree ("user_id","vcard_uid");--> statement-breakpoint
CREATE INDEX "people_linked_user_id_idx" ON "people" USING btree ("linked_user_id");