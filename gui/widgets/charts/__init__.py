"""Charts: lines with a legend, a crosshair, zoom, a logarithmic axis and export; and grids of them."""
