-- The numbers by which other programs sort todos, X-APPLE-SORT-ORDER (contract: todos.order).
ALTER TABLE "todos" ADD COLUMN "sort_order" bigint;--> statement-breakpoint
CREATE INDEX "todos_sort_order_idx" ON "todos" USING btree ("list_id",coalesce("sort_order", floor(extract(epoch from "created_at" at time zone 'UTC'))::bigint - 978307200),"rank");--> statement-breakpoint
-- Texts that are there already say the number that their todos get. No object changes by that, so nobody needs to hear of it.
ALTER TABLE "todos" DISABLE TRIGGER "todos_history_update";--> statement-breakpoint
ALTER TABLE "todos" DISABLE TRIGGER "todos_sync_update";--> statement-breakpoint
ALTER TABLE "todos" DISABLE TRIGGER "todos_sync_list_update";--> statement-breakpoint
ALTER TABLE "todo_texts" DISABLE TRIGGER "todo_texts_history_update";--> statement-breakpoint
UPDATE "todos" SET "sort_order" = "given"."number"::bigint
	FROM (
		SELECT "todo_id", substring("text" FROM '(?in)^X-APPLE-SORT-ORDER:[ \t]*([-+]?[0-9]{1,15})[ \t\r]*$') AS "number" FROM "todo_texts"
	) AS "given"
	WHERE "given"."todo_id" = "todos"."id" AND "given"."number" IS NOT NULL;--> statement-breakpoint
UPDATE "todo_texts" SET "said" = "said" || jsonb_build_object('sortOrder', "todos"."sort_order")
	FROM "todos" WHERE "todos"."id" = "todo_texts"."todo_id" AND "todos"."sort_order" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "todos" ENABLE TRIGGER "todos_history_update";--> statement-breakpoint
ALTER TABLE "todos" ENABLE TRIGGER "todos_sync_update";--> statement-breakpoint
ALTER TABLE "todos" ENABLE TRIGGER "todos_sync_list_update";--> statement-breakpoint
ALTER TABLE "todo_texts" ENABLE TRIGGER "todo_texts_history_update";--> statement-breakpoint
-- Images of todos and of their texts, too, so that undoing what was before takes no number away.
UPDATE "history" SET "before" = "before" || jsonb_build_object('sort_order', "todos"."sort_order")
	FROM "todos" WHERE "tab" = 'todos' AND "row_key" = "todos"."id"::text AND "before" IS NOT NULL AND "todos"."sort_order" IS NOT NULL;--> statement-breakpoint
UPDATE "history" SET "before" = jsonb_set("before", '{said,sortOrder}', to_jsonb("todos"."sort_order"))
	FROM "todos" WHERE "tab" = 'todo_texts' AND "row_key" = "todos"."id"::text AND "before" IS NOT NULL AND "todos"."sort_order" IS NOT NULL;
