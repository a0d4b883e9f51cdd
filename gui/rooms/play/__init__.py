"""Games between persons and engines, and hints."""
