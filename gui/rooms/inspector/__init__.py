"""The inspector of one node: the arithmetic of its next choice, policies, planes, symmetries."""
