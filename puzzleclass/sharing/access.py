"""Access to packs."""

from uuid import UUID

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.sharing.models import Pack


def get_pack_for_owner(owner: User, key: UUID, *, lock: bool = False) -> Pack:
    """Return the teacher's own pack, locked until the end of the transaction if `lock` is set.

    Raises Http404 for a missing pack and for anybody else's.
    """
    packs = Pack.objects.select_for_update() if lock else Pack.objects.all()
    pack = packs.filter(owner=owner, key=key).first()
    if pack is None:
        raise Http404
    return pack
