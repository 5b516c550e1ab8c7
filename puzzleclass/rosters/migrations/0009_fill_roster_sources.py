from django.db import migrations
from django.db.models import Q


class Places:
    """The sources of the schools, made when they are needed."""

    def __init__(self, apps, alias):
        self.rows = apps.get_model("rosters", "RosterSource").objects.using(alias)
        self.found = {}

    def of(self, school, name):
        """Return the key of the source; None if the school is unknown."""
        if school is None or name is None:
            return None
        if (school, name) not in self.found:
            row, _made = self.rows.get_or_create(school_id=school, name=name)
            self.found[school, name] = row.pk
        return self.found[school, name]


def fill(apps, schema_editor):
    """Let each identifier belong to a source of its school, and delete those without a school.

    What is left of a school that was deleted belongs to nobody: the next school that names the same
    source must not find its people.
    """
    alias = schema_editor.connection.alias

    def rows(name):
        return apps.get_model("rosters", name).objects.using(alias)

    places = Places(apps, alias)
    paths = {
        "SchoolId": ["school"],
        "ClassId": ["classroom__school"],
        "UserId": ["school"],
        "EnrolmentId": ["enrolment__classroom__school", "teaching__classroom__school"],
        "StudentMatch": ["school"],
    }
    for name, ways in paths.items():
        for way in ways:
            pairs = rows(name).exclude(**{way: None}).values_list("source", way).distinct()
            for source, school in sorted(pairs):
                place = places.of(school, source)
                rows(name).filter(**{"source": source, way: school}).update(place=place)
    add_further_schools(rows, places)
    convert_values(rows, places)
    for name in paths:
        rows(name).filter(place=None).delete()


def add_further_schools(rows, places):
    """Give whoever learns or teaches in a second school an identifier of that school, too."""
    users = {
        (row.source, row.user_id): row
        for row in rows("UserId").exclude(place=None).select_related("place")
    }
    made = {}
    for person in ("enrolment__student", "teaching__teacher"):
        present = rows("EnrolmentId").filter(left_at=None).exclude(Q(place=None) | Q(**{person: None}))
        for source, school, user in present.values_list("source", "place__school", person):
            row = users.get((source, user))
            if row and row.place.school_id != school:
                made[source, school, user] = row
    taken = set(rows("UserId").exclude(place=None).values_list("place", "sourced_id"))
    # The old constraint is still there, so the source is one that no row has.
    new = []
    for (source, school, user), row in made.items():
        place = places.of(school, source)
        if (place, row.sourced_id) not in taken:
            new.append(
                rows("UserId").model(
                    source=f"{place}", sourced_id=row.sourced_id, user_id=user, place_id=place,
                    school_id=school, master_id=row.master_id,
                )
            )  # fmt: skip
    rows("UserId").bulk_create(new, batch_size=500)


def convert_values(rows, places):
    """Let the values before an import, by which it is undone, name the sources of today."""
    tables = {f"rosters.{name}": name for name in ("SchoolId", "ClassId", "UserId", "EnrolmentId")}
    for row in rows("ChangedRow").filter(table__in=tables).select_related("of"):
        before, after = dict(row.before), None if row.after is None else dict(row.after)
        for values in filter(None, (before, after)):
            convert(values, rows, places, row, is_deleted=after is None)
        if row.before != before or row.after != after:
            row.before, row.after = before, after
            row.save(update_fields=["before", "after"])


def convert(values, rows, places, row, *, is_deleted):
    name = values.pop("source", row.of.source)
    moves = "school_id" in values
    school = values.pop("school_id", None)
    if not (moves or is_deleted):
        return
    if school is None:
        school = school_of_deleted(values, rows, row)
    place = places.of(school, name)
    if place is not None:
        values["source_id"] = place


def school_of_deleted(values, rows, row):
    """Return the school of a class, an enrolment or a role whose identifier was deleted."""
    classroom = values.get("classroom_id")
    for name, column in (("Enrolment", "enrolment_id"), ("Teaching", "teaching_id")):
        if key := values.get(column):
            before = row.of.changed.filter(table=f"classes.{name}", key=key).first()
            found = rows("ClassId").model._meta.apps.get_model("classes", name)
            there = found.objects.using(row._state.db).filter(pk=key).first()
            classroom = (
                there.classroom_id if there else before and before.before.get("classroom_id")
            )
    if classroom:
        place = rows("ClassId").filter(classroom_id=classroom).exclude(place=None).first()
        if place:
            return place.place.school_id
    school = row.of.schools.first()
    return school.pk if school else None


class Migration(migrations.Migration):
    """The identifiers of learning platforms have got tables of their own before."""

    dependencies = [("rosters", "0008_roster_sources"), ("lti", "0005_move_identifiers")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
