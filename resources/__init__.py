"""Files the program ships with: icons, style sheet, nets, texts; read by importlib.resources."""
