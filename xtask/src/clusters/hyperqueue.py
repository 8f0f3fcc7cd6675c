"""A HyperQueue server and a worker in this process, and the array of a script of brine bench.

PyPI's package has no `hq`, so the lines of the script that `hq submit` would read (`#HQ --KEY=VALUE`)
are read here, and a task is what it would make of them: the script with HQ_TASK_ID. Workers of this
interface offer cores and nothing else, so `--resource mem=N` is looked at and not asked for; a
limit of time is none of this interface's either. Arguments: the script, a folder.
"""

import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest

script, folder = sys.argv[1:]
asked = {}
with open(script) as lines:
    for line in lines:
        if line.startswith("#HQ --"):
            key, _, value = line[len("#HQ --") :].strip().replace(" ", "=", 1).partition("=")
            asked[key] = value
first, last = map(int, asked.pop("array").split("-"))
cores, name = int(asked.pop("cpus")), asked.pop("name")
assert asked.pop("resource").startswith("mem=") and asked.pop("time-limit").endswith("m")
assert not asked, f"{asked} means nothing here"

with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=2))
    client = cluster.client()
    # As `hq submit` does: what fails leaves the others alone.
    job = Job(default_workdir=folder, max_fails=None, name=name)
    for task in range(first, last + 1):
        # Tasks of this interface count from 0, those of the script's array from `first`.
        run = f'HQ_TASK_ID=$((HQ_TASK_ID + {first})) exec bash "$0"'
        job.program(["bash", "-c", run, script], resources=ResourceRequest(cpus=cores))
    submitted = client.submit(job)
    client.wait_for_jobs([submitted], raise_on_error=False)
