"""Providers, formats and host programs as plain data."""
