-- Compared with 0035_dav: what invitations are called, and private events for members, is the name of no other object.
CREATE OR REPLACE FUNCTION "public"."dav_name"("chosen" text, "uid" text, "id" integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce("chosen", CASE WHEN "uid" ~ '^(?!(inv|private)-[0-9]+$)[A-Za-z0-9][A-Za-z0-9@._+-]{0,199}$' THEN "uid" ELSE "id"::text END || '.ics');
