"""A HyperQueue server and a worker in this process, and the array of a script of brine bench.

PyPI's package has no `hq`, so a task is what `hq submit` would make of the script: the script with
HQ_TASK_ID, from 1. Arguments: the script, how many tasks, a folder.
"""

import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

script, tasks, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=2))
    client = cluster.client()
    # As `hq submit` does: what fails leaves the others alone.
    job = Job(default_workdir=folder, max_fails=None)
    for task in range(tasks):
        # Tasks of this interface count from 0, those of the script's array from 1.
        run = 'HQ_TASK_ID=$((HQ_TASK_ID + 1)) exec bash "$0"'
        job.program(["bash", "-c", run, script])
    submitted = client.submit(job)
    client.wait_for_jobs([submitted], raise_on_error=False)
