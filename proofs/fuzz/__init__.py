"""Events nobody should send: every handler refuses them with a sentence, and asks nothing of AWS."""
