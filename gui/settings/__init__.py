"""Every search setting with its field."""
