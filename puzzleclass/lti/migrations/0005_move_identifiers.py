import re

from django.db import migrations

SOURCE = re.compile(r"lti ([1-9][0-9]*)")


def move(apps, schema_editor):
    """Move the identifiers that launches have made to the tables of their platforms.

    They stood among those of rosters, in the source "lti N". Whoever imported a roster could choose
    the same name. A roster always names its school there, and a launch never does. Where a roster of
    the platform's school has used the name, nobody can tell its rows from those of launches, so all
    of them stay with that roster, where no launch finds them. Rows of other schools, and those that
    only a roster can have, stay there as well.
    """
    alias = schema_editor.connection.alias

    def rows(app, name):
        return apps.get_model(app, name).objects.using(alias)

    platforms = dict(rows("lti", "Platform").values_list("pk", "school"))
    names = {
        *rows("rosters", "UserId").filter(source__startswith="lti ").values_list("source", flat=True),
        *rows("rosters", "ClassId").filter(source__startswith="lti ").values_list("source", flat=True),
    }
    for name in sorted(names):
        match = SOURCE.fullmatch(name)
        platform = int(match[1]) if match else 0
        school = platforms.get(platform)
        if match is None or (
            school is not None
            and rows("rosters", "SchoolId").filter(source=name, school=school).exists()
        ):
            continue
        users = rows("rosters", "UserId").filter(source=name)
        classes = rows("rosters", "ClassId").filter(source=name)
        by_rosters = rows("rosters", "SchoolId").filter(source=name).values("school")
        if school is None:
            # The platform is registered no more. Only what a roster may have written stays.
            users.exclude(school__in=by_rosters).delete()
            classes.exclude(classroom__school__in=by_rosters).delete()
            continue
        made = users.filter(school=school, left_at=None, master_id="")
        rows("lti", "PlatformUser").bulk_create(
            rows("lti", "PlatformUser").model(platform_id=platform, sub=sub, user_id=user)
            for sub, user in made.values_list("sourced_id", "user").iterator()
        )
        made.delete()
        opened = classes.exclude(classroom__school__in=by_rosters).filter(left_at=None)
        rows("lti", "PlatformClass").bulk_create(
            rows("lti", "PlatformClass").model(
                platform_id=platform, course_id=course, classroom_id=classroom
            )
            for course, classroom in opened.values_list("sourced_id", "classroom").iterator()
        )
        opened.delete()


class Migration(migrations.Migration):

    dependencies = [("lti", "0004_identifiers"), ("rosters", "0007_special_needs")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
