"""Where values land: dotenv and file."""
