"""What a backtest and advice say of a past, held against what was told in it and against every other choice."""
