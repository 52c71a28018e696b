"""The monitor as it would have lived through recorded metrics: its own rules, with an account of memory around them."""
