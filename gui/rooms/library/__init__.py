"""The library: games of a folder or an archive, open trees, earlier games."""
