"""English and Chinese: texts, their catalogue, switching at run time."""
