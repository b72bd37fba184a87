"""Child processes: they die with their parent and get an environment of their own."""
