"""A OneRoster ZIP of a small school, for tests that change it."""

import csv
import io
import zipfile

BULK = {
    "manifest": [
        ["propertyName", "value"],
        ["manifest.version", "1.0"],
        ["oneroster.version", "1.2_JP"],
        ["source.systemCode", "koumu"],
    ],
    "orgs": [
        ["sourcedId", "status", "dateLastModified", "name", "type", "identifier"],
        ["d1", "", "", "みどり市", "district", ""],
        ["o1", "", "", "みどり小学校", "school", ""],
    ],
    "academicSessions": [
        ["sourcedId", "title", "type", "startDate", "endDate", "schoolYear"],
        ["t1", "2026年度", "schoolYear", "2026-04-01", "2027-03-31", "2026"],
    ],
    "courses": [["sourcedId", "title", "orgSourcedId"], ["k1", "ホームルーム", "o1"]],
    "classes": [
        ["sourcedId", "title", "grades", "courseSourcedId", "classType", "schoolSourcedId",
         "termSourcedIds", "metadata.jp.specialNeeds"],
        ["c1", "4年1組", "P4", "k1", "homeroom", "o1", "t1", "false"],
        ["c2", "4年2組", "P4", "k1", "homeroom", "o1", "t1", "false"],
    ],
    "users": [
        ["sourcedId", "enabledUser", "username", "givenName", "familyName", "email",
         "userMasterIdentifier", "preferredGivenName", "preferredFamilyName",
         "primaryOrgSourcedId", "metadata.jp.kanaGivenName", "metadata.jp.kanaFamilyName",
         "metadata.jp.homeClass"],
        ["u1", "true", "abe", "陽斗", "安部", "", "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d", "", "",
         "o1", "ハルト", "アベ", "c1"],
        ["u2", "true", "ito", "結衣", "伊藤", "", "", "ゆい", "", "o1", "ユイ", "イトウ", "c1"],
        ["u3", "true", "kato", "蓮", "加藤", "", "", "", "", "o1", "", "", "c2"],
        ["u9", "true", "sato", "恵子", "佐藤", "", "", "", "", "o1", "", "", ""],
        ["p1", "true", "oya", "一郎", "安部", "", "", "", "", "o1", "", "", ""],
    ],
    "roles": [
        ["sourcedId", "userSourcedId", "roleType", "role", "orgSourcedId"],
        ["r1", "u1", "primary", "student", "o1"],
        ["r2", "u2", "primary", "student", "o1"],
        ["r3", "u3", "primary", "student", "o1"],
        ["r9", "u9", "primary", "teacher", "o1"],
        ["r5", "p1", "primary", "guardian", "o1"],
    ],
    "enrollments": [
        ["sourcedId", "classSourcedId", "schoolSourcedId", "userSourcedId", "role", "primary",
         "beginDate", "endDate", "metadata.jp.shussekiNo", "metadata.jp.publicFlg"],
        ["e1", "c1", "o1", "u1", "student", "false", "2026-04-01", "", "1", "true"],
        ["e2", "c1", "o1", "u2", "student", "false", "2026-04-01", "", "2", "true"],
        ["e3", "c2", "o1", "u3", "student", "false", "2026-04-01", "", "1", "true"],
        ["e9", "c1", "o1", "u9", "teacher", "true", "2026-04-01", "", "", ""],
    ],
}  # fmt: skip


def tables(**changed):
    """Return the tables of the bulk roster with some of them replaced, None for a missing one."""
    copied = {name: [list(row) for row in rows] for name, rows in BULK.items()}
    return {name: rows for name, rows in (copied | changed).items() if rows is not None}


def tables_of_two_schools():
    """Return the tables of the bulk roster, and a second school with a class of one student."""
    given = tables()
    given["orgs"].append(["o2", "", "", "あおば小学校", "school", ""])
    given["classes"].append(["c5", "1年1組", "P1", "k1", "homeroom", "o2", "t1", ""])
    given["users"].append(["u5", "true", "ueda", "空", "上田", *[""] * 4, "o2", "", "", ""])
    given["roles"].append(["r6", "u5", "primary", "student", "o2"])
    given["enrollments"].append(["e5", "c5", "o2", "u5", "student", "false", *[""] * 4])
    return given


def packed(tables, mode="bulk", *, bom=False, end="\r\n", modes=True):
    """Return the ZIP of the tables. Its manifest lists them unless it lists some already."""
    manifest = [*tables["manifest"]]
    if modes:
        manifest += [[f"file.{name}", mode] for name in tables if name != "manifest"]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in (tables | {"manifest": manifest}).items():
            text = io.StringIO()
            csv.writer(text, lineterminator=end).writerows(rows)
            archive.writestr(f"{name}.csv", text.getvalue().encode("utf-8-sig" if bom else "utf-8"))
    return file.getvalue()
