"""The fleet's function with everything that may go wrong in each of its calls, and the runs that follow."""
