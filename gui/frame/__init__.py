"""What stands around the rooms: docks, pages, toolbar, strips, status line, log, tour."""
