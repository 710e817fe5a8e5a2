-- What search looks records up by. Drizzle does not know these columns, so that nothing else reads them.
--
-- A word is found whatever its accents and case: compatibility decomposition without the accents of Latin, Greek and
-- Cyrillic, and the letters that do not decompose as people type them. Words end at spaces, punctuation and signs, so
-- that the parts of e-mail addresses, numbers and hyphenated words are words. What the bodies name is bound when they are
-- made: no search_path, as a restore sets one, changes it.
CREATE FUNCTION "search_words"("value" text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_split_to_array(
	replace(replace(replace(replace(translate(
		regexp_replace(
			lower(normalize("value", NFKD) COLLATE "und-x-icu"), '[\u00ad\u0300-\u036f\ufe00-\ufe0f]', '', 'g'
		),
		'øłđðıħŧς', 'olddihtσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
	'[[:space:][:punct:][:cntrl:]$+<=>^`|~\u00a2-\u00b4\u00d7\u00f7\u200b-\u200d\u2044\u2060\u20a0-\u20cf\u2190-\u22ff\ufeff]+'
);--> statement-breakpoint
-- Every lexeme begins with the owner: the index keeps everybody's words apart, and a search costs nothing for what others
-- have. 'u1/word' is a word anywhere, by weight; 'u1=word' is one of the title.
CREATE FUNCTION "search_vector"("owner" text, "title" text, "texts" text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT coalesce(string_agg("entry", ' '), '')::tsvector
	FROM (
		SELECT format('''%1$s/%2$s'':%3$sA ''%1$s=%2$s''', "owner", left("word", 64), least("place", 16383))
		FROM unnest("search_words"("title")) WITH ORDINALITY AS "words" ("word", "place") WHERE "word" <> ''
		UNION ALL
		SELECT format('''%s/%s'':%s', "owner", left("word", 64), least("place", 16383))
		FROM unnest("search_words"("texts")) WITH ORDINALITY AS "words" ("word", "place") WHERE "word" <> ''
	) AS "entries" ("entry")
);--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "search" tsvector NOT NULL GENERATED ALWAYS AS (
	"search_vector"('c' || "calendar_id", "title", coalesce("location", '') || ' ' || coalesce("description", ''))
) STORED;--> statement-breakpoint
ALTER TABLE "todos" ADD COLUMN "search" tsvector NOT NULL GENERATED ALWAYS AS (
	"search_vector"('u' || "user_id", "title", coalesce("category", '') || ' ' || coalesce("description", ''))
) STORED;--> statement-breakpoint
ALTER TABLE "reminders" ADD COLUMN "search" tsvector NOT NULL GENERATED ALWAYS AS (
	"search_vector"('u' || "user_id", "title", "description")
) STORED;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "search" tsvector NOT NULL GENERATED ALWAYS AS (
	"search_vector"('u' || "user_id", "name", "description")
) STORED;--> statement-breakpoint
ALTER TABLE "project_tasks" ADD COLUMN "search" tsvector NOT NULL GENERATED ALWAYS AS (
	"search_vector"('p' || "project_id", "title", "description")
) STORED;--> statement-breakpoint
-- Telephone numbers also as people type them without spaces.
ALTER TABLE "people" ADD COLUMN "search" tsvector NOT NULL GENERATED ALWAYS AS (
	"search_vector"(
		'u' || "user_id",
		coalesce("first_name", '') || ' ' || coalesce("last_name", '') || ' ' || coalesce("nickname", ''),
		coalesce("email", '') || ' ' || coalesce("phone", '') || ' ' || coalesce("mobile", '')
			|| ' ' || regexp_replace(coalesce("phone", ''), '[^0-9]', '', 'g')
			|| ' ' || regexp_replace(coalesce("mobile", ''), '[^0-9]', '', 'g')
			|| ' ' || coalesce("company", '') || ' ' || coalesce("job_title", '') || ' ' || coalesce("category", '')
			|| ' ' || coalesce("address", '') || ' ' || coalesce("notes", '')
	)
) STORED;--> statement-breakpoint
-- Without a list of what is still to be sorted in, which every search would have to read.
CREATE INDEX "events_search_idx" ON "events" USING gin ("search") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "todos_search_idx" ON "todos" USING gin ("search") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "reminders_search_idx" ON "reminders" USING gin ("search") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "projects_search_idx" ON "projects" USING gin ("search") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "project_tasks_search_idx" ON "project_tasks" USING gin ("search") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "people_search_idx" ON "people" USING gin ("search") WITH (fastupdate = off);
