"""leafscore inside evaluation frameworks: a module for each, named after it, which imports it."""
