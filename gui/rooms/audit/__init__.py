"""The room of audits: where nets, and searches with them, go wrong."""
