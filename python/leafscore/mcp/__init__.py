"""A server of the Model Context Protocol: `leafscore mcp --root FOLDER` (docs/integrations.md)."""
