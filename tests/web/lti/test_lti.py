"""LTI launches: what is refused, and who comes in, with an independent platform."""

import base64
import json
import re
import time
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from joserfc.jwk import RSAKey

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.lti import keys
from puzzleclass.lti.models import Launch, Platform, PlatformClass, PlatformUser, SigningKey
from puzzleclass.rosters.models import UserId
from tests.learning_platform import CLAIM, COURSE, DEPLOYMENT, MEMBER, STUDENT, learning_platform

pytestmark = pytest.mark.django_db
TARGET = "http://testserver/lti/launch/"


@pytest.fixture
def platform(settings):
    settings.LOCAL_SERVERS = True
    with learning_platform() as platform:
        yield platform


@pytest.fixture
def school(teacher) -> School:
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    return school


@pytest.fixture
def registered(platform, school) -> Platform:
    row = Platform.objects.create(school=school, name="Moodle", **platform.registration)
    row.deployments.create(deployment_id=DEPLOYMENT)
    return row


@pytest.fixture
def linked(registered, classroom) -> Classroom:
    """Return a class that belongs to the platform's course."""
    PlatformClass.objects.create(platform=registered, course_id=COURSE["id"], classroom=classroom)
    return classroom


class Visitor:
    """A browser that comes from the platform."""

    def __init__(self, platform, language="en") -> None:
        self.platform = platform
        headers = {"accept-language": language, "sec-fetch-dest": "document"}
        self.client = Client(headers=headers)

    def log_in(self, sub="s-1", target=TARGET, **changed):
        fields = self.platform.login_fields(sub, target) | changed
        return self.client.get(reverse("lti_login"), fields)

    def answer(self, sub="s-1", target=TARGET, **changed):
        """Return the fields that the platform posts after a login, before they are sent."""
        asked = urlsplit(self.log_in(sub, target)["Location"])
        got = {name: values[0] for name, values in parse_qs(asked.query).items()}
        assert got["redirect_uri"] == TARGET
        claims = self.platform.claims(sub, got["nonce"], target, **changed)
        return {"state": got["state"], "id_token": self.platform.token(claims), "claims": claims}

    def send(self, answer):
        """Post the platform's answer, as from another site: without cookies."""
        fields = {name: answer[name] for name in ("state", "id_token")}
        kept, self.client.cookies = self.client.cookies, type(self.client.cookies)()
        response = self.client.post(reverse("lti_launch"), fields)
        kept.update(response.cookies)
        self.client.cookies = kept
        return response

    def open(self, launched):
        found = re.search(r'name="word" value="([^"]+)"', launched.content.decode())
        return self.client.post(reverse("lti_open"), {"word": found[1]}, follow=True)

    def come(self, sub="s-1", target=TARGET, **changed):
        launched = self.send(self.answer(sub, target, **changed))
        return self.open(launched) if launched.status_code == 200 else launched


@pytest.fixture
def visitor(platform, registered) -> Visitor:
    return Visitor(platform)


def said(page) -> str:
    return page.content.decode()


# What is refused


def unsigned(claims):
    head = {"alg": "none", "typ": "JWT", "kid": "key-1"}
    parts = (json.dumps(part).encode() for part in (head, claims))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


REFUSED = {
    "issuer": {"iss": "https://other.example"},
    "audience": {"aud": "other-client"},
    "an audience of others": {"aud": ["other-client", "third"]},
    "authorized party": {"azp": "other-client"},
    "several audiences without azp": {"aud": ["client-1", "other-client"]},
    "several audiences with another azp": {"aud": ["client-1", "x"], "azp": "x"},
    "deployment": {f"{CLAIM}deployment_id": "other"},
    "no deployment": {f"{CLAIM}deployment_id": None},
    "empty deployment": {f"{CLAIM}deployment_id": ""},
    "nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "no exp": {"exp": None},
    "no iat": {"iat": None},
    "no sub": {"sub": None},
    "exp as a text": {"exp": "soon"},
    "exp true": {"exp": True},
    "exp infinite": {"exp": float("inf")},
    "exp as a text of digits": {"exp": "99999999999"},
    "exp far away": {"exp": 10**30},
    "exp larger than any float": {"exp": 10**400},
    "exp far away as a float": {"exp": 1e300},
    "exp in a year": {"exp": int(time.time()) + 366 * 86_400},
    "exp a list": {"exp": [1]},
    "iat as a text": {"iat": "now"},
    "iat as a text of digits": {"iat": "1"},
    "iat true": {"iat": True},
    "iat no number": {"iat": float("nan")},
    "iat infinite": {"iat": float("-inf")},
    "iat larger than any float": {"iat": -(10**400)},
    "nbf as a text of digits": {"nbf": "1"},
    "nbf true": {"nbf": True},
    "nbf infinite": {"nbf": float("-inf")},
    "nbf in the future": {"nbf": int(time.time()) + 86_400},
    "foreign target": {f"{CLAIM}target_link_uri": "https://other.example/"},
    "other target": {f"{CLAIM}target_link_uri": f"{TARGET}?assignment=1"},
    "no target": {f"{CLAIM}target_link_uri": None},
    "version": {f"{CLAIM}version": "1.1"},
    "message type": {f"{CLAIM}message_type": "LtiOther"},
    "no link": {f"{CLAIM}resource_link": None},
    "roles": {f"{CLAIM}roles": "Instructor"},
    "a sub of 256 letters": {"sub": "x" * 256},
}


@pytest.mark.parametrize("changed", REFUSED.values(), ids=REFUSED)
def test_a_token_that_does_not_fit_is_refused(visitor, linked, changed, caplog):
    caplog.set_level("INFO", "puzzleclass.security")
    answer = visitor.answer()
    given = answer["claims"] | changed
    claims = {name: value for name, value in given.items() if value is not None}
    page = visitor.send(answer | {"id_token": visitor.platform.token(claims)})
    assert page.status_code == 403
    assert "learning platform" in said(page)
    assert '"launch refused"' in caplog.text
    assert not Launch.objects.exists()


@pytest.mark.parametrize(
    ("seconds", "status"), [(-7200, 403), (-1, 403), (5, 200)], ids=["long", "just", "not yet"]
)
def test_a_token_expires(visitor, linked, seconds, status):
    assert visitor.send(visitor.answer(exp=int(time.time()) + seconds)).status_code == status


def test_a_clock_may_be_a_little_ahead(visitor, linked):
    assert visitor.send(visitor.answer(iat=int(time.time()) + 30)).status_code == 200
    assert visitor.send(visitor.answer(iat=int(time.time()) + 300)).status_code == 403


def test_unsigned_and_wrongly_signed_tokens_are_refused(visitor, linked, platform):
    answer = visitor.answer()
    claims, token = answer["claims"], answer["id_token"]
    foreign = RSAKey.generate_key(2048, {"kid": "key-1"})
    real, platform.key = platform.key, foreign
    forged = platform.token(claims)
    platform.key = real
    head, body, signature = token.split(".")
    tokens = [
        unsigned(claims) + ".",
        f"{unsigned(claims)}.{signature}",
        f"{head}.{body}.",
        f"{head}.{body}",
        platform.secret_token(claims),
        forged,
        "",
        "x.y.z",
        "a" * 200_000,
    ]
    for each in tokens:
        page = visitor.send(answer | {"id_token": each})
        assert (page.status_code, "nobody was signed in" in said(page)) == (403, True), each[:60]
    assert visitor.send(answer).status_code == 200


def test_a_shared_secret_in_the_key_set_is_no_key(visitor, linked, registered, platform):
    registered.key_set = [{"kty": "oct", "kid": "key-1", "k": "c2VjcmV0"}]
    registered.keys_read_at = timezone.now()
    registered.save()
    assert visitor.come().status_code == 403


def test_an_unknown_key_lets_the_key_set_be_read_once(visitor, linked, registered, platform):
    assert visitor.come().status_code == 200
    platform.key = RSAKey.generate_key(2048, {"kid": "key-2", "use": "sig", "alg": "RS256"})
    for _ in range(5):
        assert "does not contain the key" in said(visitor.come())
    assert platform.asked.count("GET /keys") == 1
    since = timezone.now() - timedelta(minutes=1)
    Platform.objects.update(keys_read_at=since)
    for _ in range(5):
        assert visitor.come().status_code == 403
    assert platform.asked.count("GET /keys") == 2
    Platform.objects.update(keys_read_at=since)
    platform.published.append(platform.key)
    assert visitor.come().status_code == 200


def test_a_key_set_that_cannot_be_read_is_named(visitor, linked, registered):
    Platform.objects.update(key_set_url=registered.token_url)
    assert "could not be read" in said(visitor.come())


@pytest.mark.filterwarnings("ignore:Key size")
def test_a_short_key_is_refused(visitor, linked, platform):
    platform.key = RSAKey.generate_key(1024, {"kid": "short", "use": "sig", "alg": "RS256"})
    platform.published = [platform.key]
    assert visitor.come().status_code == 403


def test_no_token_and_no_nonce_counts_twice(visitor, linked, platform):
    answer = visitor.answer()
    assert visitor.send(answer).status_code == 200
    again = visitor.send(answer)
    assert (again.status_code, "used already" in said(again)) == (403, True)
    another = platform.token(answer["claims"] | {"jti": "another"})
    again = visitor.send(answer | {"id_token": another})
    assert (again.status_code, "used already" in said(again)) == (403, True)
    fresh = visitor.answer()
    mixed = visitor.send({"state": fresh["state"], "id_token": answer["id_token"]})
    assert mixed.status_code == 403


def test_a_word_opens_once_and_for_a_minute(visitor, linked):
    launched = visitor.send(visitor.answer())
    assert visitor.open(launched).status_code == 200
    assert visitor.open(launched).status_code == 403
    late = visitor.send(visitor.answer())
    Launch.objects.update(made_at=timezone.now() - timedelta(seconds=61))
    assert "too old" in said(visitor.open(late))


def test_a_sign_in_cannot_be_forged_upon_another_browser(visitor, linked, platform):
    answer = visitor.answer()
    victim = Visitor(platform)
    launched = victim.send(answer)
    page = victim.open(launched)
    assert (page.status_code, "another browser" in said(page)) == (403, True)
    assert "_auth_user_id" not in victim.client.session
    # A login of the victim's own does not help the forger.
    victim.log_in()
    assert victim.open(victim.send(visitor.answer())).status_code == 403


def test_a_state_that_is_not_ours_or_too_old_is_refused(visitor, linked, monkeypatch):
    answer = visitor.answer()
    for state in ("", "x", answer["state"][:-2]):
        assert visitor.send(answer | {"state": state}).status_code == 403
    monkeypatch.setattr("puzzleclass.lti.launches.STATE_SECONDS", -1)
    assert visitor.send(answer).status_code == 403


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://other.example"},
        {"client_id": "other"},
        {"target_link_uri": "https://other.example/"},
        {"target_link_uri": "http://testserver/"},
        {"target_link_uri": f"{TARGET}?assignment=x"},
        {"target_link_uri": f"{TARGET}?assignment=1&next=//x"},
        {"target_link_uri": ""},
        {"login_hint": ""},
        {"login_hint": "x" * 30_000},
    ],
)
def test_a_login_that_does_not_fit_is_refused(visitor, changed):
    page = visitor.log_in(**changed)
    assert page.status_code == 403
    japanese = Visitor(visitor.platform, "ja").log_in(**changed)
    assert "学習" in said(japanese)


def test_the_client_id_may_be_left_out_where_it_is_clear(visitor, registered, platform, school):
    fields = platform.login_fields("s-1", TARGET)
    del fields["client_id"]
    assert visitor.client.post(reverse("lti_login"), fields).status_code == 302
    other = platform.registration | {"client_id": "second"}
    Platform.objects.create(school=school, name="Second", **other)
    assert visitor.client.get(reverse("lti_login"), fields).status_code == 403


def test_an_error_of_the_platform_is_told(visitor):
    state = visitor.answer()["state"]
    page = visitor.client.post(reverse("lti_launch"), {"error": "login_required", "state": state})
    assert page.status_code == 403


# Frames


def test_only_the_button_may_stand_in_a_frame(visitor, linked, client):
    framed = visitor.client.get(
        reverse("lti_login"),
        visitor.platform.login_fields("s-1", TARGET),
        headers={"sec-fetch-dest": "iframe"},
    )
    assert "Open PuzzleClass" in said(framed) and 'target="_blank"' in said(framed)
    assert "X-Frame-Options" not in framed and not framed.cookies
    assert "frame-ancestors https:" in framed["Content-Security-Policy"]
    launched = visitor.send(visitor.answer())
    for page in (launched, visitor.open(launched), client.get("/"), visitor.log_in()):
        assert page["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert visitor.log_in().cookies["lti_browser"]["samesite"] == "Lax"


def test_a_browser_that_names_no_destination_gets_the_button(visitor, linked):
    """It may stand in a frame, where nobody could be signed in."""
    fields = visitor.platform.login_fields("s-1", TARGET)
    old = Client()
    for begun in (old.get(reverse("lti_login"), fields), old.post(reverse("lti_login"), fields)):
        assert 'target="_blank"' in said(begun) and "X-Frame-Options" not in begun
        assert "frame-ancestors https:" in begun["Content-Security-Policy"]
        tab = old.get(begun.context["again"])
        assert tab.status_code == 302 and tab["X-Frame-Options"] == "DENY"
        assert "lti_browser" in tab.cookies


# Students


def test_a_student_of_the_course_gets_an_account_and_a_number(visitor, linked, registered):
    before = linked.enrolments.count()
    page = visitor.come()
    assert page.redirect_chain[-1][0] == "/"
    student = page.context["user"]
    assert (student.name, student.role) == ("安部 陽斗", "student")
    assert linked.enrolments.get(student=student).number == before + 1
    assert visitor.client.session["number"] == before + 1
    again = Visitor(visitor.platform).come()
    assert again.context["user"] == student and linked.enrolments.count() == before + 1
    assert registered.users.get().user == student


def test_the_school_can_keep_unknown_students_out(visitor, linked, registered):
    Platform.objects.update(makes_students=False)
    page = visitor.come()
    assert (page.status_code, "no account here" in said(page)) == (403, True)
    assert User.objects.filter(name="安部 陽斗").count() == 0


def test_a_student_without_a_name_is_called_by_the_number(visitor, linked):
    number = linked.enrolments.count() + 1
    assert visitor.come(name=None).context["user"].name == f"No. {number}"


def test_a_student_of_a_roster_is_found_by_its_identifier(visitor, linked, registered, student):
    source = registered.school.sources.create(name="roster")
    UserId.objects.create(source=source, sourced_id="u-9", user=student)
    Platform.objects.update(roster_claim="lis.person_sourcedid")
    page = visitor.come(**{f"{CLAIM}lis": {"person_sourcedid": "u-9"}})
    assert page.context["user"] == student


def test_a_student_before_the_teacher_is_told_to_wait(visitor):
    page = visitor.come()
    assert (page.status_code, "Ask your teacher" in said(page)) == (403, True)
    assert not User.objects.filter(role="student", name="安部 陽斗").exists()


def test_a_class_that_is_over_lets_nobody_in(visitor, linked):
    Classroom.objects.update(archived_at=timezone.now())
    assert visitor.come().status_code == 403


def test_a_full_class_lets_nobody_in(visitor, linked, monkeypatch):
    monkeypatch.setattr("puzzleclass.classes.services.MAX_STUDENTS", linked.enrolments.count())
    assert "full" in said(visitor.come())


def test_without_a_role_nobody_comes_in(visitor, linked):
    for roles in ([], [f"{MEMBER}Mentor"], ["x"]):
        assert visitor.come(**{f"{CLAIM}roles": roles}).status_code == 403


def test_a_closed_account_stays_closed(visitor, linked):
    visitor.come()
    User.objects.filter(name="安部 陽斗").update(is_active=False)
    assert visitor.come().status_code == 403


# Teachers


def test_a_new_teacher_gets_an_account_and_a_class(visitor, registered):
    page = visitor.come("t-1")
    assert page.redirect_chain[-1][0] == reverse("lti_account")
    page = visitor.client.post(reverse("lti_account"), {"do": "new"}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("lti_class")
    assert "4年1組 算数" in said(page)
    page = visitor.client.post(reverse("lti_class"), {"name": "4年1組"}, follow=True)
    made = Classroom.objects.get(name="4年1組")
    teacher = made.teachers.get()
    assert page.redirect_chain[-1][0] == f"/classes/{made.pk}/"
    assert teacher.name == "佐藤 恵子" and not teacher.has_usable_password()
    # From now on, teacher and students come straight into the class.
    assert Visitor(visitor.platform).come("t-1").redirect_chain[-1][0] == f"/classes/{made.pk}/"
    assert Visitor(visitor.platform).come("s-1").context["user"] in made.students.all()


def test_a_teacher_links_the_own_account_and_class(visitor, registered, teacher, classroom):
    visitor.come("t-1")
    page = visitor.client.get(reverse("lti_account"))
    assert "Link the account" not in said(page)
    sign_in = f"{reverse('sign_in')}?next={reverse('lti_account')}"
    page = visitor.client.post(
        sign_in, {"username": "sato", "password": "a good password"}, follow=True
    )
    assert "Link the account of Sato Keiko" in said(page)
    page = visitor.client.post(reverse("lti_account"), {"do": "link"}, follow=True)
    page = visitor.client.post(reverse("lti_class"), {"classroom": classroom.pk}, follow=True)
    assert page.redirect_chain[-1][0] == f"/classes/{classroom.pk}/"
    again = Visitor(visitor.platform).come("t-1")
    assert again.context["user"] == teacher


def test_a_teacher_of_a_roster_is_not_linked_by_the_platform(visitor, registered, teacher):
    source = registered.school.sources.create(name="roster")
    UserId.objects.create(source=source, sourced_id="u-1", user=teacher)
    page = visitor.come("t-1", **{f"{CLAIM}lis": {"person_sourcedid": "u-1"}})
    assert page.redirect_chain[-1][0] == reverse("lti_account")


def test_the_school_can_keep_new_teachers_out(visitor, registered):
    Platform.objects.update(makes_teachers=False)
    visitor.come("t-1")
    page = visitor.client.post(reverse("lti_account"), {"do": "new"})
    assert page.status_code == 403


def test_teachers_of_the_course_join_its_class(visitor, linked, registered, other_teacher):
    PlatformUser.objects.create(platform=registered, sub="t-1", user=other_teacher)
    visitor.come("t-1")
    assert linked.teachings.get(teacher=other_teacher).role == Teaching.Role.TEACHER
    Teaching.objects.filter(teacher=other_teacher).delete()
    assistant = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"
    visitor.come("t-1", **{f"{CLAIM}roles": [assistant]})
    assert linked.teachings.get(teacher=other_teacher).role == Teaching.Role.SUBSTITUTE


def test_the_second_factor_is_asked_here_too(visitor, linked, registered, teacher):
    PlatformUser.objects.create(platform=registered, sub="t-1", user=teacher)
    two_factor.begin(teacher)
    two_factor.pending_app(teacher).__class__.objects.update(confirmed=True)
    page = visitor.come("t-1")
    assert page.redirect_chain[-1][0].startswith(reverse("sign_in_code"))
    assert "_auth_user_id" not in visitor.client.session


def test_a_launch_is_no_typed_password(visitor, linked, registered, teacher):
    PlatformUser.objects.create(platform=registered, sub="t-1", user=teacher)
    visitor.come("t-1")
    page = visitor.client.post(reverse("classroom_data", args=[linked.pk]))
    assert page["Location"].startswith(reverse("confirm"))


def test_a_student_of_the_site_is_no_teacher(visitor, linked, registered, student):
    PlatformUser.objects.create(platform=registered, sub="t-1", user=student)
    assert visitor.come("t-1").status_code == 403


def test_a_student_who_was_signed_in_is_signed_out(visitor, linked, student, client_of):
    visitor.client.force_login(student)
    page = visitor.come("s-1")
    assert page.context["user"].name == "安部 陽斗"


# The school's pages


def test_an_administrator_registers_a_platform(school, teacher_client, platform):
    fields = platform.registration | {"name": "Moodle", "deployments": "1\n2\n\n"}
    page = teacher_client.post(reverse("platform_new", args=[school.pk]), fields, follow=True)
    made = Platform.objects.get()
    assert [each.deployment_id for each in made.deployments.all()] == ["1", "2"]
    assert (made.makes_students, made.makes_teachers) == (False, False)
    assert "http://testserver/lti/jwks/" in said(page)
    again = teacher_client.post(reverse("platform_new", args=[school.pk]), fields)
    assert again.status_code == 422
    assert teacher_client.get("/lti/jwks/").json()["keys"][0]["kty"] == "RSA"
    edit = reverse("platform_edit", args=[school.pk, made.pk])
    teacher_client.post(edit, fields | {"deployments": "2\n3", "makes_students": "on"})
    assert [each.deployment_id for each in made.deployments.all()] == ["2", "3"]
    delete = reverse("platform_delete", args=[school.pk, made.pk])
    assert "This can't be undone" in said(teacher_client.get(delete))
    assert Platform.objects.exists()
    teacher_client.post(delete)
    assert not Platform.objects.exists()


def test_an_address_that_is_none_is_named(school, teacher_client, platform, settings):
    settings.LOCAL_SERVERS = False
    fields = platform.registration | {"name": "Moodle"}
    page = teacher_client.post(reverse("platform_new", args=[school.pk]), fields)
    assert page.status_code == 422 and "must begin with https://" in said(page)


def test_a_deployment_is_allowed_afterwards(visitor, linked, registered, school, teacher_client):
    changed = {f"{CLAIM}deployment_id": "new"}
    assert visitor.come(**changed).status_code == 403
    edit = reverse("platform_edit", args=[school.pk, registered.pk])
    assert "the deployment “new”" in said(teacher_client.get(edit))
    teacher_client.post(edit, {"allow": "new"})
    assert visitor.come(**changed).status_code == 200


# Our keys


def test_keys_are_renewed_before_they_sign_and_kept_for_a_while():
    keys.renew_keys()
    first = SigningKey.objects.get()
    assert jwt_kid(keys.sign({"a": 1})) == first.kid
    SigningKey.objects.update(made_at=timezone.now() - timedelta(days=91))
    keys.renew_keys()
    keys.renew_keys()
    second = SigningKey.objects.first()
    assert SigningKey.objects.count() == 2
    assert jwt_kid(keys.sign({"a": 1})) == first.kid
    SigningKey.objects.filter(pk=second.pk).update(made_at=timezone.now() - timedelta(days=3))
    assert jwt_kid(keys.sign({"a": 1})) == second.kid
    assert len(keys.public_keys()) == 2
    SigningKey.objects.filter(pk=second.pk).update(made_at=timezone.now() - timedelta(days=40))
    keys.renew_keys()
    assert [each["kid"] for each in keys.public_keys()] == [second.kid]


def test_a_new_secret_of_the_site_leads_to_a_new_key(settings):
    keys.renew_keys()
    settings.SECRET_KEY = "another secret of the site"
    assert jwt_kid(keys.sign({"a": 1})) == SigningKey.objects.first().kid
    assert SigningKey.objects.count() == 2


def jwt_kid(token: str) -> str:
    head = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))["kid"]


def test_launches_are_not_kept(visitor, linked):
    visitor.come()
    Launch.objects.update(made_at=timezone.now() - timedelta(days=2))
    assert Launch.expired().delete()[0] == 1
    assert STUDENT not in json.dumps(list(Launch.objects.values_list("claims", flat=True)))
