"""The orders of steps: what a function does with AWS and the rules, one after the other."""
