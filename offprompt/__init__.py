"""offprompt keeps secrets off the prompt: a person types them on a page, the agent sees names and a fingerprint."""
