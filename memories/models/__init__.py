"""What is kept: stores and their people, notes, runs and recalls, and the record of what was done."""

from memories.models.memory import (
    EarlierText,
    Kind,
    Memory,
    MemorySource,
    NextEmbedding,
    Origin,
    Removal,
    Status,
)
from memories.models.people import Membership, Profile, Role
from memories.models.record import Action, AuditEvent, ImportProgress, Receipt, Refusal
from memories.models.run import Recall, RecallHit, Run
from memories.models.store import PinnedQuery, SavedView, Store, VersionRule

__all__ = [
    "Action",
    "AuditEvent",
    "EarlierText",
    "ImportProgress",
    "Kind",
    "Membership",
    "Memory",
    "MemorySource",
    "NextEmbedding",
    "Origin",
    "PinnedQuery",
    "Profile",
    "Recall",
    "RecallHit",
    "Receipt",
    "Refusal",
    "Removal",
    "Role",
    "Run",
    "SavedView",
    "Status",
    "Store",
    "VersionRule",
]
