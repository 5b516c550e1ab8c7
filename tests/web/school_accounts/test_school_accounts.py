"""Signing in with the account of a school, at a provider that speaks OpenID Connect."""

import re
import time
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Enrolment, SignInCard
from puzzleclass.classes.school_models import School
from puzzleclass.lti.models import Platform
from puzzleclass.outbound.sealed import seal, unseal
from puzzleclass.rosters.models import UserId
from puzzleclass.school_accounts.models import SignInProvider
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, running_provider
from tests.web.conftest import PASSWORD, PIN

pytestmark = pytest.mark.django_db

PEOPLE = {
    "hanako": {"sub": "s-1", "name": "山本 花子", "email": "hanako@midori.example", "hd": "midori"},
    "taro": {"sub": "s-2", "name": "佐藤 太郎", "email": "taro@midori.example", "hd": "midori"},
    "guest": {"sub": "s-9", "name": "Guest", "email": "hanako@midori.example", "hd": "elsewhere"},
}


@pytest.fixture
def client(client_of):
    """Return the browser of a visitor."""
    return client_of(None)


@pytest.fixture
def openid(settings):
    """Return a running provider; local servers are allowed."""
    settings.LOCAL_SERVERS = True
    with running_provider({name: dict(claims) for name, claims in PEOPLE.items()}) as provider:
        yield provider


@pytest.fixture
def school(teacher, classroom) -> School:
    """Return a school of the class that the teacher administers."""
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    classroom.school = school
    classroom.save()
    return school


@pytest.fixture
def provider(openid, school) -> SignInProvider:
    """Return the provider of the school, which is switched on."""
    return SignInProvider.objects.create(
        school=school,
        kind=SignInProvider.Kind.OPENID,
        issuer=openid.issuer,
        tenant="midori",
        tenant_claim="hd",
        client_id=CLIENT_ID,
        sealed_secret=seal(CLIENT_SECRET),
        is_on=True,
    )


def go(client, url, **fields):
    """Press the button at `url`; return the query with which the browser comes to the provider."""
    page = client.post(url, fields)
    assert page.status_code == 200, page.content.decode()
    address = unescape(re.search(r'content="0;url=([^"]+)"', page.content.decode())[1])
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


@pytest.fixture
def come(openid, provider):
    """Return a function that signs somebody in at the provider and returns our answer."""

    def come(client, name, url="", **fields):
        query = go(client, url or reverse("school_account_start", args=[provider.pk]), **fields)
        return client.get(openid.consent(query, name))

    return come


def signed_in(client):
    return client.session.get("_auth_user_id")


def link(user, provider, sub):
    return SocialAccount.objects.create(user=user, provider=provider.app_id, uid=sub)


# Students


def test_a_linked_student_comes_in(client, provider, classroom, student, come):
    link(student, provider, "s-1")
    page = client.get(reverse("join_class", args=[classroom.code]))
    assert "Sign in with みどり小学校" in page.content.decode()
    answer = come(client, "hanako", code=classroom.code, next="/practice/")
    assert (answer.status_code, answer["Location"]) == (302, "/practice/")
    assert signed_in(client) == str(student.pk)
    assert client.session["class_code"] == classroom.code


def test_a_student_links_the_account_by_a_pin_once(client, provider, classroom, student, come):
    answer = come(client, "hanako", code=classroom.code)
    assert answer["Location"] == reverse("school_account_unknown")
    page = client.get(answer["Location"]).content.decode()
    assert "山本 花子" in page
    connect = reverse("school_account_connect")
    number = student.enrolments.get().number
    pin = reverse("join_student", args=[classroom.code, number])
    assert client.post(pin, {"pin": PIN, "next": connect})["Location"] == connect
    assert not SocialAccount.objects.exists()
    assert student.name in client.get(connect).content.decode()
    client.post(connect, {"do": "connect"})
    [account] = SocialAccount.objects.all()
    assert (account.user, account.uid, account.extra_data) == (student, "s-1", {})
    again = Client()
    come(again, "hanako", code=classroom.code)
    assert signed_in(again) == str(student.pk)


def test_who_says_that_it_is_somebody_else_is_not_linked(client, classroom, student, come):
    come(client, "hanako", code=classroom.code)
    pin = reverse("join_student", args=[classroom.code, student.enrolments.get().number])
    client.post(pin, {"pin": PIN})
    client.post(reverse("school_account_connect"), {"do": "cancel"})
    assert not SocialAccount.objects.exists()
    assert client.get(reverse("school_account_connect"))["Location"] == "/"


def test_a_student_is_found_on_the_roster_by_the_chosen_claim(
    client, openid, provider, school, student, come
):
    provider.roster_claim = "employee"
    provider.save()
    source = school.sources.create(name="s")
    UserId.objects.create(source=source, sourced_id="u-1", user=student)
    openid.people["hanako"]["employee"] = "u-1"
    come(client, "hanako")
    assert signed_in(client) == str(student.pk)
    assert SocialAccount.objects.get().uid == "s-1"


def test_the_identifier_of_a_learning_platform_is_none_of_the_roster(
    client, openid, provider, school, student, come
):
    provider.roster_claim = "employee"
    provider.save()
    platform = Platform.objects.create(school=school, name="Moodle")
    platform.users.create(sub="u-1", user=student)
    openid.people["hanako"]["employee"] = "u-1"
    come(client, "hanako")
    assert not signed_in(client)


def test_a_teacher_is_never_found_by_the_roster(client, openid, provider, school, teacher, come):
    provider.roster_claim = "employee"
    provider.save()
    source = school.sources.create(name="s")
    UserId.objects.create(source=source, sourced_id="t-1", user=teacher)
    openid.people["hanako"]["employee"] = "t-1"
    assert come(client, "hanako")["Location"] == reverse("school_account_unknown")
    assert not signed_in(client)


def test_nobody_is_found_by_an_email_address(client, teacher, come):
    teacher.email = "hanako@midori.example"
    teacher.save()
    come(client, "hanako")
    assert not signed_in(client) and not SocialAccount.objects.exists()


@pytest.mark.parametrize("code", ["o/o", "?", "％" * 90])
def test_a_code_that_is_none_does_no_harm(client, provider, come, code):
    page = come(client, "mori", code=code)
    assert page.status_code < 500 and signed_in(client) is None


def test_strangers_never_sign_up(client, provider, classroom, come):
    before = User.objects.count()
    come(client, "taro", code=classroom.code)
    page = client.post(reverse("school_account_unknown"))
    assert "Add me" not in page.content.decode()
    assert User.objects.count() == before and not signed_in(client)


def test_a_new_student_is_added_if_the_school_allows_it(client, provider, classroom, come):
    provider.adds_students = True
    provider.save()
    numbers = set(classroom.enrolments.values_list("number", flat=True))
    come(client, "taro", code=classroom.code)
    assert "Add me to the class" in client.get(reverse("school_account_unknown")).content.decode()
    client.post(reverse("school_account_unknown"))
    added = Enrolment.objects.exclude(number__in=numbers).get(classroom=classroom)
    assert (added.student.name, added.number) == ("佐藤 太郎", max(numbers, default=0) + 1)
    assert signed_in(client) == str(added.student_id)
    assert added.student.email == ""


def test_no_student_is_added_without_a_class_of_the_school(client, provider, come):
    provider.adds_students = True
    provider.save()
    before = User.objects.count()
    come(client, "taro")
    client.post(reverse("school_account_unknown"))
    assert User.objects.count() == before


def test_an_account_of_a_foreign_domain_is_refused(client, provider, student, come):
    # The token says which domain it is; the address of the guest looks like one of ours.
    link(student, provider, "s-9")
    answer = come(client, "guest")
    assert answer.status_code == 403
    assert "belongs to another school" in answer.content.decode()
    assert not signed_in(client)


def test_who_has_left_the_school_is_refused(client, provider, classroom, student, come):
    link(student, provider, "s-1")
    classroom.school = None
    classroom.save()
    assert come(client, "hanako").status_code == 403
    assert not signed_in(client)


def test_a_closed_class_lets_nobody_in(client, provider, classroom, student, come):
    link(student, provider, "s-1")
    classroom.joins_until = timezone.now()
    classroom.save()
    assert "closed" in come(client, "hanako").content.decode()
    assert not signed_in(client)


def test_one_account_belongs_to_one_student(client, provider, classroom, student, classmate, come):
    come(client, "hanako", code=classroom.code)
    link(classmate, provider, "s-1")
    pin = reverse("join_student", args=[classroom.code, student.enrolments.get().number])
    client.post(pin, {"pin": PIN})
    page = client.post(reverse("school_account_connect"), {"do": "connect"}, follow=True)
    assert "connected with somebody else" in page.content.decode()
    assert SocialAccount.objects.get().user == classmate


def test_a_card_will_do_in_place_of_the_pin(client, classroom, student, come):
    come(client, "hanako", code=classroom.code)
    card = SignInCard.objects.get_or_create(student=student)[0]
    answer = client.post(reverse("join_by_card", args=[card.word]))
    assert answer["Location"] == reverse("school_account_connect")


def test_the_school_account_may_be_the_only_way(
    client, provider, school, classroom, student, teacher_client, come
):
    url = reverse("school_edit", args=[school.pk])
    assert teacher_client.post(url, {"kept_years": "2"}).status_code == 302
    school.refresh_from_db()
    assert (school.takes_pins, school.takes_cards, school.kept_years) == (False, False, 2)
    page = client.get(reverse("join_class", args=[classroom.code])).content.decode()
    assert "Sign in with" in page and "number" not in page and "Or read" not in page
    number = student.enrolments.get().number
    pin = client.post(reverse("join_student", args=[classroom.code, number]), {"pin": PIN})
    assert pin["Location"] == reverse("join_class", args=[classroom.code])
    card = SignInCard.objects.get_or_create(student=student)[0]
    assert client.post(reverse("join_by_card", args=[card.word])).status_code == 403
    assert not signed_in(client)
    link(student, provider, "s-1")
    come(client, "hanako")
    assert signed_in(client) == str(student.pk)
    # It can't be switched off now.
    url = reverse("school_provider", args=[school.pk])
    teacher_client.post(url, {"do": "remove"})
    assert teacher_client.post(url, FORM).status_code == 422
    provider.refresh_from_db()
    assert provider.is_on


# Teachers


def test_a_teacher_links_and_signs_in(client, provider, teacher, teacher_client, come):
    assert "Sign in with みどり小学校" in client.get(reverse("sign_in")).content.decode()
    url = reverse("school_account_link", args=[provider.pk])
    assert come(teacher_client, "taro", url)["Location"] == reverse("school_account_connect")
    teacher_client.post(reverse("school_account_connect"), {"do": "connect"})
    assert "Connected" in teacher_client.get(reverse("account")).content.decode()
    come(client, "taro")
    assert signed_in(client) == str(teacher.pk)
    # No password was typed: what is delicate asks for it.
    assert reverse("confirm") in client.get(reverse("account_password"))["Location"]
    client.post(reverse("confirm"), {"password": PASSWORD})
    client.post(reverse("school_account_unlink", args=[provider.pk]))
    assert not SocialAccount.objects.exists()


def test_the_second_factor_stays(client, provider, teacher, come):
    link(teacher, provider, "s-2")
    two_factor.begin(teacher)
    device = two_factor.pending_app(teacher)
    device.confirmed = True
    device.save()
    assert come(client, "taro")["Location"].startswith(reverse("sign_in_code"))
    assert not signed_in(client)


def test_a_link_begun_by_one_teacher_ends_for_nobody_else(
    openid, provider, teacher_client, other_teacher
):
    query = go(teacher_client, reverse("school_account_link", args=[provider.pk]))
    teacher_client.force_login(other_teacher)
    answer = teacher_client.get(openid.consent(query, "taro"))
    assert answer.status_code == 403 and not SocialAccount.objects.exists()


def test_a_class_teacher_disconnects_a_student(provider, classroom, student, teacher_client):
    link(student, provider, "s-1")
    enrolment = student.enrolments.get()
    page = teacher_client.get(reverse("student_edit", args=[classroom.pk, enrolment.pk]))
    assert "School account" in page.content.decode()
    teacher_client.post(reverse("student_account_unlink", args=[classroom.pk, enrolment.pk]))
    assert not SocialAccount.objects.exists()
    student.refresh_from_db()
    assert student.sign_outs == 1


# What the provider must prove


def test_the_request_has_state_nonce_and_a_challenge(client, provider):
    query = go(client, reverse("school_account_start", args=[provider.pk]))
    assert len(query["nonce"]) >= 32 and len(query["state"]) >= 16
    assert query["code_challenge_method"] == "S256" and query["response_type"] == "code"
    again = go(client, reverse("school_account_start", args=[provider.pk]))
    assert again["nonce"] != query["nonce"]


FAULTY_CLAIMS = {
    "no nonce": lambda claims: claims.pop("nonce"),
    "another nonce": lambda claims: claims.update(nonce="another"),
    "another issuer": lambda claims: claims.update(iss="https://accounts.google.com"),
    "another audience": lambda claims: claims.update(aud="others"),
    "two audiences without azp": lambda claims: claims.update(aud=[CLIENT_ID, "others"]),
    "another azp": lambda claims: claims.update(azp="others"),
    "expired": lambda claims: claims.update(exp=int(time.time()) - 120),
    "no expiry": lambda claims: claims.pop("exp"),
    "no time": lambda claims: claims.pop("iat"),
    "an expiry far away": lambda claims: claims.update(exp=10**30),
    "an expiry larger than any float": lambda claims: claims.update(exp=10**400),
    "an expiry in a year": lambda claims: claims.update(exp=int(time.time()) + 366 * 86_400),
    "an expiry as a text": lambda claims: claims.update(exp=str(int(time.time()) + 60)),
    "a time that is true": lambda claims: claims.update(iat=True),
    "a beginning as a text": lambda claims: claims.update(nbf="1"),
    "from the future": lambda claims: claims.update(iat=int(time.time()) + 600),
    "nobody": lambda claims: claims.pop("sub"),
    "an empty sub": lambda claims: claims.update(sub=""),
    "a number as sub": lambda claims: claims.update(sub=1),
    "a long sub": lambda claims: claims.update(sub="s" * 192),
}


@pytest.mark.parametrize("fault", FAULTY_CLAIMS)
def test_a_token_with_faulty_claims_proves_nothing(client, openid, provider, student, come, fault):
    link(student, provider, "s-1")
    openid.change_claims = FAULTY_CLAIMS[fault]
    assert come(client, "hanako").status_code == 403
    assert not signed_in(client)


@pytest.mark.parametrize("way", ["sign_not", "sign_by_secret", "sign_by_another"])
def test_a_token_with_a_faulty_signature_proves_nothing(
    client, openid, provider, student, come, way
):
    link(student, provider, "s-1")
    openid.sign = getattr(openid, way)
    assert come(client, "hanako").status_code == 403
    assert not signed_in(client)


def test_an_answer_without_id_token_proves_nothing(client, openid, provider, student, come):
    link(student, provider, "s-1")
    openid.sign = lambda claims: None
    assert come(client, "hanako").status_code == 403
    assert not signed_in(client)


def test_userinfo_about_somebody_else_proves_nothing(client, openid, provider, student, come):
    link(student, provider, "s-2")
    openid.userinfo["hanako"] = {"sub": "s-2"}
    assert come(client, "hanako").status_code == 403
    assert not signed_in(client)


def test_userinfo_never_outweighs_what_is_signed(client, openid, provider, student, come):
    link(student, provider, "s-9")
    openid.userinfo["guest"] = {"hd": "midori"}
    assert come(client, "guest").status_code == 403


def test_a_foreign_or_used_state_is_refused(client, openid, provider, student):
    link(student, provider, "s-1")
    query = go(client, reverse("school_account_start", args=[provider.pk]))
    back = openid.consent(query, "hanako")
    assert Client().get(back).status_code == 403
    assert client.get(back).status_code == 302
    client.logout()
    assert client.get(back).status_code == 403
    assert not signed_in(client)


def test_an_answer_of_another_issuer_is_refused(client, openid, provider, student):
    link(student, provider, "s-1")
    query = go(client, reverse("school_account_start", args=[provider.pk]))
    back = openid.consent(query, "hanako") + "&iss=https://other.example"
    assert client.get(back).status_code == 403
    assert not signed_in(client)


def test_a_new_key_of_the_provider_is_found(client, openid, provider, student, come):
    link(student, provider, "s-1")
    come(client, "hanako")
    client.logout()
    openid.change_key("two")
    come(client, "hanako")
    assert signed_in(client) == str(student.pk)


def test_who_cancels_at_the_provider_reads_so(client, provider):
    query = go(client, reverse("school_account_start", args=[provider.pk]))
    url = reverse("school_account_callback", args=[provider.pk])
    answer = client.get(url, {"error": "access_denied", "state": query["state"]})
    assert answer.status_code == 403 and "cancelled" in answer.content.decode()


def test_a_silent_provider_is_no_fault_of_the_site(client, openid, provider):
    openid.server.shutdown()
    openid.server.server_close()
    answer = client.post(reverse("school_account_start", args=[provider.pk]))
    assert answer.status_code == 409 and "does not answer" in answer.content.decode()


def test_no_request_goes_to_a_private_address(client, openid, provider, settings):
    settings.LOCAL_SERVERS = False
    provider.issuer = f"https://127.0.0.1:{openid.server.server_port}"
    provider.save()
    assert client.post(reverse("school_account_start", args=[provider.pk])).status_code == 409
    assert openid.asked == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "https://other.example"},
        {"jwks_uri": None},
        {"token_endpoint": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
def test_a_faulty_configuration_is_refused(client, openid, provider, wrong):
    openid.configuration = wrong
    assert client.post(reverse("school_account_start", args=[provider.pk])).status_code == 409


# The page of the administrators

OTHER = {"kind": "openid", "issuer": "https://sign-in.example"}
FORM = {"kind": "google", "tenant": "midori.example", "client_id": "c", "secret": "hush"}


def test_an_administrator_sets_google_up(school, teacher_client):
    url = reverse("school_provider", args=[school.pk])
    page = teacher_client.post(url, FORM, follow=True).content.decode()
    row = school.provider
    assert (row.issuer, row.tenant_claim) == ("https://accounts.google.com", "hd")
    assert unseal(row.sealed_secret) == "hush" and "hush" not in row.sealed_secret + page
    assert reverse("school_account_callback", args=[row.pk]) in page
    teacher_client.post(url, FORM | {"secret": "", "client_id": "d"})
    row.refresh_from_db()
    assert (row.client_id, unseal(row.sealed_secret)) == ("d", "hush")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "openid", "issuer": "https://attacker.example", "tenant": ""},
        {"kind": "openid", "issuer": "https://accounts.google.com:444", "tenant": ""},
        {"kind": "microsoft", "tenant": "11111111-2222-3333-4444-555555555555"},
    ],
)
def test_the_secret_is_entered_again_for_another_issuer(school, teacher_client, change):
    url = reverse("school_provider", args=[school.pk])
    teacher_client.post(url, FORM)
    answer = teacher_client.post(url, FORM | change | {"secret": ""})
    assert answer.status_code == 422 and "entered for another server" in answer.content.decode()
    assert SignInProvider.objects.get().issuer == "https://accounts.google.com"
    assert teacher_client.post(url, FORM | change | {"secret": "new"}).status_code == 302
    assert unseal(SignInProvider.objects.get().sealed_secret) == "new"


def test_a_secret_that_another_key_has_sealed_is_told(client, provider, openid, settings):
    query = go(client, reverse("school_account_start", args=[provider.pk]))
    key = settings.SECRET_KEY
    settings.SECRET_KEY = "another key of another computer, as long as the first one"
    sealed = seal(CLIENT_SECRET)
    settings.SECRET_KEY = key
    SignInProvider.objects.update(sealed_secret=sealed)
    back = client.get(openid.consent(query, "hanako"))
    again = client.post(reverse("school_account_start", args=[provider.pk]))
    for answer in (back, again):
        assert answer.status_code == 409
        assert "secret key was replaced" in answer.content.decode()


def test_the_issuer_of_microsoft_is_that_of_the_tenant(school, teacher_client):
    tenant = "11111111-2222-3333-4444-555555555555"
    url = reverse("school_provider", args=[school.pk])
    teacher_client.post(url, FORM | {"kind": "microsoft", "tenant": tenant.upper()})
    row = school.provider
    assert row.issuer == f"https://login.microsoftonline.com/{tenant}/v2.0"
    assert (row.tenant_claim, row.tenant) == ("tid", tenant)


@pytest.mark.parametrize(
    "wrong",
    [
        {"tenant": ""},
        {"tenant": "midori"},
        {"kind": "microsoft", "tenant": "common"},
        {"kind": "openid", "tenant": ""},
        {"kind": "openid", "tenant": "", "issuer": "http://sign-in.example"},
        OTHER,
        {**OTHER, "tenant": "", "adds_students": "on"},
        {"secret": ""},
        {"client_id": ""},
        {"roster_claim": "email"},
        {"roster_claim": "preferred_username"},
        {"roster_claim": "two words"},
    ],
)
def test_a_faulty_form_is_refused(school, teacher_client, wrong):
    answer = teacher_client.post(reverse("school_provider", args=[school.pk]), FORM | wrong)
    assert answer.status_code == 422
    assert not SignInProvider.objects.exists()


def test_another_provider_disconnects_all_accounts(provider, student, school, teacher_client):
    link(student, provider, "s-1")
    teacher_client.post(reverse("school_provider", args=[school.pk]), FORM)
    assert not SocialAccount.objects.exists()
    teacher_client.post(reverse("school_provider", args=[school.pk]), {"do": "remove"})
    assert not SignInProvider.objects.exists()


def test_the_test_shows_what_the_provider_sends(provider, school, teacher_client, come):
    provider.is_on = False
    provider.save()
    url = reverse("school_provider_test", args=[school.pk])
    page = come(teacher_client, "guest", url).content.decode()
    assert "hanako@midori.example" in page and "The account would be refused" in page
    assert "not connected yet" not in page
    assert not SocialAccount.objects.exists()


def test_the_test_shows_why_it_fails(openid, provider, school, teacher_client, come):
    openid.change_claims = FAULTY_CLAIMS["another nonce"]
    answer = come(teacher_client, "taro", reverse("school_provider_test", args=[school.pk]))
    assert answer.status_code == 403 and "(nonce)" in answer.content.decode()


def test_a_provider_that_is_off_lets_nobody_in(client, openid, provider, student, classroom):
    link(student, provider, "s-1")
    query = go(client, reverse("school_account_start", args=[provider.pk]))
    provider.is_on = False
    provider.save()
    assert client.get(openid.consent(query, "hanako")).status_code == 403
    assert client.post(reverse("school_account_start", args=[provider.pk])).status_code == 404
    assert "Sign in with" not in client.get(reverse("sign_in")).content.decode()
    page = client.get(reverse("join_class", args=[classroom.code]))
    assert "Sign in with" not in page.content.decode()
