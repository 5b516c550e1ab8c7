"""Users and courses of a platform become users and classes of the site.

A user is found by the identifier that the platform has given, a class by that of the course. Only
launches write these rows. A student may also be found by an identifier of the roster, if an
administrator has said that the platform sends it (`rosters.identifiers`). A teacher's account is
linked only by its owner, because whoever looks after a platform must not enter other teachers'
classes.
"""

import secrets

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import schools_of, schools_of_teacher
from puzzleclass.classes.joining import open_enrolment_of
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.roster import CLASS_LENGTH, NAME_LENGTH, Entry, clean_name, unnamed
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import add_students, free_number, lock_list
from puzzleclass.lti.models import Launch, PlatformClass, PlatformUser
from puzzleclass.lti.tokens import Claims, LaunchRefused
from solvers.message import Message

NO_ROLE = Message(
    "Your learning platform does not say that you are a teacher or a student of this course."
)
CLOSED_ACCOUNT = Message("Your account has been closed. Ask the people who run the site.")
STUDENTS_ACCOUNT = Message(
    "Your account here is a student's. Ask the people who look after PuzzleClass at your school."
)
NO_ACCOUNT = Message(
    "You have no account here, and your school lets nobody create one in this way. Ask the people "
    "who look after PuzzleClass at your school."
)
NO_CLASS = Message(
    "This course is not connected to a class yet. Ask your teacher to open PuzzleClass from the "
    "course first."
)
NOBODY_KNOWN = Message(
    "PuzzleClass does not know yet who you are, because you have not come from a course. Open "
    "PuzzleClass in a course of yours, or sign in with your class code."
)
NO_LONGER_HERE = Message("You are no longer on a class list of this school. Ask your teacher.")
TEACHERS_CHOOSE = Message(
    "Here, teachers choose to which puzzles a link of the course leads. You can't choose anything. "
    "Go back to the course and open a link to PuzzleClass there."
)
CLASS_OVER = Message("You can't join right now. Your teacher opens the class for the lesson.")
CLASS_FULL = Message("This class is full. Ask your teacher.")


def find_user(launch: Launch, claims: Claims) -> User | None:
    """Return the account of the user; None if there is none yet. Raises LaunchRefused."""
    has_role = claims.is_teacher or claims.is_student
    if claims.course and not has_role:
        raise LaunchRefused("role", NO_ROLE)
    known = PlatformUser.objects.filter(platform=launch.platform, sub=claims.sub)
    user = next((each.user for each in known.select_related("user")), None)
    if user is None and not claims.is_teacher:
        platform = launch.platform
        user = platform.find_student(platform.owner, claims.value_of(platform.roster_claim))
        if user and user.is_active:
            link_user(launch, claims, user)
    if user is not None and not user.is_active:
        raise LaunchRefused("account", CLOSED_ACCOUNT)
    return user


def link_user(launch: Launch, claims: Claims, user: User) -> None:
    """Make the account that of the platform's user."""
    PlatformUser.objects.update_or_create(
        platform=launch.platform, sub=claims.sub, defaults={"user": user}
    )


@transaction.atomic
def make_teacher(launch: Launch, claims: Claims) -> User:
    """Create an account for a teacher, who signs in by the platform only. Raises LaunchRefused."""
    if not launch.platform.makes_teachers:
        raise LaunchRefused("account", NO_ACCOUNT)
    teacher = User.objects.create_user(
        f"t-{secrets.token_hex(8)}", name=_name_of(claims), role=User.Role.TEACHER
    )
    link_user(launch, claims, teacher)
    return teacher


def class_of(launch: Launch, claims: Claims) -> Classroom | None:
    """Return the class of the course; None if the course has none yet."""
    if claims.course is None:
        return None
    known = PlatformClass.objects.filter(
        platform=launch.platform, course_id=claims.course.id, classroom__deleted_at=None
    )
    return next((each.classroom for each in known.select_related("classroom")), None)


def link_class(launch: Launch, claims: Claims, classroom: Classroom) -> None:
    """Make the class that of the course."""
    if claims.course:
        PlatformClass.objects.update_or_create(
            platform=launch.platform, course_id=claims.course.id, defaults={"classroom": classroom}
        )


def class_name(claims: Claims) -> str:
    """Return a name for a new class of the course."""
    course = claims.course
    return clean_name(course.title or course.label)[:CLASS_LENGTH] if course else ""


def schools_for(launch: Launch, teacher: User) -> QuerySet[School]:
    """Return the schools to which a new class of the teacher's course can belong: the one of the
    platform, or those of its board to which the teacher belongs. The platform does not decide."""
    schools = launch.platform.owner.own_schools()
    if launch.platform.school:
        return schools
    return schools.filter(pk__in=schools_of_teacher(teacher))


def join_as_teacher(classroom: Classroom, teacher: User, claims: Claims) -> None:
    """Give a teacher of the course a role in its class, unless the teacher has one."""
    role = Teaching.Role.SUBSTITUTE if claims.is_assistant else Teaching.Role.TEACHER
    Teaching.objects.get_or_create(classroom=classroom, teacher=teacher, defaults={"role": role})


def join_as_student(launch: Launch, claims: Claims, user: User | None) -> tuple[Classroom, User]:
    """Return the class and the student, who gets an account and a number if necessary.

    Raises LaunchRefused if the school or the class lets nobody in.
    """
    classroom = class_of(launch, claims)
    if classroom is None:
        raise LaunchRefused("course", NO_CLASS)
    if not classroom.is_open:
        raise LaunchRefused("class", CLASS_OVER)
    return classroom, enrol(launch, claims, user, classroom)


def enrolment_without_course(launch: Launch, user: User | None) -> Enrolment:
    """Return the enrolment with which a student comes in whose launch names no course.

    Raises LaunchRefused if the platform's schools don't know the student, or no class is open.
    """
    if user is None:
        raise LaunchRefused("course", NOBODY_KNOWN)
    schools = launch.platform.owner.own_schools()
    of_course = Classroom.objects.filter(platform_classes__platform=launch.platform)
    is_known = schools_of(user).filter(pk__in=schools).exists()
    if not (is_known or of_course.filter(enrolments__student=user).exists()):
        raise LaunchRefused("account", NO_LONGER_HERE)
    enrolment = open_enrolment_of(user)
    if enrolment is None:
        raise LaunchRefused("class", CLASS_OVER)
    return enrolment


def enrol(launch: Launch, claims: Claims, user: User | None, classroom: Classroom) -> User:
    """Return the student, who gets an account and a number in the class if necessary.

    Raises LaunchRefused if the school lets nobody create an account, or the class is full.
    """
    try:
        with transaction.atomic():
            lock_list(classroom)
            return _enrolled(launch, claims, user, classroom)
    except IntegrityError:
        # The same student has been launched twice at the same moment.
        user = find_user(launch, claims)
        if user is None or not classroom.enrolments.filter(student=user).exists():
            raise
        return user


def _enrolled(launch: Launch, claims: Claims, user: User | None, classroom: Classroom) -> User:
    if user and classroom.enrolments.filter(student=user).exists():
        return user
    if user is None and not launch.platform.makes_students:
        raise LaunchRefused("account", NO_ACCOUNT)
    number = free_number(classroom)
    if number is None:
        raise LaunchRefused("class", CLASS_FULL)
    if user:
        classroom.enrolments.create(student=user, number=number)
        return user
    entry = Entry(1, number=number, name=_name_of(claims) or unnamed(number))
    [enrolment] = add_students(classroom, [entry])
    student = Enrolment.objects.select_related("student").get(pk=enrolment).student
    link_user(launch, claims, student)
    return student


def _name_of(claims: Claims) -> str:
    return clean_name(claims.full_name)[:NAME_LENGTH]
