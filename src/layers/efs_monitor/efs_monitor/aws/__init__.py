"""The edges: one thin module per AWS service, each turning an API's answers into the project's own values."""
