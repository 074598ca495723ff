"""Long work: a queue of jobs, the worker processes that take them, and the tasks done there.

The server's side is `jobs` and `worker_process`; `tasks` runs in the workers only.
"""
