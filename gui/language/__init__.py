"""English and Chinese: texts, their catalogue, switching live."""
