"""Building blocks of the rooms: themes, tables, charts, boards, forms.  Know no room and no window."""
