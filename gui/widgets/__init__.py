"""Building blocks of the rooms: themes, tables, charts, boards, forms."""
