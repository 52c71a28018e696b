"""What an operator is told of an incident, judged over months of simulated file systems."""
