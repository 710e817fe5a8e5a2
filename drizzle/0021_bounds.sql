-- Set by imports whose rule names more occurrences a day than are followed: the rule itself stands in event_sources.
ALTER TABLE "events" ADD COLUMN "recurrence_unsupported" boolean DEFAULT false NOT NULL;
