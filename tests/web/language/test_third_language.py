"""A further language takes a folder of translations and a line in `LANGUAGES`, and nothing else."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from puzzleclass.classes.roster import is_unnamed
from puzzleclass.classes.roster_reading import read_roster
from puzzleclass.operations.management.commands import messages
from puzzleclass.operations.management.commands.doctor import terminal_language
from puzzleclass.puzzles.answers import short
from puzzleclass.sharing.plans import ENGLISH, plans
from puzzleclass.templating.templatetags.words import day_of, due_date, large, weekdays
from solvers.registry import get_kind
from tests.crawl import crawl

SAID = {
    "For students": "[For students]",
    "No. {number}": "[{number}]",
    "Name": "pong",
    ("{n} day", "{n} days"): "[{n} days]",
}
"""The few texts that the new language has."""

PLAN = re.sub(
    r"(?m)^(title|goal) = .*$",
    r'\1 = "[A \1]"',
    re.search(r"(?s)\[goishi-first\].*?(?=\n\[[a-z])", ENGLISH.read_text("utf-8"))[0],
)
"""The words of one plan, of which the new language has the title and the goal."""

HIRAGANA = re.compile("[ぁ-ん]")
EXAMPLES = re.compile(r"(?s)<pre\b.*?</pre>")
SHOWS_JAPANESE = re.compile("help|studies|study")
"""Views whose English texts name a Japanese study, or the switch of furigana."""


@pytest.fixture(params=[("ko", "한국어"), ("tlh", "tlhIngan Hol")], ids=lambda pair: pair[0])
def language(request, settings, tmp_path):
    """A language that Django and Babel know, then one that neither of them knows."""
    code, name = request.param
    catalog = messages.untouched({messages.MarkedText(text, None): [] for text in SAID}, code)
    for text, said in SAID.items():
        entry = catalog.get(text)
        entry.string = said if isinstance(text, str) else (said,) * catalog.num_plurals
    messages.write(tmp_path, code, catalog)
    messages.compile_catalogues(tmp_path)
    (tmp_path / "locale" / code / "plans.toml").write_text(PLAN)
    settings.LOCALE_PATHS = [tmp_path / "locale", *settings.LOCALE_PATHS]
    settings.LANGUAGES = [*settings.LANGUAGES, (code, name)]
    return code


def test_the_switch_offers_it_and_missing_texts_are_in_english(language, client_of, db):
    visitor = client_of(None, language)
    page = visitor.get("/").content.decode()
    assert f'<html lang="{language}"' in page
    assert f'value="{language}"' in page and "日本語</button>" in page
    assert "[For students]" in page
    assert "Type the class code" in page
    assert not HIRAGANA.search(page)


def test_a_reader_and_a_teacher_can_choose_it(language, anonymous, teacher_client):
    anonymous.post(reverse("set_language"), {"language": language, "next": "/"})
    assert "[For students]" in anonymous.get("/").content.decode()
    profile = {"name": "Sato", "language": language, "time_zone": "", "signs": "", "words": ""}
    assert f'<option value="{language}">' in teacher_client.get(reverse("account")).content.decode()
    assert teacher_client.post(reverse("account"), profile).status_code == 302
    assert f'<html lang="{language}"' in teacher_client.get("/").content.decode()


def test_every_page_answers_and_none_falls_back_to_japanese(
    language, teacher, student, assigned, begun
):
    begun(student, assigned)
    opened = set()
    for user in (None, teacher, student):
        for page in crawl(user, most=2, language=language):
            opened.add(page.name)
            if page.is_page and not SHOWS_JAPANESE.match(page.name):
                assert f'<html lang="{language}"' in page.text, page.url
                # Boards of shogi programs are written in Japanese in every language.
                assert not HIRAGANA.search(EXAMPLES.sub("", page.text)), page.url
    assert len(opened) > 50 and opened >= {"play", "practice", "assignment_edit", "puzzle_edit"}


def test_the_help_and_the_lesson_plans_fall_back_to_english(language, client_of, teacher):
    client = client_of(teacher, language)
    page = client.get("/help/").content.decode()
    assert "When you are stuck" in page
    assert "guide/play-en.webp" in client.get("/help/students/solve/").content.decode()
    page = client.get(reverse("pack_list")).content.decode()
    assert "[A title]" in page
    with translation.override("en"):
        english = plans()["tonari-flip"].title
    with translation.override(language):
        assert plans()["goishi-first"].goal == "[A goal]"
        assert plans()["tonari-flip"].title == english


def test_dates_and_numbers_follow_it(language):
    due = timezone.now() + timedelta(days=6)
    with translation.override(language):
        assert "[6 days]" in due_date(due)
        assert len(weekdays()) == 7
        assert not HIRAGANA.search(large(10**20) + short(10**7) + "".join(weekdays()))
        said = day_of(date(2026, 11, 28))
    assert said == {"ko": "11월 28일 (토)"}.get(language, "Sat 28 Nov")


def test_a_student_without_a_name_is_known_by_the_number(language):
    assert is_unnamed("[3]", 3) and is_unnamed("3番", 3) and is_unnamed("No. 3", 3)
    assert not is_unnamed("[3]", 4)


def test_the_sites_own_headings_are_read(language):
    roster = read_roster("ping\tNo.\tpong\nred\t1\tAbe\nblue\t2\tIto")
    assert [entry.name for entry in roster.entries] == ["Abe", "Ito"]


@pytest.fixture(scope="module")
def found() -> messages.Collected:
    """Return the texts of the site and of all kinds. To read them takes seconds."""
    return messages.collected()


def test_its_catalogues_are_written_for_the_site_and_for_each_kind(language, found, tmp_path):
    merged = messages.merged(found, language)
    assert merged.keys() == {messages.SITE, *messages.kind_folders()}
    home = messages.folder(get_kind("goishi"))
    messages.write(tmp_path / "kind", language, merged[home])
    written = messages.stored(tmp_path / "kind", language)
    assert written.get(get_kind("goishi").rule) and len(written) == len(found[home])
    assert len(messages.untranslated(found, language)) == sum(map(len, found.values()))


def test_the_doctor_speaks_it_on_such_a_terminal(language, monkeypatch):
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    assert terminal_language() == language
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert terminal_language() == "ja"


def test_who_asks_for_no_language_of_the_site_reads_the_first(client_of, db, settings):
    assert '<html lang="ja"' in client_of(None, "fr, xx;q=0.5").get("/").content.decode()
    settings.LANGUAGES = settings.LANGUAGES[::-1]
    assert '<html lang="en"' in client_of(None, "fr").get("/").content.decode()
