"""Jobs: whatever may take longer than a request is done by worker processes, in fair turns.

The code that serves pages asks the `Dispatcher`. A result that was computed before is in the instance folder
(`ResultCache`), under the hash of its question, or with the uploaded and generated files of its job
(`JobFiles`); every process of the server finds it there. Otherwise the job waits in a queue in which every
browser has its turn (`FairQueue`) until one of a few workers takes it (`WorkerPool`): a process with limits
of time and memory (`Worker`), which ends with the app and is replaced if it ends early. The caller waits for
a moment, then gets `UnderWay`, and asks again.
"""

from .dispatcher import Dispatcher, address_group
from .files import JobFiles, JobFilesStore, NoRoom, ReportProgress
from .job import (
    AskedTooMuch,
    Job,
    NoAnswer,
    NotTaken,
    OutOfMemory,
    Progress,
    QueueFull,
    TookTooLong,
    UnderWay,
    WorkerEnded,
    WorkerLimits,
    compute_key,
)
from .results import Results, write_file
from .scratch import sweep, use_scratch
