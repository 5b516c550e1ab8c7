"""The help: its tasks, their pictures and labels, the search, and the “?” of each page."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver, reverse
from django.utils import translation

from puzzleclass.help import pages
from puzzleclass.help.tasks import STUDENTS, TEACHERS, Task, tasks
from puzzleclass.language import furigana
from puzzleclass.language.markdown import translated
from puzzleclass.operations.management.commands import messages
from puzzleclass.studies import pages as study_pages
from tests.crawl import crawl

LANGUAGES = list(dict(settings.LANGUAGES))
AUDIENCES = [TEACHERS, STUDENTS]
QUOTED = {"ja": r"「([^」]+)」"}
"""Language -> how it quotes a label, if not as English does."""

FURIGANA = "ふりがな"
"""The switch of furigana, which is Japanese in every language."""

GUIDE = Path(settings.BASE_DIR, "static", "guide")
WITHOUT_A_TASK = {"home", "help", "help_task", "administration", "offline", "language"}
"""Pages that no task is about. Their “?” opens the list of all tasks."""


def tasks_in(language: str, audience: str) -> tuple[Task, ...]:
    with translation.override(language):
        return tasks(audience)


SIGNS = {"?", "(!)"}
"""What the help quotes and pages show as a sign, and not as a text."""


def texts_of_the_site(language: str) -> list[str]:
    """Return every text of the interface and every heading of the study pages in the language."""
    with translation.override(language):
        english = sorted(Path(study_pages.__file__).parent.glob("*.md"))
        pages = [translated(path).read_text(encoding="utf-8") for path in english]
    studies = re.findall(r"^#+ (.+)$", "\n".join(pages), re.MULTILINE)
    if language == settings.LANGUAGE_CODE:
        return [*studies, *(str(text.id) for text in messages.collected()[messages.SITE])]
    kept = (entry for entry in messages.stored(messages.SITE, language) if entry.id)
    return [*studies, *(str(entry.string) for entry in kept)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_buttons_and_links_as_the_site_does(language):
    quoted = QUOTED.get(language, r"“([^”]+)”")
    texts = [task.text for audience in AUDIENCES for task in tasks_in(language, audience)]
    labels = set(re.findall(quoted, "\n".join(texts))) - {FURIGANA}
    assert len(labels) > 20
    known = texts_of_the_site(language)
    filled = [re.sub(r"%\\\(\w+\\\)s|\\\{\w+\\\}", ".+", re.escape(text)) for text in known]
    patterns = [re.compile(text) for text in filled if ".+" in text and not text.startswith(".+")]
    assert not {
        label
        for label in labels.difference(SIGNS, known)
        if not any(pattern.fullmatch(label) for pattern in patterns)
    }


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_language_has_the_same_tasks_steps_and_pictures(audience):
    def shape(language: str) -> list[tuple[str, int, int, int]]:
        marks = (r"^#### ", r"!\[", r"^ *\d\. ")
        return [
            (task.name, *(len(re.findall(mark, task.text, re.MULTILINE)) for mark in marks))
            for task in tasks_in(language, audience)
        ]

    assert len({name for name, *_ in shape("en")}) == len(shape("en"))
    assert all(shape(language) == shape("en") for language in LANGUAGES)


def test_the_pictures_are_there_small_and_used():
    used = set()
    for language in LANGUAGES:
        texts = [task.text for audience in AUDIENCES for task in tasks_in(language, audience)]
        shown = re.findall(r"!\[[^\]]+\]\(\S+/static/guide/(\S+)\)", "\n".join(texts))
        assert len(shown) == sum(text.count("![") for text in texts)
        assert all(name.endswith(f"-{language}.webp") for name in shown)
        used |= set(shown)
    files = {path.name: path.read_bytes() for path in GUIDE.iterdir()}
    assert files.keys() == used
    assert all(picture[8:12] == b"WEBP" for picture in files.values())
    assert max(map(len, files.values())) < 120_000
    assert sum(map(len, files.values())) < 3_000_000


def test_pictures_have_a_size_and_wait_until_they_are_scrolled_to(anonymous):
    page = anonymous.get(reverse("help_task", args=(TEACHERS, "watch"))).content.decode()
    pictures = re.findall(r'<img class="guide-picture"[^>]*>', page)
    assert len(pictures) == 1
    for picture in pictures:
        assert 'loading="lazy"' in picture
        assert re.search(r'alt="[^"]{8,}" width="\d+" height="\d+"', picture)


def test_students_see_their_own_help_and_teachers_see_theirs_first(
    anonymous, student_client, teacher_client
):
    for client, has_all in ((anonymous, True), (student_client, False), (teacher_client, True)):
        page = client.get("/help/").content.decode()
        assert "When you are stuck" in page
        assert ("Hand out the cards" in page) is has_all
        if has_all:
            assert page.index("Hand out the cards") < page.index("When you are stuck")
    cards = reverse("help_task", args=(TEACHERS, "cards"))
    assert teacher_client.get(cards).status_code == 200
    assert student_client.get(cards).status_code == 404
    assert teacher_client.get("/help/teachers/no-such-task/").status_code == 404
    assert teacher_client.get("/help/parents/cards/").status_code == 404


@pytest.mark.parametrize(("language", "query"), [("en", "WORKSHEET print"), ("ja", "ﾌﾟﾘﾝﾄ 印刷")])
def test_the_search_finds_tasks_by_words_and_titles_come_first(client_of, db, language, query):
    client = client_of(None, language)
    page = client.get("/help/", {"q": query}, headers={"HX-Request": "true"}).content.decode()
    found = re.findall(r'href="/help/([a-z-]+/[a-z-]+)/"', page)
    assert found[0] == "teachers/print"
    assert "teachers/new-class" not in found
    assert "<html" not in page


@pytest.mark.parametrize(
    ("language", "query", "task"),
    [
        ("en", "homework", "assign"),
        ("en", "whiteboard", "project"),
        ("en", "how can I log in", "sign-in"),
        ("ja", "宿題", "assign"),
        ("ja", "電子黒板", "project"),
        ("ja", "ルビ", "class-settings"),
        ("ja", "パスワードを忘れた時", "sign-in"),
        ("ja", "名簿とカードの印刷の仕方", "cards"),
    ],
)
def test_the_search_knows_the_words_of_teachers_and_whole_sentences(
    client_of, db, language, query, task
):
    page = client_of(None, language).get("/help/", {"q": query}).content.decode()
    assert reverse("help_task", args=(TEACHERS, task)) in page


def test_the_other_words_for_a_task_are_not_shown(client_of, db):
    client = client_of(None, "en")
    assert (
        "homework"
        not in client.get(reverse("help_task", args=(TEACHERS, "assign"))).content.decode()
    )
    assert all("also:" not in task.text for task in tasks_in("ja", TEACHERS))
    assert all(task.also for language in LANGUAGES for task in tasks_in(language, TEACHERS))


def test_a_result_shows_the_line_with_the_words(anonymous):
    page = anonymous.get("/help/", {"q": "two tables <b>"}).content.decode()
    assert "<b>" not in page.partition("help-results")[2].partition("</ul>")[0]
    page = anonymous.get("/help/", {"q": "fingerprint"}).content.decode()
    assert "sign in by the fingerprint, the face or the PIN of your device" in page


def test_beside_a_task_stand_the_tasks_of_its_group(anonymous):
    page = anonymous.get(reverse("help_task", args=(TEACHERS, "cards"))).content.decode()
    beside = page.partition("<aside")[2].partition("</aside>")[0]
    assert {"Make a class", "Form groups"} & set(re.findall(r">([^<>]+)</a>", beside))
    assert re.findall(r'aria-current="page">([^<]+)<', beside) == ["Hand out the cards"]


def test_a_search_without_a_hit_says_so(anonymous):
    page = anonymous.get("/help/", {"q": "<b>zebra"}).content.decode()
    assert "No task has these words" in page
    assert "&lt;b&gt;zebra" in page


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_task_can_be_read_in_every_language(client_of, db, audience):
    for language in LANGUAGES:
        client = client_of(None, language)
        for task in tasks_in(language, audience):
            page = client.get(reverse("help_task", args=(audience, task.name)))
            assert task.title in furigana.plain(page.content.decode())


def test_the_students_help_has_readings():
    said = [text for task in tasks_in("ja", STUDENTS) for text in (task.title, task.text)]
    assert {text: lacks for text in said if (lacks := furigana.kanji_without_reading(text))} == {}


def test_pages_and_tasks_that_are_joined_exist():
    for audience, joined in ((TEACHERS, pages._TEACHERS_PAGES), (STUDENTS, pages._STUDENTS_PAGES)):
        assert joined.keys() <= {task.name for task in tasks_in("en", audience)}
        named = [page for found in joined.values() for page in found]
        assert len(named) == len(set(named))
        assert set(named) <= set(get_resolver().reverse_dict)


def test_the_question_mark_of_every_page_of_a_teacher_opens_its_task(
    teacher, student, assigned, tried, lines
):
    """Pages about the studies have no task."""
    tried(student, assigned, lines.solution)
    opened = [page for page in crawl(teacher, most=1) if page.is_page]
    assert len(opened) > 40
    without = set()
    for page in opened:
        link = re.search(r'class="help-link"\s+href="([^"]+)"', page.text)
        if link and link[1] == reverse("help"):
            without.add(page.name)
    assert {name for name in without if not name.startswith(("studies", "study"))} <= WITHOUT_A_TASK


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_headings_of_a_task_leave_out_no_level(client_of, db, language):
    page = client_of(None, language).get("/help/teachers/sign-in/").content.decode()
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[:2] == [1, 2]
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("code", ["```\ncurl\n```", "~~~ python\ncurl\n~~~", "    curl"])
def test_lines_of_code_can_be_scrolled_by_the_keyboard(code):
    html = Task("a", TEACHERS, "", "A", "", f"Text\n\n{code}").html
    assert '<section class="scroll" tabindex="0"><pre><code>curl\n</code></pre></section>' in html
