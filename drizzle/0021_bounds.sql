-- Set by imports whose rule names more occurrences a day than are followed: the rule itself stands in event_sources.
ALTER TABLE "events" ADD COLUMN "recurrence_unsupported" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE TABLE "sent_invitations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sent_invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"sender_id" integer NOT NULL,
	"receiver_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE "sent_invitations" ADD CONSTRAINT "sent_invitations_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_invitations" ADD CONSTRAINT "sent_invitations_receiver_id_users_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sent_invitations_sender_id_idx" ON "sent_invitations" USING btree ("sender_id","receiver_id","created_at");--> statement-breakpoint
CREATE INDEX "sent_invitations_receiver_id_idx" ON "sent_invitations" USING btree ("receiver_id");--> statement-breakpoint
CREATE INDEX "sent_invitations_created_at_idx" ON "sent_invitations" USING btree ("created_at");--> statement-breakpoint
-- Of a user to whom very much is due one pass plans the earliest, and the next goes on from there.
ALTER TABLE "push_wakes" ADD COLUMN "planned_to" timestamp (3) with time zone;
