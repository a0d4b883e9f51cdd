"""One node explained: the arithmetic of its next choice, policies, planes, symmetries."""
