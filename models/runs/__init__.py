"""What a training run is on disk: settings, folder, reports, card.  Knows no torch."""
