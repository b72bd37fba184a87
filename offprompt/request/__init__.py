"""The secret request: its record and states, the ledger of open ones, seals and fingerprints. Pure."""
