"""The program `leafscore-mcp`, which `leafscore mcp` starts."""

from __future__ import annotations

import argparse
import functools
import sys
from typing import Any, Callable

DESCRIPTION = """Serves score, explain, compare and lint to a client of the Model Context Protocol over standard input and
output. A client can name files below the folder and no others, write new files of scores there, and use scorers that
compute; nothing is executed, no model is asked, and no file is written over."""


def server(folder: str) -> Any:
    """Returns the server. ERRORS: Refused for what is no folder; ImportError without the package mcp."""
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    import leafscore
    from leafscore.mcp.tools import Tools

    made = MCPServer("leafscore", version=leafscore.__version__, instructions=DESCRIPTION)
    tools = Tools(folder)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    adds = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    for tool, hints in ((tools.score, adds), (tools.explain, reads), (tools.compare, reads), (tools.lint, reads)):
        made.add_tool(_telling(tool), annotations=hints)
    return made


def _telling(tool: Callable[..., str]) -> Callable[..., str]:
    """Returns a tool whose ValueErrors reach the client: of other exceptions, which are defects, it hears no more."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def told(*arguments: Any, **named: Any) -> str:
        try:
            return tool(*arguments, **named)
        except ValueError as error:
            raise ToolError(str(error)) from None

    return told


def main(arguments: list[str] | None = None) -> int:
    """Runs the program until the client goes. RETURNS: the exit status."""
    from leafscore.mcp.root import Refused

    parser = argparse.ArgumentParser("leafscore mcp", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--root", metavar="FOLDER", required=True, help="whose files a client may name")
    chosen = parser.parse_args(arguments)
    try:
        server(chosen.root).run("stdio")
    except Refused as error:
        print(f"leafscore mcp: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"leafscore mcp needs the package mcp: pip install 'mcp>=2' ({error})", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
