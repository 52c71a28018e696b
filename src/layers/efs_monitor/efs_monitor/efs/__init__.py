"""What Amazon EFS is: credits, a file system, its reference throughput, and where a balance is heading."""
