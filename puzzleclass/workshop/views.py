"""The pages of the workshop. Every press on its page is one POST that is stored at once."""

import secrets
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect
from msgspec.structs import replace as changed

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, for_users
from puzzleclass.database.bin import move_to_bin, trim_bin
from puzzleclass.errors import QuotaReached
from puzzleclass.forms.once import once
from puzzleclass.http import read_key
from puzzleclass.jobs.access import get_job_for_asker
from puzzleclass.jobs.models import Job
from puzzleclass.kinds.models import Invention
from puzzleclass.kinds.stored import find_kind, store
from puzzleclass.language.reader import say
from puzzleclass.workshop import inventing, live, services
from puzzleclass.workshop.access import (
    check_may_invent,
    get_invention_for_owner,
    get_shared_invention,
)
from puzzleclass.workshop.drafting import BAD_STEP, Draft, read_draft
from puzzleclass.workshop.sentences import (
    added,
    offers_for_numbers,
    palette,
    shown_rules,
    unnamed_symbols,
)
from solvers.grid import read_cell
from solvers.kind import PuzzleError
from solvers.message import Message, gettext_noop
from solvers.rule_tables.sentences import NOUNS, noun_of_symbol, sentence

ASK = "ask"
"""The pen that asks about a square and draws nothing."""
SEEDS = 10**6
WAITS = gettext_noop("Your teacher is reading this kind. Take it back to change it.")


@for_users("GET", "POST")
@once()
def workshop_list(request: SignedInRequest) -> HttpResponse:
    """List the user's kinds and the examples; begin with an example."""
    check_may_invent(request.user)
    if request.method == "POST":
        try:
            invention = services.begin_with(request.user, request.POST.get("example", ""))
        except QuotaReached as error:
            messages.error(request, say(error.message))
            return redirect("workshop_list")
        if invention is None:
            return redirect("workshop_list")
        live.ask(request.user, services.draft_of(invention))
        return redirect(invention)
    shown = [
        (name, kind, kind.draw(kind.read_start(text)))
        for name, (kind, text) in services.examples(for_student=request.user.is_student).items()
    ]
    own = list(request.user.inventions.prefetch_related("versions"))
    context = {"own": own, "examples": shown, "full": services.fullness(request.user)}
    return render(request, "workshop/workshop_list.html", context)


@for_users("GET", "POST")
def workshop(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a draft, or make a step of it."""
    invention = get_invention_for_owner(request.user, pk)
    if request.method == "GET":
        return _page(request, invention, "", *_looked_at(request, services.draft_of(invention)))
    services.give_name(invention, request.POST.get("name", ""))
    services.give_words(invention, request.POST.get("words", invention.words))
    try:
        return _after_step(request, invention)
    except services.ChangedElsewhere:
        invention.refresh_from_db()
        fault = _("Another window has changed this kind. This is how it is now; press again.")
    except QuotaReached as error:
        fault = say(error.message)
    except PuzzleError as error:
        fault = say(error.message)
    return _page(request, invention, fault)


def _after_step(request: SignedInRequest, invention: Invention) -> HttpResponse:
    fields = request.POST
    revision, step = read_key(fields.get("revision", "")), fields.get("do", "")
    draft = services.draft_of(invention)
    brush, cell = fields.get("brush", ASK), fields.get("move") or fields.get("cell", "")
    word, _space, rest = step.partition(" ")
    is_student = request.user.is_student
    if (
        is_student
        and invention.state == Invention.State.WAITING
        and not (word in ("ask", "try", "take-back") or (word, brush) == ("paint", ASK))
    ):
        raise PuzzleError(WAITS)
    match word:
        case "undo" | "redo":
            services.move(invention, revision, -1 if word == "undo" else 1)
        case "paint" if brush == ASK:
            job = live.ask(request.user, draft, live.FORBIDDEN, cell=_cell_on(draft, cell))
            return _page(request, invention, cell=job.options["cell"] if job else "")
        case "ask":
            live.ask(request.user, draft)
        case "redraw" | "complete":
            seed = secrets.randbelow(SEEDS)
            return _page(request, invention, board=live.ask(request.user, draft, word, seed=seed))
        case "try":
            store(services.table_of(invention, draft), is_kept=False)
            return _gone_to(request, resolve_url("trial", invention.trial_name))
        case "hand-in" if is_student:
            inventing.hand_in(invention)
            return _gone_to(request, invention.get_absolute_url())
        case "take-back" if is_student:
            inventing.take_back(invention)
            return _gone_to(request, invention.get_absolute_url())
        case "save" | "puzzle" if not is_student:
            return _saved(request, invention, word)
        case "size":
            sides = rest or f"{fields.get('rows', '')} {fields.get('columns', '')}"
            services.keep(invention, revision, draft.after(f"size {sides}", {}))
        case "add":
            new = added(draft, rest.split(" "))
            if new is None:
                raise PuzzleError(BAD_STEP)
            services.keep(invention, revision, new)
        case _:
            painted = {"cell": cell or "0,0", "brush": brush}
            new = draft.after(step, painted)
            if new != draft:
                services.keep(invention, revision, new)
    live.ask(request.user, services.draft_of(invention))
    return _page(request, invention)


def _cell_on(draft: Draft, text: str) -> str:
    cell = read_cell(text)
    if cell not in draft.board:
        raise PuzzleError(BAD_STEP)
    return text


def _saved(request: SignedInRequest, invention: Invention, word: str) -> HttpResponse:
    version = services.save_kind(invention)
    if version is None:
        raise PuzzleError("This kind has the most versions. Begin another one.")
    if word == "puzzle":
        page = resolve_url("puzzle", services.save_board(invention, version).pk)
    else:
        page = invention.get_absolute_url()
        messages.success(request, _("Saved. Your classes see this kind now."))
    return _gone_to(request, page)


def _gone_to(request: SignedInRequest, page: str) -> HttpResponse:
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)


def _page(
    request: SignedInRequest,
    invention: Invention,
    fault: str = "",
    cell: str = "",
    board: Job | None = None,
) -> HttpResponse:
    draft = services.draft_of(invention)
    version = invention.versions.first()
    symbols = draft.table.symbols
    context = {
        "invention": invention,
        "draft": draft,
        "rules": shown_rules(draft),
        "palette": palette(draft),
        "symbols": [(each, noun_of_symbol(each)) for each in symbols],
        "pictures": [(name, noun.title) for name, noun in NOUNS.items()],
        "pens": _pens(draft),
        "brush": request.POST.get("brush", ASK),
        "picture": draft.editor.draw(draft.text),
        "sides": range(4, draft.largest[0] + 1),
        "steps": services.can_move(invention),
        "version": version,
        "is_saved": bool(version and version.stored_id == services.table_of(invention, draft).slug),
        "offers": offers_for_numbers(draft),
        "unnamed": unnamed_symbols(draft),
        "fault": fault,
        "part": request.POST.get("part", "rules"),
        "live": live.live_answer(draft, cell, board),
        "share": request.build_absolute_uri(resolve_url("shared_kind", invention.key)),
    }
    template = "workshop/_workshop.html" if request.htmx else "workshop/workshop.html"
    return render(request, template, context, status=422 if fault else 200)


def _pens(draft: Draft) -> list[tuple[str, str]]:
    """Return the pens: what is sent, and the words. The one that asks comes first."""
    titles = {
        name: say(Message(title))
        for name, title in draft.editor.brushes.items()
        if not (name.startswith("clue ") and (draft.is_by_student or name[5:].isdecimal()))
    }
    rooms = sorted(name for name in titles if name.startswith("room "))
    used = max((f"room {room}" for room in draft.board.rooms), default="")
    shown = rooms[: max(2, len([name for name in rooms if name <= used]) + 1)]
    others = [name for name in titles if name not in rooms]
    return [(ASK, _("Ask about a square")), *((name, titles[name]) for name in [*others, *shown])]


@for_users("GET")
def workshop_live(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what is known of the draft by now."""
    invention = get_invention_for_owner(request.user, pk)
    draft = services.draft_of(invention)
    found = live.live_answer(draft, *_looked_at(request, draft))
    return render(request, "workshop/_live.html", {"invention": invention, "live": found})


def _looked_at(request: SignedInRequest, draft: Draft) -> tuple[str, Job | None]:
    """Return the pressed square and the job that brings a board, as an address names them."""
    board, cell = read_key(request.GET.get("board", "")), request.GET.get("cell", "")
    try:
        cell = _cell_on(draft, cell) if cell else ""
    except PuzzleError:
        cell = ""
    return cell, get_job_for_asker(request.user, board) if board else None


@for_users("POST")
def workshop_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the user's kind to the bin, out of the workshop and of menus. Its puzzles stay."""
    deleted = get_invention_for_owner(request.user, pk)
    text = _("“{title}” has been deleted.").format(title=deleted.name)
    move_to_bin(request, Invention.objects.filter(pk=deleted.pk), text)
    trim_bin(Invention.every.filter(owner=request.user), services.most_kinds(request.user))
    return redirect("workshop_list")


@for_teachers("GET", "POST")
@once()
def shared_kind(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Show a colleague's kind to a teacher who has its address; POST copies it."""
    invention = get_shared_invention(key)
    version = invention.versions.first()
    kind = find_kind(version.stored_id) if version else None
    draft = services.draft_of(invention)
    if version and services.table_of(invention, draft).slug != version.stored_id:
        table = changed(version.stored.table, maker="")
        draft = read_draft(table, draft.kind.editor.blank(*draft.editor.size(draft.text)))
    if request.method == "POST":
        try:
            table = changed(draft.table, name={}, words={})
            copy = services.begin(request.user, Draft(table, draft.text), invention.name)
        except QuotaReached as error:
            messages.error(request, say(error.message))
            return redirect("shared_kind", key)
        return redirect(copy)
    context = {
        "invention": invention,
        "kind": kind,
        "picture": draft.kind.draw(draft.kind.read_start(draft.text)),
        "sentences": [
            *filter(None, [invention.words]),
            *(say(sentence(draft.table, rule)) for rule in draft.rules),
        ],
        "is_own": invention.owner_id == request.user.pk,
    }
    return render(request, "workshop/shared_kind.html", context)
