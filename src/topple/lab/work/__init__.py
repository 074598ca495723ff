"""The lab's long work: jobs, the worker processes that do them, and what they compile."""
