"""How it looks: themes, text sizes, figures and words in one style."""
