"""Nicknames for screens that a whole class looks at: a colour and an animal for each student.

A nickname follows from the student's primary key, so nobody has to invent one, and none is unkind.
"""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

COLOURS = [
    *(gettext_lazy("Red"), gettext_lazy("Blue"), gettext_lazy("Yellow"), gettext_lazy("Green")),
    *(gettext_lazy("Purple"), gettext_lazy("Orange"), gettext_lazy("Pink"), gettext_lazy("Golden")),
    *(
        pgettext_lazy("a colour", "Silver"),
        gettext_lazy("Snowy"),
        gettext_lazy("Starry"),
        gettext_lazy("Sunny"),
    ),
    *(gettext_lazy("Rainy"), gettext_lazy("Windy"), gettext_lazy("Quiet"), gettext_lazy("Merry")),
]

ANIMALS = [
    *(gettext_lazy("fox"), gettext_lazy("otter"), gettext_lazy("crane")),
    *(gettext_lazy("whale"), gettext_lazy("squirrel"), gettext_lazy("owl")),
    *(gettext_lazy("turtle"), gettext_lazy("deer"), gettext_lazy("swallow")),
    *(gettext_lazy("rabbit"), gettext_lazy("dolphin"), gettext_lazy("cat")),
    *(gettext_lazy("hedgehog"), gettext_lazy("seal"), gettext_lazy("heron")),
    gettext_lazy("panda"),
]


def nickname(student: int) -> str:
    """Return the nickname of the student with this primary key.

    256 consecutive keys have different nicknames, so students who were entered together do.

    >>> len({nickname(pk) for pk in range(1000, 1256)})
    256
    """
    colour, animal = divmod(97 * student % 256, 16)
    return _("{colour} {animal}").format(colour=COLOURS[colour], animal=ANIMALS[animal])
