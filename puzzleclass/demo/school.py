"""The demo school: a teacher, two classes of 40 students, puzzles, and past lessons.

Nothing bypasses the rules. Every step goes through `play.attempts`, as if a student had made it,
and the workers are asked for the counts and reviews.
"""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, WrittenPuzzle
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.kind_choice import usual_names
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.demo.english import name_in_english
from puzzleclass.demo.players import play
from puzzleclass.gallery.services import approve, hand_in, open_gallery
from puzzleclass.jobs import services as jobs
from puzzleclass.play.attempts import current_attempt, take_steps
from puzzleclass.play.hints import ask_hint, record_hint
from puzzleclass.play.models import HintUse, Step
from puzzleclass.play.restarts import restart
from puzzleclass.play.steps import TimedStep
from puzzleclass.puzzles.answers import COUNT, RATE, ask_about, can_ask
from puzzleclass.puzzles.generator import SURVEY
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.studies import maxstrings_questions as maxstrings
from solvers.registry import demo_boards, kinds

TEACHER = ("demo", "山田 花子", "puzzle-demo")
PIN = "1234"
CLASSES = (("5年1組", "KAYA52"), ("6年2組", "SHELL6"))
CLASS_SIZE = 40
TABLES = ("queens", "stars", "slitherlink", "sudoku", "light_up", "masyu")
"""The ready tables that the classes see beside the four kinds."""
SEED = 20100815
RECORD_TITLE = "六路盤の記録"
"""The title of the puzzle whose goal is below the optimum."""

READINGS = {
    "はじめての碁石拾い": "はじめてのごいしひろい",
    "碁石拾い その2": "ごいしひろい その2",
    "朝の十五分パズル": "あさのじゅうごふんパズル",
    "クラスの記録にいどもう": "クラスのきろくにいどもう",
    "はじめの四つ": "はじめのよっつ",
    "階段": "かいだん",
    "研究の例": "けんきゅうのれい",
    "土の字": "つちのじ",
    "工の字": "こうのじ",
    "口の字": "くちのじ",
    "七つの石、ただ一つの道": "ななつのいし、ただひとつのみち",
    "はなれた三つ": "はなれたみっつ",
    "三つの道": "みっつのみち",
    "十の石、ただ一つの道": "とおのいし、ただひとつのみち",
    "日の丸": "ひのまる",
    "十二の石、十二の道": "じゅうにのいし、じゅうにのみち",
    "ネコの顔": "ネコのかお",
    "一本道": "いっぽんみち",
    "三段の盤に三枚": "さんだんのばんにさんまい",
    "六枚をならべる": "ろくまいをならべる",
    "三路盤で六つ": "さんろばんでむっつ",
    "四路盤の十二": "よんろばんのじゅうに",
    "六路盤の記録": "ろくろばんのきろく",
    "ふたつの段": "ふたつのだん",
    "研究の九マス": "けんきゅうのきゅうマス",
}
"""The readings of the titles of assignments, and of puzzles that are assigned."""

WRITTEN_PUZZLES = (("わたしの家", "..o../.o.o./o...o/o.o.o/ooooo"), ("小さな橋", "ooo/o.o"))
"""Titles and boards of the puzzles that students hand in to the gallery. The first is approved."""

SURVEY_OPTIONS = ({"size": "4x4", "stones": "2..12"}, {"size": "5x5", "stones": "2..14"})
"""The options of each survey that differ from the question's defaults."""

# Common Japanese names with their readings, freely paired.
# fmt: off
FAMILY_NAMES = [
    ("佐藤", "さとう"), ("鈴木", "すずき"), ("高橋", "たかはし"), ("田中", "たなか"),
    ("伊藤", "いとう"), ("渡辺", "わたなべ"), ("山本", "やまもと"), ("中村", "なかむら"),
    ("小林", "こばやし"), ("加藤", "かとう"), ("吉田", "よしだ"), ("山田", "やまだ"),
    ("佐々木", "ささき"), ("山口", "やまぐち"), ("松本", "まつもと"), ("井上", "いのうえ"),
    ("木村", "きむら"), ("林", "はやし"), ("斎藤", "さいとう"), ("清水", "しみず"),
    ("山崎", "やまざき"), ("森", "もり"), ("池田", "いけだ"), ("橋本", "はしもと"),
    ("阿部", "あべ"), ("石川", "いしかわ"), ("山下", "やました"), ("中島", "なかじま"),
    ("石井", "いしい"), ("小川", "おがわ"), ("前田", "まえだ"), ("岡田", "おかだ"),
    ("長谷川", "はせがわ"), ("藤田", "ふじた"), ("後藤", "ごとう"), ("近藤", "こんどう"),
    ("村上", "むらかみ"), ("遠藤", "えんどう"), ("青木", "あおき"), ("坂本", "さかもと"),
    ("福田", "ふくだ"), ("太田", "おおた"), ("西村", "にしむら"), ("藤井", "ふじい"),
    ("金子", "かねこ"), ("岡本", "おかもと"), ("藤原", "ふじわら"), ("三浦", "みうら"),
    ("中野", "なかの"), ("中川", "なかがわ"), ("原田", "はらだ"), ("松田", "まつだ"),
    ("竹内", "たけうち"), ("小野", "おの"), ("田村", "たむら"), ("中山", "なかやま"),
    ("和田", "わだ"), ("石田", "いしだ"), ("森田", "もりた"), ("上田", "うえだ"),
    ("原", "はら"), ("内田", "うちだ"), ("柴田", "しばた"), ("酒井", "さかい"),
    ("宮崎", "みやざき"), ("横山", "よこやま"), ("高木", "たかぎ"), ("安藤", "あんどう"),
    ("宮本", "みやもと"), ("大野", "おおの"), ("小島", "こじま"), ("工藤", "くどう"),
    ("谷口", "たにぐち"), ("今井", "いまい"), ("高田", "たかだ"), ("増田", "ますだ"),
    ("丸山", "まるやま"), ("杉山", "すぎやま"), ("村田", "むらた"), ("大塚", "おおつか"),
]

GIVEN_NAMES = [
    ("陽葵", "ひまり"), ("凛", "りん"), ("蓮", "れん"), ("陽翔", "はると"), ("結菜", "ゆな"),
    ("湊", "みなと"), ("葵", "あおい"), ("樹", "いつき"), ("さくら", "さくら"),
    ("悠真", "ゆうま"), ("芽依", "めい"), ("大翔", "ひろと"), ("莉子", "りこ"), ("律", "りつ"),
    ("紬", "つむぎ"), ("朝陽", "あさひ"), ("美咲", "みさき"), ("碧", "あお"), ("結衣", "ゆい"),
    ("颯太", "そうた"), ("杏", "あん"), ("蒼", "そう"), ("心春", "こはる"), ("悠人", "ゆうと"),
    ("花", "はな"), ("陸", "りく"), ("咲良", "さくら"), ("新", "あらた"), ("澪", "みお"),
    ("奏太", "そうた"), ("詩", "うた"), ("暖", "だん"), ("琴音", "ことね"), ("瑛太", "えいた"),
    ("愛莉", "あいり"), ("海斗", "かいと"), ("彩葉", "いろは"), ("健太", "けんた"),
    ("千尋", "ちひろ"), ("拓海", "たくみ"), ("真央", "まお"), ("駿", "しゅん"),
    ("七海", "ななみ"), ("航", "わたる"), ("美羽", "みう"), ("翼", "つばさ"),
    ("ひなた", "ひなた"), ("大和", "やまと"), ("優奈", "ゆうな"), ("隼人", "はやと"),
]
# fmt: on


def is_local(host: str = "localhost") -> bool:
    """Return whether only this machine can reach a site that listens on `host`.

    No demo may be reached from elsewhere, because everybody knows its sign-ins.
    """
    return {host, *settings.ALLOWED_HOSTS} <= settings.LOCAL_HOSTS and not settings.HTTPS


def sign_ins() -> list[str]:
    """Return a line for each of the demo's sign-ins that exists."""
    lines = []
    username, _, password = TEACHER
    if User.objects.filter(username=username).exists():
        lines.append(f"teacher   {username} / {password}")
    for _name, code in CLASSES:
        for classroom in Classroom.objects.filter(code=code):
            lines.append(f"students  class code {code} ({classroom}), any name, PIN {PIN}")
    return lines


@transaction.atomic
def make_demo(seed: int = SEED, language: str = "ja") -> None:
    """Create the school, with Japanese names or with English ones. The database must not contain
    users.

    Another seed makes other students, who do the same in another way.
    """
    rng = random.Random(seed)
    teacher = User.objects.create_teacher(*TEACHER)
    used_names: set[str] = set()
    fifth, sixth = (_make_class(teacher, name, code, rng, used_names) for name, code in CLASSES)
    library = _make_library(teacher)
    goishi = library["goishi"]
    now = timezone.now()
    last_week, next_week = now - timedelta(days=7), now + timedelta(days=6)

    past = _assign(fifth, teacher, "はじめての碁石拾い", now + timedelta(days=1), goishi[:4])
    _lesson(past, last_week, rng, present=0.97, minutes=25)
    Assignment.objects.filter(pk=past.pk).update(
        created_at=last_week, due_at=last_week + timedelta(days=3)
    )

    under_way = _assign(fifth, teacher, "碁石拾い その2", next_week, goishi[6:12])
    _lesson(under_way, now - timedelta(minutes=18), rng, present=0.9, minutes=16)

    other = _assign(sixth, teacher, "朝の十五分パズル", next_week, goishi[2:7] + goishi[13:14])
    _lesson(other, now - timedelta(days=1), rng, present=0.85, minutes=15)

    others = [puzzles for slug, puzzles in library.items() if slug != "goishi"]
    first_ones = [puzzle for at in (0, 1) for puzzles in others for puzzle in puzzles[at : at + 1]]
    mixed = _assign(
        sixth,
        teacher,
        "いろいろなゲームをためそう",
        next_week,
        goishi[2:3] + first_ones,
        shades=True,
        warns=True,
    )
    _lesson(mixed, now - timedelta(minutes=12), rng, present=0.8, minutes=10)
    _ask_in_advance(teacher)

    record = Puzzle.objects.get(owner=teacher, title=RECORD_TITLE)
    records = _assign(
        sixth, teacher, "クラスの記録にいどもう", next_week, [record], shows_total=False
    )
    _lesson(records, now - timedelta(minutes=6), rng, present=0.8, minutes=5)
    _fill_gallery(fifth, teacher, now - timedelta(hours=3), rng)
    if language == "en":
        name_in_english()


def _draw_names(rng: random.Random, size: int, used_names: set[str]) -> list[tuple[str, str]]:
    """Return `size` different names with their readings, in the order of a class list, and add the
    names to `used_names`.

    The order of `FAMILY_NAMES` stands in for the order of the kana.
    """
    drawn: list[tuple[str, str]] = []
    families = sorted(rng.sample(range(len(FAMILY_NAMES)), size))
    for index in families:
        names = FAMILY_NAMES[index], rng.choice(GIVEN_NAMES)
        while _joined(names, 0) in used_names:
            names = FAMILY_NAMES[index], rng.choice(GIVEN_NAMES)
        used_names.add(_joined(names, 0))
        drawn.append((_joined(names, 0), _joined(names, 1)))
    return drawn


def _joined(names: Iterable[tuple[str, str]], part: int) -> str:
    """Return family name and given name as written (0) or as read (1)."""
    return " ".join(name[part] for name in names)


def _make_class(
    teacher: User, name: str, code: str, rng: random.Random, used_names: set[str]
) -> Classroom:
    grade = int(name[0])
    classroom = Classroom.objects.create(
        name=name, code=code, grade=grade, shows_names=True, kinds=[*usual_names(), *TABLES]
    )
    classroom.teachers.add(teacher)
    drawn = _draw_names(rng, CLASS_SIZE, used_names)
    students = [User.objects.new_student(name, PIN, reading) for name, reading in drawn]
    User.objects.bulk_create(students)
    Enrolment.objects.bulk_create(
        Enrolment(classroom=classroom, student=student, number=number)
        for number, student in enumerate(students, 1)
    )
    return classroom


def _make_library(teacher: User) -> dict[str, list[Puzzle]]:
    """Create the teacher's puzzles, and return them by the slug of their kind."""
    return {
        slug: [
            Puzzle.objects.create(
                owner=teacher,
                kind_slug=slug,
                title=board.title,
                reading=READINGS.get(board.title, ""),
                position=kind.write(kind.read(board.position)),
            )
            for board in demo_boards(kind)
        ]
        for slug, kind in kinds().items()
    }


def _assign(
    classroom: Classroom,
    teacher: User,
    title: str,
    due_at: datetime,
    puzzles: list[Puzzle],
    **terms: object,
) -> Assignment:
    """Assign the puzzles under a title with its reading."""
    terms = {"reading": READINGS.get(title, "")} | terms
    return assign_puzzles(classroom, teacher, title, due_at, puzzles, **terms)


def _lesson(
    assignment: Assignment, start: datetime, rng: random.Random, present: float, minutes: int
) -> None:
    """Let the class work on the assignment from `start` on, for `minutes`."""
    end = start + timedelta(minutes=minutes)
    for student in assignment.classroom.students.exclude(
        written_puzzles__shown_as__assignment=assignment
    ):
        if rng.random() > present:
            continue
        skill = _skill_of(student)
        clock = start + timedelta(seconds=rng.randrange(90))
        for puzzle in assignment.puzzles.all():
            clock = _work_on_puzzle(student, puzzle, clock, end, rng, skill)


def _skill_of(student: User) -> float:
    """Return the student's skill, from 0 to 1, which is the same in all lessons."""
    return random.Random(f"{SEED} {student.name}").betavariate(2.5, 2)


def _fill_gallery(classroom: Classroom, teacher: User, start: datetime, rng: random.Random) -> None:
    """Open the class's gallery, hand puzzles in, approve one, and let classmates solve it."""
    with translation.override("ja"):
        gallery = open_gallery(classroom, teacher)
    authors = rng.sample(list(classroom.students.all()), len(WRITTEN_PUZZLES))
    handed_in = []
    for author, (title, position) in zip(authors, WRITTEN_PUZZLES):
        written = WrittenPuzzle(author=author, kind_slug="goishi", title=title, position=position)
        written.save()
        hand_in(written, classroom)
        written.refresh_from_db()
        handed_in.append(written)
    approve(handed_in[0], gallery, handed_in[0].mark)
    _lesson(gallery, start, rng, present=0.4, minutes=15)


def _work_on_puzzle(
    student: User,
    puzzle: AssignedPuzzle,
    clock: datetime,
    end: datetime,
    rng: random.Random,
    skill: float,
) -> datetime:
    """Let a student work on a puzzle, and return the time at which the student stops."""
    # As in class, each student has a pace, and some moves take thought.
    pace = 3 + 6 * (1 - skill)
    attempt = current_attempt(student, puzzle, clock)
    assert attempt is not None, "an assignment that is over"
    solutions = {board.title: board.solution for board in demo_boards(puzzle.kind)}
    hints_left = puzzle.assignment.hints
    steps: list[TimedStep] = []
    for action, argument in play(
        puzzle.kind, puzzle.start, rng, skill, solutions.get(puzzle.title, "")
    ):
        clock += timedelta(seconds=rng.expovariate(1 / pace) + 0.8)
        if clock >= end:
            clock = end
            break
        if action in Step.Action:
            steps.append(TimedStep(action, argument, clock))
            continue
        take_steps(attempt, steps)
        steps.clear()
        if action == "restart":
            attempt = restart(attempt, clock)
        elif hints_left:
            level = HintUse.Level(int(argument))
            if ask_hint(attempt, attempt.next_step, level, clock) is None:
                # The demo's workers start after the lesson, so the hint is recorded as told.
                record_hint(attempt, level, clock)
            hints_left -= 1
    take_steps(attempt, steps)
    return min(end, clock + timedelta(seconds=5))


def _ask_in_advance(teacher: User) -> None:
    """Ask about the library, about random boards, and about the board that a study's page shows."""
    for puzzle in Puzzle.objects.filter(owner=teacher):
        for question in (COUNT, RATE):
            if can_ask(puzzle, question):
                ask_about(teacher, puzzle, question)
    for kind in kinds().values():
        if survey := kind.questions.get(SURVEY):
            for changed in SURVEY_OPTIONS:
                options = {
                    name: option.read(changed.get(name, option.default))
                    for name, option in survey.options.items()
                }
                jobs.ask(teacher, kind.slug, SURVEY, survey.position, options)
    for key in maxstrings.QUESTIONS:
        maxstrings.ask_about_square(teacher, maxstrings.SHOWN_SIDE, key)
