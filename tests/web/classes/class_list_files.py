"""Class lists by their classes, birthdays, sheets, kinds of files and encodings."""

from datetime import date

from openpyxl import Workbook
from openpyxl.chart import BarChart

from tests.web.classes.class_lists import (
    Asked,
    Lists,
    Read,
    Refused,
    Student,
    book_of,
    csv_of,
    truth,
    zip_of,
)


def class_dates(lists: Lists) -> None:
    """Classes that Excel has turned into dates."""
    people = lists.people()
    meant = [Student(f"4-{1 + p.number // 4}", p.number, p.name) for p in people]
    asked = Asked({"dates": "month"}, meant)
    head = ("クラス", "番号", "氏名")
    days = {p.number: 1 + p.number // 4 for p in people}
    for form in (
        "4月{}日",
        "{}-Apr",
        "Apr-{:02}",
        "2026/4/{}",
        "2026-04-{:02}",
        "4/{}",
        "令和8年4月{}日",
        "R8.4.{}",
        "2026年4月{}日",
        "2026-04-{:02} 00:00:00",
        "{}-Apr-26",
    ):
        rows = [(form.format(days[p.number]), p.number, p.name) for p in people]
        lists.add(f"a class like {form}", csv_of([head, *rows]), asked)
    serials = [(46112 + days[p.number], p.number, p.name) for p in people]
    lists.add("a class as the number of a day", csv_of([head, *serials]), asked)
    for form in ('m"月"d"日"', "d-mmm", "mmm-yy", "yyyy/m/d", "m-d", "[$-411]ge.m.d", "yyyy-mm-dd"):

        def as_dates(book: Workbook, form: str = form) -> None:
            for cells in book.active.iter_rows(min_row=2, max_col=1):
                cells[0].number_format = form

        rows = [(date(2026, 4, days[p.number]), p.number, p.name) for p in people]
        lists.add(f"a cell like {form}", book_of(("a", [head, *rows]), change=as_dates), asked)
    bare = csv_of((f"4月{days[p.number]}日", p.number, p.name) for p in people)
    both = Asked({"column": "CLASS", "dates": "month"}, meant)
    lists.add("dates without headings", bare, both)
    other = [s._replace(class_name="-".join(reversed(s.class_name.split("-")))) for s in meant]
    rows = [(f"{days[p.number]}-Apr", p.number, p.name) for p in people]
    lists.add("the day is the year", csv_of([head, *rows]), Asked({"dates": "day"}, other))


def class_names(lists: Lists) -> None:
    """Classes in all kinds of writing."""
    people = lists.people()
    head = ("クラス", "番号", "氏名")
    wanted = Read(truth(people, "4-2"))
    for sign in "-‐‑–—−ー－":
        rows = [(f"4{sign}2", p.number, p.name) for p in people]
        lists.add(f"a class with {ord(sign):x}", csv_of([head, *rows]), wanted)
    signs = [(f"4{'-‐–−ー－'[p.number - 1]}2", p.number, p.name) for p in people]
    lists.add("a class with six signs", csv_of([head, *signs]), wanted)
    lists.add("six signs without headings", csv_of(signs), wanted)
    rows = [("'4-2", p.number, p.name) for p in people]
    lists.add("a class with an apostrophe", csv_of([head, *rows]), wanted)
    once = [("4-2" if p.number == 1 else "", p.number, p.name) for p in people]
    lists.add(
        "a class only in the first row",
        csv_of([head, *once]),
        Asked({"above": "above"}, truth(people, "4-2")),
    )
    halves = [
        ("4年1組" if p.number == 1 else "4年2組" if p.number == 4 else "", p.number, p.name)
        for p in people
    ]
    classes = [Student("4年1組" if p.number < 4 else "4年2組", p.number, p.name) for p in people]

    def merge(book: Workbook) -> None:
        book.active.merge_cells("A2:A4")
        book.active.merge_cells("A5:A7")

    merged = book_of(("a", [head, *halves]), change=merge)
    lists.add("merged class cells", merged, Read(classes))
    lists.add(
        "merged class cells as text", csv_of([head, *halves]), Asked({"above": "above"}, classes)
    )
    for title in (
        "4年2組",
        "4年2組 児童名簿",
        "【4年2組】",
        "４年２組",
        "4-2",
        "担任 山田　4年2組",
    ):
        rows = [(p.number, p.name) for p in people]
        name = "4-2" if title == "4-2" else "4年2組"
        text = csv_of([(title,), ("番号", "氏名"), *rows])
        lists.add(f"the title {title}", text, Read(truth(people, name)))
    mixed = [("4年2組" if p.number % 2 else "4-2", p.number, p.name) for p in people]
    lists.add("one class in two spellings", csv_of([head, *mixed]), Read(truth(people, "4年2組")))
    lines = "\n".join(["4年2組", *(f"{p.number} {p.name}" for p in people)])
    lists.add("a title above lines", lines, Read(truth(people, "4年2組")))
    names = "\n".join(["4年2組 名簿", *(p.name for p in people)])
    lists.add("a title above names", names, Read(truth(people, "4年2組")))


def birthdays(lists: Lists) -> None:
    """Birthdays, which are never stored."""
    people = lists.people()
    wanted = Read(truth(people))

    def written(form: str, day: date) -> str:
        serial = (day - date(1899, 12, 30)).days
        return form.format(y=day.year, m=day.month, d=day.day, h=day.year - 1988, s=serial)

    for form in (
        "{y}年{m}月{d}日",
        "平成{h}年{m}月{d}日",
        "H{h}.{m}.{d}",
        "{s}",
        "{y}{m:02}{d:02}",
        "{y}/{m}/{d}",
    ):
        table = [(p.number, p.name, written(form, p.birthday)) for p in people]
        headed = csv_of([("番号", "氏名", "生年月日"), *table])
        lists.add(f"birthdays {form} with a heading", headed, wanted)
        lists.add(f"birthdays {form} in a column", csv_of(table), wanted)
        lines = "\n".join(" ".join(map(str, row)) for row in table)
        lists.add(f"birthdays {form} in lines", lines, wanted)
    cells = csv_of(
        [
            ("番号", "氏名"),
            *((p.number, f"{p.name}（{written('{y}/{m}/{d}', p.birthday)}生）") for p in people),
        ]
    )
    lists.add("birthdays in brackets", cells, wanted)
    unnumbered = "\n".join(f"{p.name}　{written('H{h}.{m}.{d}', p.birthday)}生" for p in people)
    lists.add("birthdays behind names without numbers", unnumbered, wanted)
    joint = csv_of(
        [
            ("番号", "氏名・生年月日"),
            *((p.number, f"{p.name} {p.birthday:%Y/%m/%d}") for p in people),
        ]
    )
    lists.add("names and birthdays below one heading", joint, wanted)
    book = book_of(
        ("a", [("番号", "氏名", "生年月日"), *((p.number, p.name, p.birthday) for p in people)])
    )
    lists.add("birthdays as dates in a workbook", book, wanted)
    bare = book_of(("a", [(p.number, p.name, p.birthday) for p in people]))
    lists.add("birthdays as dates without headings", bare, wanted)


def sheets(lists: Lists) -> None:
    """Workbooks with several sheets, hidden rows and formulas."""
    people, others = lists.people(), lists.people()
    first = [("番号", "氏名"), *((p.number, p.name) for p in people)]
    second = [("番号", "氏名"), *((p.number, p.name) for p in others)]
    wanted = Read(truth(people))
    cover = ("表紙", [("桜小学校",), ("令和8年度",), ("児童名簿",)])
    for state in ("hidden", "veryHidden"):

        def hide(book: Workbook, state: str = state) -> None:
            book["旧"].sheet_state = state

        lists.add(
            f"a {state} sheet first",
            book_of(("旧", second), ("今年度", first), change=hide),
            wanted,
        )
    lists.add("a cover first", book_of(cover, ("児童", first)), wanted)
    lists.add("an empty sheet first", book_of(("Sheet1", []), ("児童", first)), wanted)
    lists.add("a sample first", book_of(("記入例", second), ("児童", first)), wanted)

    def draw(book: Workbook) -> None:
        book.create_chartsheet("グラフ", 0).add_chart(BarChart())

    lists.add("a chart first", book_of(("児童", first), change=draw), wanted)
    two = book_of(("4年1組", first), ("4年2組", second))
    both = [*truth(people, "4年1組"), *truth(others, "4年2組")]
    lists.add("two sheets that are classes", two, Asked({"lists": "each"}, both))
    lists.add("two sheets, one is meant", two, Asked({"lists": "only-1"}, truth(others, "4年2組")))
    named = book_of(("1学期", first), ("2学期", second))
    lists.add("two sheets of one class", named, Asked({"lists": "only-1"}, truth(others)))
    blocks = book_of(("名簿", [*first, (), (), *second]))
    lists.add("two blocks on a sheet", blocks, Asked({"lists": "only-0"}, truth(people)))

    def filter_rows(book: Workbook) -> None:
        book.active.auto_filter.ref = "A1:B7"
        for row in (3, 5):
            book.active.row_dimensions[row].hidden = True

    filtered = book_of(("a", first), change=filter_rows)

    def fold_rows(book: Workbook) -> None:
        for row in (3, 5):
            book.active.row_dimensions[row].hidden = True

    folded = book_of(("a", first), change=fold_rows)
    lists.add("rows that were hidden by hand", folded, Asked({"hidden": "add"}, truth(people)))
    lists.add("hidden rows are meant", filtered, Asked({"hidden": "add"}, truth(people)))
    shown = [each for each in people if each.number not in (2, 4)]
    lists.add("hidden rows are not meant", filtered, Asked({"hidden": "leave"}, truth(shown)))

    def computed(book: Workbook) -> None:
        for row in range(2, 8):
            book.active[f"A{row}"] = "=ROW()-1"

    lists.add("formulas without values", book_of(("a", first), change=computed), Read([]), faulty=6)

    def one_name(book: Workbook) -> None:
        book.active["B4"] = "=名簿!B4"

    lists.add(
        "one formula without a value",
        book_of(("a", first), change=one_name),
        Read(truth([p for p in people if p.number != 3])),
        faulty=1,
    )


def files(lists: Lists) -> None:
    """Files that are no lists."""
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    for name, data, words in (
        ("a PDF", b"%PDF-1.7\n1 0 obj\n\xe2\xe3\xcf\xd3", "PDF"),
        ("a Numbers file", zip_of("Index/Document.iwa", "Metadata/Properties.plist"), "Numbers"),
        ("a Word file", zip_of("[Content_Types].xml", "word/document.xml"), "Word"),
        ("an old Word file", compound + "WordDocument".encode("utf-16-le"), "Word"),
        ("an old workbook", compound + "Workbook".encode("utf-16-le"), "old Excel format"),
        ("a protected workbook", compound + "EncryptedPackage".encode("utf-16-le"), "password"),
        ("a binary workbook", zip_of("[Content_Types].xml", "xl/workbook.bin"), "xlsb"),
        ("an OpenDocument file", zip_of("mimetype", "content.xml"), "OpenDocument"),
        ("a presentation", zip_of("[Content_Types].xml", "ppt/presentation.xml"), "presentation"),
        ("a ZIP file", zip_of("名簿.xlsx"), "ZIP file"),
        (
            "HTML named .xls",
            "<html><table><tr><td>1</td><td>阿部</td></table>".encode("cp932"),
            "web page",
        ),
        (
            "an Excel of 2003 in XML",
            b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>',
            "web page",
        ),
        ("a web archive", b"MIME-Version: 1.0\r\nContent-Type: multipart/related", "web page"),
        ("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "picture"),
        ("a photograph", b"\xff\xd8\xff\xe0\0\x10JFIF", "picture"),
        ("a photograph of an iPhone", b"\0\0\0\x24ftypheic\0\0\0\0", "picture"),
        ("rich text", b"{\\rtf1\\ansi 1 Abe}", "Word"),
        ("a damaged workbook", b"PK\x03\x04 broken", "damaged"),
    ):
        lists.add(name, data, Refused(words))
    lists.add(
        "the source of a page, pasted",
        "<table><tr><td>1</td><td>Abe</td></tr></table>",
        Refused("web page"),
    )


def encodings(lists: Lists) -> None:
    """Text in all encodings that schools' programs write."""
    people = lists.people()
    text = csv_of([("番号", "氏名", "ふりがな"), *((p.number, p.name, p.reading) for p in people)])
    wanted = Read(truth(people, reading=True))
    for encoding in (
        "utf-8",
        "utf-8-sig",
        "cp932",
        "euc_jp",
        "iso2022_jp",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
    ):
        lists.add(f"text in {encoding}", text.replace("\n", "\r\n").encode(encoding), wanted)
    wide = "\r\n".join(f"{p.number}　{p.family}　{p.given}" for p in people)
    for encoding in ("utf-16-le", "utf-16-be"):
        lists.add(f"wide gaps in {encoding}", wide.encode(encoding), Read(truth(people)))
    bare = csv_of((p.number, p.name) for p in people)
    for encoding in ("cp932", "euc_jp"):
        lists.add(f"names in {encoding}", bare.encode(encoding), Read(truth(people)))
    accents = "Number,Name\n1,José García\n2,Renée Müller\n3,Zoë Núñez\n4,Chloé Dupré"
    named = [
        Student("", n, name)
        for n, name in enumerate(("José García", "Renée Müller", "Zoë Núñez", "Chloé Dupré"), 1)
    ]
    lists.add("text in cp1252", accents.encode("cp1252"), Read(named))
    kana = "番号,氏名,カナ\n1,阿部 陽斗,ｱﾍﾞ ﾊﾙﾄ\n2,伊藤 結衣,ｲﾄｳ ﾕｲ"
    half = [Student("", 1, "阿部 陽斗", "アベ ハルト"), Student("", 2, "伊藤 結衣", "イトウ ユイ")]
    lists.add("half-width kana in cp932", kana.encode("cp932"), Read(half))
    lines = text.splitlines()
    mixed = b"\n".join([*(x.encode() for x in lines[:4]), *(x.encode("cp932") for x in lines[4:])])
    lists.add("UTF-8 and CP932 in one file", mixed, Refused("line 5"))
    mixed = b"\n".join([*(x.encode("cp932") for x in lines[:4]), *(x.encode() for x in lines[4:])])
    lists.add("CP932 and UTF-8 in one file", mixed, Refused("line 5"))
    korean = "1,김민준\n2,이서연\n3,박도윤".encode("euc_kr")
    lists.add("text in EUC-KR", korean, Refused("encoding"))


def damaged(lists: Lists) -> None:
    """Text that was read in a wrong encoding before."""
    people = lists.people()
    text = csv_of((p.number, p.name) for p in people)
    for written, read in (
        ("utf-8", "latin-1"),
        ("utf-8", "cp932"),
        ("utf-8", "cp1252"),
        ("cp932", "latin-1"),
        ("cp932", "cp1252"),
        ("euc_jp", "latin-1"),
        ("euc_jp", "cp932"),
        ("cp932", "utf-8"),
        ("euc_jp", "utf-8"),
        ("utf-8", "ascii"),
    ):
        damaged = text.encode(written).decode(read, "replace")
        lists.add(f"{written} read as {read}", damaged, Refused("damaged"))
        lists.add(f"{written} read as {read}, in a file", damaged.encode(), Refused("damaged"))
    lists.add("question marks", "1,?? ??\n2,?? ??", Refused("damaged"))
    rest = truth(people[2:])
    signs = csv_of(
        (p.number, f"?{p.name}" if p.number < 2 else f"〓{p.name}" if p.number < 3 else p.name)
        for p in people
    )
    lists.add("signs for characters that are missing", signs, Read(rest), faulty=2)
    lists.add("entities", "1,&#38463;&#37096;\n2,&#20234;&#34276;", Refused("damaged"))
