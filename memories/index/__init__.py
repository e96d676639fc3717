"""Vectors and terms in, ranked ids out."""

from memories.index.codes import KINDS, NEVER, ORIGINS, STATUSES, Filters, code_of
from memories.index.columns import Row
from memories.index.differences import Difference, compare, differences
from memories.index.resident import Hit, ResidentIndex
from memories.index.terms import TermList, pack_terms, terms, unpack_terms

__all__ = [
    "KINDS",
    "NEVER",
    "ORIGINS",
    "STATUSES",
    "Difference",
    "Filters",
    "Hit",
    "ResidentIndex",
    "Row",
    "TermList",
    "code_of",
    "compare",
    "differences",
    "pack_terms",
    "terms",
    "unpack_terms",
]
