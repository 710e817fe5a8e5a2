CREATE TABLE "project_tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"parent_task_id" integer,
	"is_top_level" boolean GENERATED ALWAYS AS (parent_task_id is null) STORED NOT NULL,
	"parent_is_top_level" boolean GENERATED ALWAYS AS (true) STORED NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"priority" text DEFAULT 'none' NOT NULL,
	"due_date" date,
	"rank" numeric NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "project_tasks_parent_key" UNIQUE("id","project_id","is_top_level"),
	CONSTRAINT "project_tasks_status_check" CHECK ("project_tasks"."status" in ('pending', 'in_progress', 'completed')),
	CONSTRAINT "project_tasks_priority_check" CHECK ("project_tasks"."priority" in ('none', 'low', 'medium', 'high'))
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"color" text,
	"status" text DEFAULT 'not_started' NOT NULL,
	"due_date" date,
	"is_tracked" boolean DEFAULT false NOT NULL,
	"rank" numeric NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "projects_status_check" CHECK ("projects"."status" in ('not_started', 'in_progress', 'on_hold', 'completed')),
	CONSTRAINT "projects_color_check" CHECK ("projects"."color" ~ '^#[0-9A-Fa-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "task_comments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"task_id" integer NOT NULL,
	"author_id" integer NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_tasks" ADD CONSTRAINT "project_tasks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_tasks" ADD CONSTRAINT "project_tasks_parent_fkey" FOREIGN KEY ("parent_task_id","project_id","parent_is_top_level") REFERENCES "public"."project_tasks"("id","project_id","is_top_level") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_task_id_project_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."project_tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "project_tasks_top_level_rank_key" ON "project_tasks" USING btree ("project_id","rank") WHERE "project_tasks"."parent_task_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "project_tasks_subtask_rank_key" ON "project_tasks" USING btree ("parent_task_id","rank");--> statement-breakpoint
CREATE INDEX "project_tasks_project_id_idx" ON "project_tasks" USING btree ("project_id","status");--> statement-breakpoint
CREATE INDEX "project_tasks_due_date_idx" ON "project_tasks" USING btree ("project_id","due_date","id") WHERE "project_tasks"."status" <> 'completed';--> statement-breakpoint
CREATE UNIQUE INDEX "projects_user_id_rank_key" ON "projects" USING btree ("user_id","rank");--> statement-breakpoint
CREATE INDEX "task_comments_task_id_idx" ON "task_comments" USING btree ("task_id","created_at","id");--> statement-breakpoint
CREATE INDEX "task_comments_author_id_idx" ON "task_comments" USING btree ("author_id");