"""The package that the course's referee looks for."""

from .program import Agent as Agent
