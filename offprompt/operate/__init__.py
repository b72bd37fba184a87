"""What operators see: the manhole."""
