"""Files of a training run: settings, folder, reports, card."""
