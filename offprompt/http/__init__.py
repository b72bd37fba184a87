"""What every web door shares: connections, guards, limits, answers."""
