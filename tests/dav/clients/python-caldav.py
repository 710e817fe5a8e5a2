"""Uses the service as programs written with python-caldav do, and prints what they see as JSON."""

import datetime
import json
import sys
import uuid

import caldav
from caldav.elements import dav, ical
from caldav.lib import error

MARCH = {
    "start": datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc),
    "end": datetime.datetime(2026, 4, 1, tzinfo=datetime.timezone.utc),
}


def event(uid, summary, *more):
    return "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Somebody//EN",
            "BEGIN:VEVENT",
            f"UID:{uid}",
            "DTSTAMP:20260301T100000Z",
            f"SUMMARY:{summary}",
            *more,
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        ]
    )


LUNCH = ("DTSTART:20260310T120000Z", "DTEND:20260310T130000Z", "DESCRIPTION:In the park")
WEEKLY = ("DTSTART:20160106T180000Z", "DTEND:20160106T200000Z", "RRULE:FREQ=WEEKLY", "CATEGORIES:Music,Friends")


def summaries(objects):
    return sorted(str(one.icalendar_component["summary"]) for one in objects)


def paths(objects):
    return sorted(one.url.path for one in objects)


def refusal(work):
    """The name of the error that the library raises; None where there is none."""
    try:
        work()
        return None
    except error.DAVError as raised:
        return type(raised).__name__


def principal(client):
    own = client.principal()
    return {
        "path": own.url.path,
        "addresses": own.calendar_user_address_set(),
        "calendars": [one.url.path for one in own.calendars()],
        "speaks": [client.check_dav_support() is not None, client.check_cdav_support()],
        "schedules": client.check_scheduling_support(),
        "inbox": refusal(own.schedule_inbox),
    }


def collections(client):
    own = client.principal()
    calendar = own.make_calendar(name="Türen & Fenster", cal_id="made")
    found = own.calendar(name="Türen & Fenster").url.path
    calendar.set_properties([dav.DisplayName("Doors"), ical.CalendarColor("#112233FF")])
    told = [calendar.get_display_name(), calendar.get_property(ical.CalendarColor())]
    again = refusal(lambda: own.make_calendar(name="Again", cal_id="made"))
    components = calendar.get_supported_components()
    calendar.delete()
    left = [one.url.path for one in own.calendars()]
    return {"found": found, "told": told, "again": again, "components": components, "left": left}


def searches(client):
    calendar = client.principal().make_calendar(name="Searches", cal_id="searches")
    calendar.save_event(event("lunch@py", "Lunch", *LUNCH))
    calendar.save_event(event("weekly@py", "Choir", *WEEKLY))
    expanded = calendar.search(event=True, expand=True, **MARCH)
    return {
        "all": summaries(calendar.events()),
        "within": summaries(calendar.search(event=True, **MARCH)),
        "within_any": len(calendar.date_search(compfilter=None, **MARCH)),
        "outside": summaries(
            calendar.search(event=True, start=MARCH["start"] - datetime.timedelta(days=4000), end=MARCH["start"] - datetime.timedelta(days=3900))
        ),
        "expanded": sorted(one.icalendar_component["dtstart"].dt.isoformat() for one in expanded),
        "summary": summaries(calendar.search(event=True, summary="unc")),
        "description": summaries(calendar.search(event=True, description="park")),
        "category": summaries(calendar.search(event=True, category="Music")),
        "none": summaries(calendar.search(event=True, summary="nothing")),
        "by_uid": calendar.event_by_uid("lunch@py").url.path,
        "by_uid_of_any": calendar.object_by_uid("weekly@py").url.path,
        "by_other_uid": refusal(lambda: calendar.event_by_uid("nothing@py")),
        "multiget": paths(calendar.calendar_multiget([one.url for one in calendar.events()])),
        "children": len(calendar.children()),
        "busy": [line.strip() for line in calendar.freebusy_request(**MARCH).data.splitlines() if line.startswith("FREEBUSY")],
    }


def syncs(client):
    calendar = client.principal().make_calendar(name="Syncs", cal_id="syncs")
    kept, gone = [calendar.save_event(event(f"{name}@py", name, *LUNCH)) for name in ("kept", "gone")]
    copy = calendar.objects_by_sync_token(load_objects=True)
    before = len(list(copy))
    kept.icalendar_component["summary"] = "Changed"
    kept.save()
    gone.delete()
    calendar.save_event(event("new@py", "new", *LUNCH))
    updated, deleted = copy.sync()
    nothing = copy.sync()
    return {
        "before": before,
        "updated": summaries(updated),
        "deleted": paths(deleted),
        "nothing": [len(part) for part in nothing],
        "made_up": refusal(lambda: calendar.objects_by_sync_token("data:,made-up")),
    }


def conflicts(client):
    calendar = client.principal().make_calendar(name="Conflicts", cal_id="conflicts")
    first = calendar.save_event(event("one@py", "One", *LUNCH))
    other = caldav.Event(client, data=first.data, parent=calendar, url=calendar.url.join("other.ics"))
    stale = client.put(first.url, first.data, {"Content-Type": "text/calendar", "If-Match": '"1-0"'})
    copied = first.copy().save()
    return {
        "no_overwrite": refusal(lambda: calendar.save_event(event("one@py", "Two", *LUNCH), no_overwrite=True)),
        "no_create": refusal(lambda: calendar.save_event(event("two@py", "Two", *LUNCH), no_create=True)),
        "same_uid": refusal(lambda: other._put(False)),
        "stale": stale.status,
        "copy": len(str(uuid.UUID(copied.url.path.rsplit("/", 1)[1].removesuffix(".ics")))),
        "left": summaries(calendar.events()),
    }


def mixed(client):
    both = ["VEVENT", "VTODO"]
    calendar = client.principal().make_calendar(name="Both", cal_id="both", supported_calendar_component_set=both)
    calendar.save_event(event("lunch@py", "Lunch", *LUNCH))
    calendar.save_todo(event("milk@py", "Milk").replace("VEVENT", "VTODO"))
    copy = calendar.objects_by_sync_token(load_objects=True)
    before = summaries(copy)
    calendar.save_todo(event("bread@py", "Bread").replace("VEVENT", "VTODO"))
    calendar.event_by_uid("lunch@py").delete()
    updated, deleted = copy.sync()
    return {
        "components": calendar.get_supported_components(),
        "before": before,
        "updated": summaries(updated),
        "deleted": paths(deleted),
        "events": summaries(calendar.events()),
        "todos": summaries(calendar.todos()),
        "same_uid": refusal(lambda: calendar.save_event(event("milk@py", "Two", *LUNCH))),
        "left": calendar.delete(),
    }


url, username, password = sys.argv[1:]
with caldav.DAVClient(url=url, username=username, password=password) as one_client:
    parts = (principal, collections, searches, syncs, conflicts, mixed)
    print(json.dumps({part.__name__: part(one_client) for part in parts}))
