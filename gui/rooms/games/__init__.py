"""The list of the games of a folder or an archive, searched by names and by position."""
