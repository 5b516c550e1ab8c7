"""The workshop: drafts, versions, the live answer and sharing."""

import re
from itertools import combinations
from time import thread_time

import pytest
from django.urls import reverse
from msgspec.structs import replace

from puzzleclass.jobs.models import Job
from puzzleclass.kinds.models import Invention, StoredTable
from puzzleclass.kinds.stored import store
from puzzleclass.language.reader import say
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.workshop.drafting import Draft, read_draft
from puzzleclass.workshop.sentences import PALETTE, added, palette, shown_rules
from puzzleclass.workshop.services import begin_with, draft_of, examples, give_name, save_kind
from solvers.kind import PuzzleError
from solvers.question import finish
from solvers.registry import get_kind
from solvers.rule_tables.areas import PRESETS
from solvers.rule_tables.sentences import sentence
from solvers.rule_tables.table import read_table, write_table


@pytest.fixture
def stars(teacher) -> Invention:
    return begin_with(teacher, "stars")


@pytest.fixture
def press(teacher_client, stars):
    """Return a function that presses a button of the workshop's page, as a browser without
    JavaScript does."""

    def press(step, client=teacher_client, status=200, **fields):
        url = reverse("workshop", args=[stars.pk])
        page = client.get(url).content.decode()
        sent = {"revision": re.search(r'name="revision"\s+value="(\d+)"', page)[1]} | fields
        answer = client.post(url, {"name": stars.name, "do": step} | sent)
        assert answer.status_code == status, answer.content.decode()
        return answer.content.decode()

    return press


def draft(stars) -> Draft:
    stars.refresh_from_db()
    return draft_of(stars)


def test_a_kind_begins_from_an_example(teacher_client, teacher):
    page = teacher_client.get(reverse("workshop_list")).content.decode()
    assert page.count('name="example"') == len(examples()) >= 11
    sent = teacher_client.post(reverse("workshop_list"), {"example": "light_up"})
    invention = teacher.inventions.get()
    assert sent.url == invention.get_absolute_url()
    shown = teacher_client.get(sent.url).content.decode()
    assert "lamp" in shown and draft_of(invention).rules == examples()["light_up"][0].table.rules


def test_words_of_a_sentence_are_pressed(press, stars):
    page = press("rule 1 number 2")
    assert draft(stars).rules[0].number == 2
    assert "Every row and every column" in page and "has exactly" in page
    press("rule 3 where knight")
    assert draft(stars).rules[2].where == "knight"
    press("rule 3 drop")
    assert len(draft(stars).rules) == 2


def test_a_neighbourhood_is_painted(press, stars):
    press("rule 3 paint 2 2")
    rule = draft(stars).rules[2]
    assert (rule.where, set(rule.reach)) == ("around", {*PRESETS["near8"], (2, 2)})
    press("rule 3 paint 2 2")
    assert (draft(stars).rules[2].where, draft(stars).rules[2].reach) == ("near8", ())
    assert "out of date" in press("rule 3 paint 9 9", status=422)


def test_undo_goes_back_to_the_beginning(press, stars):
    first = draft(stars)
    for number in (2, 3, 4):
        press(f"rule 1 number {number}")
    press("paint", brush="clue more", move="1,1")
    assert draft(stars).board.clues[0] == 0
    for _ in range(6):
        press("undo")
    assert draft(stars) == first
    press("redo")
    assert draft(stars).rules[0].number == 2


def test_two_windows_do_not_overwrite_each_other(press, stars):
    press("rule 1 number 2")
    page = press("rule 1 number 3", revision="0", status=422)
    assert "Another window has changed this kind" in page
    assert draft(stars).rules[0].number == 2


def test_what_can_be_drawn_follows_from_what_is_drawn(press, stars):
    assert draft(stars).table.draws == ("rooms",)
    press("paint", brush="cell #", move="1,1")
    page = press("paint", brush="clue more", move="2,2")
    assert draft(stars).table.draws == ("walls", "rooms", "clues")
    assert "No rule reads the numbers yet" in page
    press("add 2 1")
    assert draft(stars).rules[-1].number == "clue"


def test_every_sentence_of_the_palette_fits_a_draft(stars):
    start = draft(stars)
    for group, (_title, rules) in enumerate(PALETTE):
        for number in range(len(rules)):
            new = added(start, [str(group), str(number)])
            assert new and len(new.rules) == 4 and shown_rules(new)
    assert sum(len(choices) for _title, choices in palette(start)) > 18


def test_every_entry_of_every_list_makes_a_kind(stars):
    start = draft(stars)
    for rule in shown_rules(start):
        for choices in rule.lists.values():
            for choice in choices:
                try:
                    made = start.after(choice.step, {})
                except PuzzleError:
                    continue  # the board has no meaning for it
                assert made.kind.rule


def test_symbols_are_added_and_left_out(press, stars):
    press("symbol add")
    assert draft(stars).table.letters == "ox"
    press("symbol picture x lamp")
    press("symbol numbers 4")
    press("filled 1")
    table = draft(stars).table
    assert (table.letters, table.each) == ("1234", (1, 1))
    press("symbol drop 4")
    assert draft(stars).table.letters == "123"


def test_the_live_answer(press, stars, teacher, teacher_client, done):
    press("rule 1 number 1")
    for job in teacher.jobs.order_by("pk"):
        done(job)
    page = teacher_client.get(reverse("workshop_live", args=[stars.pk])).content.decode()
    assert "one: a puzzle" in page and "One solution" in page and "36 of 36" in page
    press("paint", brush="ask", move="1,2")
    done(teacher.jobs.get(question="forbidden"))
    url = reverse("workshop_live", args=[stars.pk])
    page = teacher_client.get(f"{url}?cell=1,2").content.decode()
    assert "never" in page and any(
        say(sentence(draft(stars).table, rule)) in page for rule in draft(stars).rules
    )


def live_page(stars, teacher, teacher_client, done) -> str:
    for job in teacher.jobs.filter(state="waiting").order_by("pk"):
        done(job)
    return teacher_client.get(reverse("workshop_live", args=[stars.pk])).content.decode()


def test_sure_squares_and_the_difference_are_those_of_the_solutions(
    press, stars, teacher, teacher_client, done
):
    press("rule 3 drop")
    page = live_page(stars, teacher, teacher_client, done)
    now = draft(stars)
    kind, start = now.kind, now.kind.read_start(now.text)
    ask = kind.questions["solutions"].ask
    lines = finish(ask(kind, start, first=1, limit=5000)).solutions
    ends = [kind.play_line(start, line).now for line in lines]
    sure = sum(len(set(signs)) == 1 for signs in zip(*ends))
    assert len(ends) > 1 and 0 < sure < 36
    assert f"Sure squares: {sure} of 36" in page
    # Two solutions stand side by side, and each square in which they differ has a ring.
    assert "the difference is ringed" in page
    first, second = page.split("<figure>")[1:3]
    stars_of = [set(re.findall(r"♛|★", part)) for part in (first, second)]
    assert stars_of == [{"★"}] * 2 and 'class="changed"' not in first
    rings = second.count('class="changed"')
    assert rings in {sum(a != b for a, b in zip(one, two)) for one, two in combinations(ends, 2)}


def test_a_board_that_is_solved_while_it_is_empty_says_so(
    press, stars, teacher, teacher_client, done
):
    press("rule 2 drop")
    assert "An empty board solves this." not in live_page(stars, teacher, teacher_client, done)
    press("rule 1 drop")
    assert "An empty board solves this." in live_page(stars, teacher, teacher_client, done)
    press("add least")
    assert "An empty board solves this." not in live_page(stars, teacher, teacher_client, done)


def test_a_contradiction_names_its_rules(press, stars, teacher, teacher_client, done):
    press("rule 1 number 2")
    press("size 3 3")
    for job in teacher.jobs.filter(state="waiting").order_by("pk"):
        done(job)
    page = teacher_client.get(reverse("workshop_live", args=[stars.pk])).content.decode()
    assert "These contradict each other" in page and "Leave this out" in page


def test_one_board_at_a_time_is_asked_about(press, stars, teacher):
    press("rule 1 number 2")
    press("rule 1 number 3")
    waiting = teacher.jobs.filter(state="waiting")
    assert {job.kind_slug for job in waiting} == {draft(stars).table.slug}


def test_a_board_is_completed(press, stars, teacher, teacher_client, done):
    press("rule 2 drop")
    press("add 2 1")
    press("complete")
    job = teacher.jobs.get(question="complete")
    done(job)
    url = f"{reverse('workshop_live', args=[stars.pk])}?board={job.pk}"
    page = teacher_client.get(url).content.decode()
    step = re.search(r'name="do"\s+value="(board [^"]+)"', page)[1]
    press(step)
    assert draft(stars).board.clues


def test_a_kind_with_puzzles_is_never_changed(press, stars, teacher, make_puzzle):
    press("save", status=302)
    first = stars.versions.get()
    press("rule 1 number 2")
    press("save", status=302)
    assert stars.versions.get().number == 1 and stars.versions.get().stored_id != first.stored_id
    old = stars.versions.get().stored_id
    make_puzzle(old, draft(stars).text, "Stars")
    press("rule 1 number 3")
    press("save", status=302)
    assert [each.number for each in stars.versions.all()] == [2, 1]
    assert get_kind(old).table.rules[0].number == 2
    assert StoredTable.objects.get(slug=old).is_kept


def test_a_saved_kind_is_in_the_menus(press, stars, teacher_client, student_client, other_client):
    press("rule 1 number 2")
    press("save", status=302, name="Jumping stars")
    slug = stars.versions.get().stored_id
    address = reverse("puzzle_new", args=[slug])
    menu = reverse("puzzle_new", args=["goishi"])
    assert address in teacher_client.get(menu).content.decode()
    assert address not in other_client.get(menu).content.decode()
    page = teacher_client.get(reverse("puzzle_generate", args=[slug])).content.decode()
    assert "Jumping stars" in page


def test_the_board_becomes_a_puzzle(press, stars, teacher):
    press("puzzle", status=302)
    puzzle = Puzzle.objects.get(owner=teacher)
    assert puzzle.kind_slug == stars.versions.get().stored_id
    assert puzzle.position == draft(stars).text


def test_a_colleague_copies_a_kind(press, stars, other_client, other_teacher):
    address = reverse("shared_kind", args=[stars.key])
    assert other_client.get(address).status_code == 404
    press("save", status=302)
    page = other_client.get(address).content.decode()
    assert "Every row and every column has exactly 1 star." in page
    assert not other_teacher.inventions.exists()
    other_client.post(address)
    assert draft_of(other_teacher.inventions.get()) == draft(stars)


@pytest.mark.parametrize("step", [
    "", "paint", "size 99 99", "size x", "rule 9 drop", "rule 1 where nowhere", "add 9 9", "board ",
    "rule 1 number " + "9" * 30, "symbol drop z", "undraw cells 9,9", "filled 2",
    "rule 1 relation loop",
])  # fmt: skip
def test_a_wrong_step_changes_nothing(press, stars, step):
    first = draft(stars)
    press(step, status=422, brush="cell o", move="x")
    assert draft(stars) == first


def test_a_draft_with_a_bad_board_is_refused(stars):
    with pytest.raises(PuzzleError):
        read_draft(draft(stars).table, "2x2 rooms=ab/cd goal=3")


def test_two_teachers_with_the_same_rules_have_kinds_and_names_of_their_own(teacher, other_teacher):
    mine, theirs = begin_with(teacher, "stars"), begin_with(other_teacher, "stars")
    give_name(mine, "Lonely stars")
    give_name(theirs, "Names of children")
    ours, yours = save_kind(mine), save_kind(theirs)
    assert ours.stored_id != yours.stored_id
    assert get_kind(ours.stored_id).title == "Lonely stars"
    # A set's file can't give the kind another name either.
    forged = replace(ours.stored.table, name={"en": "Forged"})
    assert forged.slug == ours.stored_id
    store(forged, is_kept=True)
    assert read_table(StoredTable.objects.get(slug=ours.stored_id).text).name == {
        "en": "Lonely stars"
    }


def test_own_words_stand_beside_the_sentences(press, stars, teacher):
    press("rule 1 number 2", words="星は {仲良し} ではありません。")
    press("save", status=302)
    kind = get_kind(stars.versions.get().stored_id)
    said = say(kind.rule)
    assert said.startswith("星は {仲良し} ではありません。 Every row") and "never touch" in said
    slug = stars.versions.get().stored_id
    stars.refresh_from_db()
    press("save", status=302, words="星はひとりです。")
    assert stars.versions.get().stored_id == slug
    assert say(get_kind(slug).rule).startswith("星はひとりです。")
    with pytest.raises(PuzzleError):
        read_table(write_table(replace(stars.versions.get().stored.table, words={"en": "x" * 301})))


@pytest.mark.parametrize("sent", ["ask", "redraw", "complete"])
def test_twelve_presses_leave_the_workers_one_board(press, stars, sent):
    for number in range(12):
        press(f"rule 1 number {number % 9 + 1}")
        press(sent)
    waiting = Job.objects.filter(state=Job.State.WAITING)
    assert set(waiting.values_list("queue", flat=True)) == {"live"}
    assert waiting.count() == (2 if sent == "ask" else 3)
    assert set(waiting.values_list("kind_slug", flat=True)) == {draft(stars).table.slug}


@pytest.mark.parametrize(
    "step",
    ["symbol numbers 02000000", f"symbol numbers {'0' * 5000}", f"size 6 {'9' * 5000}",
     f"rule {'1' * 5000} drop", f"rule 1 number {'9' * 5000}", f"rule 1 paint {'1' * 5000} 1",
     f"undraw cells {'1' * 5000},1", "board " + "9" * 5000],
)  # fmt: skip
def test_a_step_with_a_long_number_is_refused_at_once(press, step):
    began = thread_time()
    press(step, status=422)
    assert thread_time() - began < 1


def test_a_deleted_kind_can_be_restored(teacher_client, stars):
    version = save_kind(stars)
    deleted = teacher_client.post(reverse("workshop_delete", args=[stars.pk]), follow=True)
    page = deleted.content.decode()
    assert "has been deleted" in page and stars.get_absolute_url() not in page
    assert teacher_client.get(stars.get_absolute_url()).status_code == 404
    shared = reverse("shared_kind", args=[stars.key])
    assert teacher_client.get(shared).status_code == 404
    assert stars.name in teacher_client.get(reverse("bin")).content.decode()
    undo = re.search(r'action="(/bin/[^"]+)"', page)
    restored = teacher_client.post(undo[1], follow=True).content.decode()
    assert stars.get_absolute_url() in restored
    assert draft(stars).rules and stars.versions.get() == version


def test_kinds_in_the_bin_are_deleted_for_good(teacher_client, teacher, stars, monkeypatch):
    monkeypatch.setattr(Invention, "MAX_COUNT", 2)
    for _ in range(4):
        another = begin_with(teacher, "queens")
        teacher_client.post(reverse("workshop_delete", args=[another.pk]))
    assert [*Invention.objects.all()] == [stars]
    assert Invention.every.filter(deleted_at__isnull=False).count() == 2
    Invention.every.filter(deleted_at__isnull=False).update(deleted_at="2020-01-01T00:00Z")
    assert Invention.expired().count() == 2


def test_the_library_shows_the_puzzles_of_all_versions_of_a_kind(teacher_client, press, stars):
    press("puzzle", status=302)
    first = stars.versions.get().stored_id
    press("rule 1 number 2")
    press("save", status=302)
    second = stars.versions.first().stored_id
    begin_with(stars.owner, "queens")
    Puzzle.objects.create(owner=stars.owner, kind_slug="goishi", title="Other", position="o")
    assert first != second
    for slug in (first, second):
        page = teacher_client.get(reverse("puzzle_list"), {"kind": slug}).content.decode()
        assert "Other" not in page and f"{stars.name} 1" in page
        assert re.search(rf'value="{second}"\s+checked', page)
