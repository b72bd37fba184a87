"""dotenv files as text, pure: what their readers see in them, how a value is quoted, how a name is set."""
