"""The person's door: the page in their browser."""
