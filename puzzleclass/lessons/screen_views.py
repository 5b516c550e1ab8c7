"""The projector: one address, opened once, which shows what the teacher shows."""

from zlib import crc32

from django.http import HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from puzzleclass.address import absolute
from puzzleclass.http import NOTHING_NEW, Request
from puzzleclass.lessons.scenes import neighbours, scene_context
from puzzleclass.lessons.screens import is_connected, lesson_on_screen, use_code


def screen(request: Request) -> HttpResponse:
    """Show the projector to the teacher of a lesson, and to a device that has typed a code; ask
    others for the code."""
    if request.method not in ("GET", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    if request.method == "POST":
        if use_code(request, request.POST.get("code", "")):
            return redirect("screen")
        return render(request, "lessons/screen_code.html", {"is_wrong": True}, status=422)
    if lesson_on_screen(request) is None and not _is_teacher(request):
        return render(request, "lessons/screen_code.html")
    return render(request, "lessons/screen.html")


def screen_now(request: Request) -> HttpResponse:
    """Return the scene, unless the screen shows it already (`have`)."""
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    pace = lesson_on_screen(request)
    if pace is None:
        none = {"is_connected": is_connected(request)}
        body, seconds = render_to_string("lessons/_scene_none.html", none, request), None
    else:
        join = reverse("join_class", args=[pace.assignment.classroom.code])
        context = scene_context(pace) | {"join_url": absolute(join, request)}
        body, seconds = render_to_string("lessons/_scene.html", context, request), pace.seconds_left
    turns = neighbours(pace) if pace and _is_teacher(request) else {}
    clock = (pace and (pace.clock_ends_at, pace.paused_at), body, turns)
    version = f"{crc32(repr(clock).encode()):x}"
    if request.GET.get("have") == version:
        return HttpResponse(status=NOTHING_NEW)
    context = {"body": body, "version": version, "seconds": seconds, "pace": pace, "turns": turns}
    return render(request, "lessons/_screen.html", context)


def _is_teacher(request: Request) -> bool:
    return request.user.is_authenticated and request.user.is_teacher
