"""The Atlas agent: triages issues of the Orbit demo project, and uses the verbs of memory like any other program."""
