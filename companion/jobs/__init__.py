"""Heavy work: what may take longer than a twentieth of a second is done by worker processes, in fair turns.

Whoever serves pages asks at the `Desk`. An answer that was given before lies on a shelf, in the instance
folder, under the hash of its question, for every process of the machine. Else the question stands in a
queue in which every browser has its turn (`FairQueue`), until one of a few workers (`Crew`) takes it: a
process with limits of time and memory (`Worker`), that ends with the app and is replaced when it ended early.
Whoever asks waits a moment, then is told that the work is under way (`UnderWay`), and asks again.
"""

from .dispatcher import Dispatcher, name_crowd
from .errors import (
    AskedTooMuch,
    NoAnswer,
    NotTaken,
    OutOfMemory,
    Progress,
    QueueFull,
    TookTooLong,
    UnderWay,
    WorkerEnded,
)
from .limits import WorkerLimits
from .task import HeavyTask, compute_key

__all__ = [
    "AskedTooMuch",
    "Dispatcher",
    "HeavyTask",
    "NoAnswer",
    "NotTaken",
    "OutOfMemory",
    "Progress",
    "QueueFull",
    "TookTooLong",
    "UnderWay",
    "WorkerEnded",
    "WorkerLimits",
    "compute_key",
    "name_crowd",
]
