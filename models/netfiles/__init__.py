"""Net files: ONNX and foreign formats, read, checked, evaluated, lowered to 8 and 16 bits."""
