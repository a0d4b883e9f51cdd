"""What lies inside a net: what it wants block by block, what that depends on, what can be read from it."""
