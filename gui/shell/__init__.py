"""The frame round the rooms: docks, pages, toolbar, menus, keys, files, status line."""
