"""The frame around the rooms: docks, pages, toolbar, menus, keys, files, status line."""
