"""Class lists by their columns, headings, arrangement and titles."""

from openpyxl import Workbook

from tests.web.classes.class_lists import Asked, Lists, Read, Student, book_of, csv_of, truth


def plain(lists: Lists) -> None:
    """Lists that are read without any question."""
    people = lists.people()
    full = [(p.number, p.name) for p in people]
    wanted = Read(truth(people))
    for name, delimiter in (("commas", ","), ("tabs", "\t"), ("semicolons", ";")):
        lists.add(f"numbers and names with {name}", csv_of(full, delimiter), wanted)
        headed = csv_of([("出席番号", "氏名"), *full], delimiter)
        lists.add(f"headings with {name}", headed, wanted)
    for form in (
        "{} {}",
        "{}. {}",
        "{}番 {}",
        "（{}）{}",
        "第{}番 {}",
        "No.{} {}",
        "{}　{}",
        "{}、{}",
    ):
        lists.add(f"lines like {form}", "\n".join(form.format(*row) for row in full), wanted)
    lists.add("number and name by turns", "\n".join(f"{n}\n{name}" for n, name in full), wanted)
    lists.add("only names", "\n".join(p.name for p in people), wanted)
    lists.add("a workbook", book_of(("Sheet1", [("番号", "氏名"), *full])), wanted)
    split = [(p.number, p.family, p.given) for p in people]
    lists.add("family and given names", csv_of(split), wanted)
    whole = [(p.number, p.name, p.reading) for p in people]
    with_reading = Read(truth(people, reading=True))
    lists.add("names and readings", csv_of(whole), with_reading)
    four = [(p.number, p.family, p.given, p.family_reading, p.given_reading) for p in people]
    lists.add("names and readings in four columns", csv_of(four), with_reading)
    lists.add(
        "numbers with 第 in a table",
        csv_of([("番号", "氏名")] + [(f"第{n}番", m) for n, m in full]),
        wanted,
    )
    brackets = "\n".join(f"{p.number} {p.name}（{p.reading}）" for p in people)
    lists.add("readings in brackets", brackets, with_reading)
    words = "\n".join(f"{p.number} {p.name} {p.reading}" for p in people)
    lists.add("readings behind the names", words, with_reading)
    lists.add("genders behind the names", "\n".join(f"{n} {name} 男" for n, name in full), wanted)
    lists.add(
        "names of other countries",
        "1,Maria Garcia López\n2,グエン ヴァン アン\n3,O’Brien Seán",
        Read(
            [
                Student("", 1, "Maria Garcia López"),
                Student("", 2, "グエン ヴァン アン"),
                Student("", 3, "O’Brien Seán"),
            ]
        ),
    )


def columns(lists: Lists) -> None:
    """Tables without headings, and tables with columns that are not known."""
    people = lists.people()
    plain = truth(people)
    letters = [("AB"[p.number % 2], p.number, p.name) for p in people]
    classes = [Student("AB"[p.number % 2], p.number, p.name) for p in people]
    lists.add("a class in letters", csv_of(letters), Asked({"column": "CLASS"}, classes))
    headed = csv_of([("クラス", "番号", "氏名"), *letters])
    lists.add("a class in letters with a heading", headed, Read(classes))
    parents = [
        (p.number, p.name, f"{p.family} 健太郎{'一二三四五六'[p.number - 1]}") for p in people
    ]
    lists.add("parents", csv_of(parents), Asked({"column": "UNUSED"}, plain))
    headed = csv_of([("番号", "氏名", "保護者氏名"), *parents])
    lists.add("parents with a heading", headed, Read(plain))
    unknown = csv_of([("番号", "氏名", "ひとこと"), *parents])
    lists.add("an unknown heading", unknown, Asked({"column": "UNUSED"}, plain))
    only_reading = csv_of([("番号", "よみがな"), *((p.number, p.reading) for p in people)])
    kana = [Student("", p.number, p.reading) for p in people]
    lists.add("only readings", only_reading, Asked({"column": "NAME"}, kana))
    unnamed = csv_of([("番号", "よびな"), *((p.number, p.name) for p in people)])
    lists.add("names below an unknown heading", unnamed, Asked({"column": "NAME"}, plain))
    empty = csv_of([("番号", "氏名", ""), *((p.number, p.family, p.given) for p in people)])
    lists.add("a heading merged across both names", empty, Read(plain))
    both = csv_of([("番号", "姓", "名前"), *((p.number, p.family, p.given) for p in people)])
    lists.add("姓 and 名前", both, Read(plain))
    twice = csv_of([("番号", "姓", "氏名"), *((p.number, p.family, p.name) for p in people)])
    lists.add("姓 and the whole name", twice, Read(plain))
    kana_given = "1,林,さくら\n2,森,ひかり\n3,原,めぐみ"
    meant = [Student("", 1, "林 さくら"), Student("", 2, "森 ひかり"), Student("", 3, "原 めぐみ")]
    lists.add("given names in kana", kana_given, Asked({"column": "GIVEN"}, meant))
    headed = "番号,氏名,\n1,林,さくら\n2,森,ひかり\n3,原,めぐみ"
    lists.add("given names in kana below a merged heading", headed, Read(meant))
    scores = csv_of((p.number, p.name, 70 + 3 * p.number) for p in people)
    lists.add("a column of scores", scores, Asked({"column": "UNUSED"}, plain))
    headed = csv_of(
        [("番号", "氏名", "国語", "算数"), *((p.number, p.name, 80, 75) for p in people)]
    )
    lists.add("scores with headings", headed, Read(plain))
    three = csv_of((4, 2, p.number, p.name) for p in people)
    lists.add("year, class and number", three, Read(truth(people, "4-2")))
    two = csv_of((2, p.number, p.name) for p in people)
    lists.add("class and number", two, Asked({"column": "UNUSED"}, plain))
    mail = csv_of((p.number, p.name, f"s{p.number}@example.jp", "男") for p in people)
    lists.add("addresses and genders", mail, Read(plain))
    trailing = csv_of([("番号", "氏名"), *((p.number, p.name) for p in people), (7, ""), (8, "")])
    lists.add("empty numbers below", trailing, Asked({"nameless": "empty"}, plain))
    digits = "\n".join(f"user{n:02}" for n in range(1, 21))
    pseudonyms = [Student("", n, f"user{n:02}") for n in range(1, 21)]
    lists.add("twenty pseudonyms", digits, Asked({"row": "student"}, pseudonyms))
    additions = csv_of((p.number, f"{p.name}（転入）") for p in people)
    lists.add("additions in brackets", additions, Asked({"brackets": "without"}, plain))
    given = {p.number: p.given + "子" * (len(p.given) < 2) for p in people}
    meant = [
        Student("", p.number, p.family + given[p.number], p.family_reading + p.given_reading)
        for p in people
    ]
    joined = "\n".join(f"{s.number} {s.name} {s.reading}" for s in meant)
    lists.add("names and readings without a gap", joined, Asked({"words": "reading"}, meant))


def headings(lists: Lists) -> None:
    """Headings in every form."""
    people = lists.people()
    rows = [(p.number, p.name, p.reading) for p in people]
    wanted = Read(truth(people, reading=True))
    for heads in (
        ("番号", "児童氏名（漢字）", "児童氏名（かな）"),
        ("出席番号（4月1日現在）", "生徒氏名【漢字】", "ふりがな（ひらがな）"),
        ("出席\u3000番号", "氏\u3000\u3000名", "よ み"),
        ("No.", "Student name (kanji)", "Reading (kana)"),
        ("名列番号", "氏名※", "フリガナ※"),
        ("＃", "名　前", "振り仮名"),
        ("出席No", "氏名 (漢字)", "氏名 (ひらがな)"),
    ):
        lists.add(f"headings {' '.join(heads)}", csv_of([heads, *rows]), wanted)
    titles = [
        ("桜小学校",),
        ("令和8年度 児童名簿",),
        ("担任 山田 太郎",),
        ("4月1日現在",),
        ("※取扱注意",),
        ("部外秘の名簿",),
    ]
    head = ("番号", "氏名", "ふりがな")
    lists.add("six title lines", csv_of([*titles, head, *rows]), wanted)
    lists.add("title lines with gaps", csv_of([titles[0], (), titles[1], (), head, *rows]), wanted)
    pages = csv_of([titles[0], head, *rows[:3], ("- 1 -",), titles[0], head, *rows[3:], ("- 2 -",)])
    lists.add("headings on each page", pages, wanted)
    footer = csv_of([head, *rows, ("", "計 6名"), ("担任", "山田 太郎")])
    lists.add("totals and a teacher below", footer, wanted)
    upper = ("番号", "氏名", "", "ふりがな", "")
    lower = ("", "姓", "名", "姓", "名")
    four = [(p.number, p.family, p.given, p.family_reading, p.given_reading) for p in people]
    lists.add("headings in two lines", csv_of([upper, lower, *four]), wanted)
    lower = ("", "姓", "名", "せい", "めい")
    lists.add("headings in two lines with せい", csv_of([upper, lower, *four]), wanted)
    two = csv_of([("番号", "氏名", "氏名"), ("", "（漢字）", "（かな）"), *rows])
    lists.add("additions in a second line", two, wanted)
    parts = ("番号", "氏名(姓)", "氏名(名)", "カナ(姓)", "カナ(名)")
    lists.add("姓 and 名 in brackets", csv_of([parts, *four]), wanted)
    accounts = csv_of(
        [("生徒ID", "氏名", "パスワード"), *((f"s{p.number:03}", p.name, "pw") for p in people)]
    )
    lists.add("accounts", accounts, Read(truth(people)))
    repeated = csv_of([("番号", "姓", "名", "姓", "名"), *four])
    lists.add("姓 and 名 twice", repeated, wanted)

    def merge(book: Workbook) -> None:
        sheet = book.active
        for cells in ("A1:E1", "A2:A3", "B2:C2", "D2:E2"):
            sheet.merge_cells(cells)

    merged = book_of(
        ("名簿", [("児童名簿", "", "", "", ""), upper, ("", "姓", "名", "姓", "名"), *four]),
        change=merge,
    )
    lists.add("merged headings in a workbook", merged, wanted)
    group = csv_of([("基本情報", "", ""), head, *rows])
    lists.add("a heading above the headings", group, wanted)
    lists.add("English headings", csv_of([("Roll No.", "Full name", "Kana"), *rows]), wanted)


def arrangements(lists: Lists) -> None:
    """Lists on their side, side by side, and one below the other."""
    people, others = lists.people(), lists.people()
    rows = [("番号", "氏名", "ふりがな"), *((p.number, p.name, p.reading) for p in people)]
    wanted = Read(truth(people, reading=True))
    sideways = csv_of(zip(*rows, strict=True), "\t")
    lists.add("a list on its side", sideways, wanted)
    titled = f"児童名簿\n{sideways}"
    lists.add("a list on its side below a title", titled, wanted)
    records = "\n".join(f"番号\t{p.number}\n氏名\t{p.name}\nふりがな\t{p.reading}" for p in people)
    lists.add("a form for each student", records, wanted)
    first = [(p.number, p.name) for p in people]
    second = [(p.number, p.name) for p in others]
    beside = [(*a, "", *b) for a, b in zip(first, second, strict=True)]
    head = ("番号", "氏名", "", "番号", "氏名")
    both = [*truth(people, "4年1組"), *truth(others, "4年2組")]
    numbered = "\n".join(f"4年2組{p.number}番 {p.name}" for p in people)
    lists.add("class, number and name in lines", numbered, Read(truth(people, "4年2組")))
    hyphens = "\n".join(f"4-2-{p.number} {p.name}" for p in people)
    lists.add("lines like 4-2-1", hyphens, Read(truth(people, "4-2")))
    joint = csv_of([("組番", "氏名"), *((f"4-2-{p.number}", p.name) for p in people)])
    lists.add("a column like 4-2-1", joint, Read(truth(people, "4-2")))
    spaced = "\n".join(["番号　氏名　性別", *(f"{n}　{name}　男" for n, name in first)])
    lists.add("columns of spaces", spaced, Read(truth(people)))
    behind = "\n".join(f"{name} {n}番" for n, name in first)
    lists.add("numbers behind the names", behind, Read(truth(people)))
    before = "\n".join(f"{p.number} {p.reading} {p.name}" for p in people)
    lists.add("readings before the names", before, Read(truth(people, reading=True)))
    third = "\n".join(f"{n} {name} 転入" for n, name in first)
    lists.add("a third word", third, Asked({"rest": "without"}, truth(people)))
    joined = [(p.family + p.given, q.family + q.given) for p, q in zip(people, others, strict=True)]
    meant = [Student("", p.number, p.family + p.given) for p in people]
    lists.add("names in two columns", csv_of(joined), Asked({"column": "UNUSED"}, meant))
    titles = ("4年1組", "", "", "4年2組", "")
    lists.add("two classes side by side", csv_of([titles, head, *beside]), Read(both))
    lists.add(
        "two lists side by side", csv_of([head, *beside]), Asked({"lists": "only-0"}, truth(people))
    )
    lists.add(
        "two lists side by side without headings",
        csv_of(beside),
        Asked({"lists": "only-1"}, truth(others)),
    )
    later = lists.people(first=7)
    halves = [(p.number, p.name, "", q.number, q.name) for p, q in zip(people, later, strict=True)]
    lists.add("one list in two halves", csv_of([head, *halves]), Read(truth([*people, *later])))
    lists.add("two halves without headings", csv_of(halves), Read(truth([*people, *later])))
    below = csv_of([("4年1組",), *first, ("4年2組",), *second])
    lists.add("two classes below titles", below, Read(both))
    headed = csv_of(
        [("4年1組",), ("番号", "氏名"), *first, (), ("4年2組",), ("番号", "氏名"), *second]
    )
    lists.add("two classes with headings", headed, Read(both))
    again = csv_of([("番号", "氏名"), *first, ("番号", "氏名"), *second])
    lists.add("numbers that begin again", again, Asked({"lists": "only-0"}, truth(people)))
    gap = csv_of([*first, (), *second])
    lists.add("two blocks with a gap", gap, Asked({"lists": "only-1"}, truth(others)))
    lines = "\n".join(
        [
            "1組",
            *(f"{n} {name}" for n, name in first),
            "2組",
            *(f"{n} {name}" for n, name in second),
        ]
    )
    lists.add(
        "lines below 1組 and 2組", lines, Read([*truth(people, "1組"), *truth(others, "2組")])
    )


def titles(lists: Lists) -> None:
    """Lines of which nobody knows whether they are students."""
    people = lists.people()
    rows = [(p.number, p.name) for p in people]
    wanted = truth(people)
    for title in ("ひまわり・たんぽぽ号。", "提出は金曜まで！", "配布先: 職員室", "2026.4.7 配布"):
        lines = "\n".join([title, *(p.name for p in people)])
        lists.add(f"the line {title}", lines, Asked({"row": "title"}, wanted))
    sentences = "\n".join(f"{n}. 持ち物を確認して、家の人に見せてください。" for n in range(1, 4))
    lists.add("sentences with numbers", sentences, Asked({"row": "title"}, []))
    gone = csv_of([("番号", "氏名"), *rows, (7, "転出")])
    lists.add("a student who is gone", gone, Asked({"row": "title"}, wanted))
    kanji = "\n".join(["一組", *(p.name for p in people)])
    lists.add("the title 一組", kanji, Read(truth(people, "一組")))
    teacher = csv_of([("番号", "氏名"), *rows, (7, "担任 山田")])
    lists.add("a teacher with a number", teacher, Asked({"row": "title"}, wanted))
    for footer in ("計 6名", "以上", "男子 3名", "1 / 1", "※印は転入生"):
        lines = "\n".join([*(f"{n} {name}" for n, name in rows), footer])
        lists.add(f"the last line {footer}", lines, Read(wanted))
