"""What AWS asks for: its prices, and what a throughput mode, a stack and a fleet cost by them."""
