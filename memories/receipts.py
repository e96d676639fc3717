"""The end of a deletion: clean the database's files, look in them for traces, sign the receipt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from memories.models import EarlierText, Memory, MemorySource, PinnedQuery, Recall, Receipt, Run, Store
from memories.resident import scrub
from memories.storage import Cleaning, finish_deletion, found_in_files

# What a receipt says is kept in English and shown in the reader's language. The first is no finding but a warning.
BACKUPS = gettext_noop("Backups made before this deletion still hold the notes until they are rotated out.")
CUT_SHORT = gettext_noop("This deletion was cut short; a later one cleaned up after it.")
NOTHING_LEFT = gettext_noop(
    "The files of the database were searched for texts and vectors of the first notes: nothing is left."
)
TRACES_LEFT = gettext_noop("Traces of the first notes were found in the database's files: run `manage.py compact`.")
TRACES_YET = gettext_noop(
    "Traces of the first notes are in the database's files until the next `manage.py sweep` has cleaned them."
)
# Where a text of a forgotten note may stand for another reason.
SPEAKING = (
    (Memory, "text"), (Memory, "evidence"), (Memory, "reason"), (MemorySource, "evidence"), (EarlierText, "text"),
    (Recall, "query"), (PinnedQuery, "query"), (Run, "task"),
)  # fmt: skip
# Fewer bytes than these may stand in any file by chance.
TELLING = 16


def close(receipt: Receipt, needles: Sequence[bytes]) -> Receipt:
    """Write down that the notes are gone, clean the database's files, and look in them for `needles`.

    Where the database was in use, or is too large to be rebuilt by day, the receipt waits for the next sweep, which
    signs it.
    """
    end(receipt)
    clean_up([receipt.store])
    found = _traces(needles)
    with transaction.atomic():
        receipt = Receipt.objects.select_for_update().get(pk=receipt.pk)
        if needles:
            left = TRACES_LEFT if receipt.finished_at else TRACES_YET
            receipt.traces = _told(receipt.traces, left if found else NOTHING_LEFT)
            receipt.save(update_fields=["traces"])
    return receipt


def end(receipt: Receipt) -> None:
    """Write down that every note of a deletion is gone: from here on it only waits for its cleaning."""
    scrub(receipt.store)
    receipt.traces, receipt.finished_at = [BACKUPS], None
    receipt.save(update_fields=["traces", "finished_at"])


def clean_up(stores: Iterable[Store], *, however_large: bool = False) -> Cleaning | None:
    """Clean the database's files once after all deletions of `stores` that stayed open, and sign these.

    Returns None where none was open.
    """
    opened = list(Receipt.objects.filter(store__in=list(stores), finished_at=None))
    if not opened:
        return None
    cleaning = finish_deletion(however_large=however_large)
    sign(opened, cleaning)
    return cleaning


def sign(opened: Collection[Receipt], cleaning: Cleaning) -> None:
    """Add to the receipts that were open before `cleaning` began how it ended, and sign them where it is complete.

    One that has deleted more in the meantime will come to its own end.
    """
    counts = {receipt.pk: receipt.count for receipt in opened}
    with transaction.atomic():
        for receipt in Receipt.objects.select_for_update().filter(pk__in=counts, finished_at=None):
            told = receipt.traces or ([CUT_SHORT] if cleaning.complete else [])
            if told and receipt.count == counts[receipt.pk]:
                receipt.traces = _told(told, cleaning.sentence)
                receipt.finished_at = timezone.now() if cleaning.complete else None
                receipt.save(update_fields=["traces", "finished_at"])


def _told(traces: Sequence[str], sentence: str) -> list[str]:
    """What a receipt says, and `sentence` once; that backups remain comes last."""
    if sentence in traces:
        return list(traces)
    return [*(trace for trace in traces if trace != BACKUPS), sentence, BACKUPS]


def _traces(needles: Sequence[bytes]) -> bool:
    """Whether a file holds one of `needles` although nothing that stays says it."""
    telling = [needle for needle in needles if len(needle) >= TELLING]
    # The files first: the database would read every row for each needle, and usually none of them is there.
    return any(not _said_elsewhere(needle) for needle in found_in_files(telling))


def _said_elsewhere(needle: bytes) -> bool:
    """Whether something that stays still says the same, so that finding it proves nothing."""
    if Memory.objects.filter(embedding=needle).exists():
        return True
    try:
        text = needle.decode()
    except UnicodeDecodeError:
        return False
    return any(model.objects.filter(**{f"{field}__contains": text}).exists() for model, field in SPEAKING)
