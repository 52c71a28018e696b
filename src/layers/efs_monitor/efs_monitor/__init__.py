"""What the functions of the EFS burst-credit monitor share: pure rules, and one thin edge per AWS service."""
