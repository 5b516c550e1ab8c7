"""The names of the demo school for visitors who read English."""

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, WrittenPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Puzzle

TEACHER = "Hannah Mountfield"
CLASSES = {"5年1組": "Class 5A", "6年2組": "Class 6B"}

TITLES = {
    "はじめての碁石拾い": "First steps in Goishi Hiroi",
    "碁石拾い その2": "Goishi Hiroi, part 2",
    "朝の十五分パズル": "Fifteen minutes in the morning",
    "いろいろなゲームをためそう": "Try all sorts of puzzles",
    "クラスの記録にいどもう": "Beat the record of the class",
    "はじめの四つ": "The first four",
    "階段": "Stairs",
    "研究の例": "The example of the study",
    "土の字": "The earth sign",
    "工の字": "The letter H on its side",
    "口の字": "A frame",
    "七つの石、ただ一つの道": "Seven stones, one way",
    "さかずき": "The goblet",
    "はなれた三つ": "Three apart",
    "三つの道": "Three ways",
    "十の石、ただ一つの道": "Ten stones, one way",
    "日の丸": "The rising sun",
    "ちりとり": "The dustpan",
    "十二の石、十二の道": "Twelve stones, twelve ways",
    "くわがた": "The stag beetle",
    "ネコの顔": "A cat's face",
    "一本道": "A single road",
    "七つの道": "Seven ways",
    "八路の迷路": "A maze of eight lines",
    "三十の石": "Thirty stones",
    "三段の盤に三枚": "Three pieces on three rows",
    "六枚をならべる": "Six pieces in peace",
    "八種せいぞろい": "One of each",
    "どこにどの駒": "Which piece goes where?",
    "桂馬を六枚": "Six knights",
    "五段の盤": "Five rows",
    "金はどこまで": "How many golds?",
    "四十枚の駒": "All forty pieces",
    "三路盤で六つ": "Six on three lines",
    "四路盤の十二": "Twelve on four lines",
    "一点をあけて": "Leave one point",
    "池のある四路": "Four lines and a pond",
    "黒い角から": "From the black corner",
    "十字": "The cross",
    "六路盤、三つの空点": "Six lines, three empty points",
    "六路盤の記録": "The record on six lines",
    "七路盤、まん中をあけて": "Seven lines with an empty middle",
    "ふたつの段": "Two rows",
    "研究の九マス": "The nine squares of the study",
    "角の白": "White in the corner",
    "旗": "The flag",
    "まん中の白": "White in the middle",
    "四路、ただ一つの道": "Four lines, one way",
    "四つ星": "Four stars",
    "白い輪": "The white ring",
    "わたしの家": "My house",
    "小さな橋": "A small bridge",
    "ギャラリー": "Gallery",
}
"""The titles of puzzles and assignments in Japanese -> in English."""

# fmt: off
FAMILY_NAMES = [
    "Adams", "Bailey", "Bennett", "Brooks", "Carter", "Chapman", "Clarke", "Collins",
    "Cooper", "Davies", "Dixon", "Edwards", "Ellis", "Fisher", "Foster", "Gibson",
    "Graham", "Grant", "Hall", "Harris", "Hughes", "Hunt", "Jackson", "Kelly", "Khan",
    "Lewis", "Marshall", "Mason", "Miller", "Morgan", "Murray", "Palmer", "Patel", "Reid",
    "Richards", "Rogers", "Shaw", "Stewart", "Turner", "Walker",
]
GIVEN_NAMES = [
    "Amelia", "Arthur", "Ava", "Ben", "Charlie", "Chloe", "Daniel", "Edith", "Ella",
    "Emily", "Ethan", "Eva", "Finn", "Freya", "George", "Grace", "Harry", "Hugo", "Isla",
    "Ivy", "Jack", "Jacob", "Leo", "Lily", "Lucas", "Lucy", "Maisie", "Max", "Mia",
    "Noah", "Nora", "Oliver", "Olivia", "Oscar", "Poppy", "Ruby", "Sam", "Sophie", "Theo",
    "Zara",
]
# fmt: on
"""As many names as a class of the demo has students."""


def name_in_english() -> None:
    """Give the people, the classes and the titles of the demo school English names.

    The students are in the order of their family names, as on a class list.
    """
    User.objects.filter(student_classrooms=None).update(name=TEACHER)
    for number, (name, english) in enumerate(CLASSES.items()):
        classroom = Classroom.objects.get(name=name)
        Classroom.objects.filter(pk=classroom.pk).update(name=english)
        enrolments = classroom.enrolments.order_by("number").select_related("student")
        for at, (enrolment, family) in enumerate(zip(enrolments, FAMILY_NAMES, strict=True)):
            student = enrolment.student
            given = GIVEN_NAMES[(at * 7 + number * 13) % len(GIVEN_NAMES)]
            student.name, student.reading = f"{given} {family}", ""
            student.save(update_fields=["name", "reading"])
    for model in (Puzzle, Assignment, AssignedPuzzle, WrittenPuzzle):
        for row in model.objects.filter(title__in=TITLES):
            row.title, row.reading = TITLES[row.title], ""
            row.save(update_fields=["title", "reading"])
