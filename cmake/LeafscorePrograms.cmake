# `leafscore report` and `leafscore convert` in the build folder: the programs of the Python package that do without its
# compiled module, beside the command, run by LEAFSCORE_PYTHON.
set(programs ${PROJECT_BINARY_DIR}/programs)
file(CONFIGURE OUTPUT ${programs}/leafscore/__init__.py @ONLY CONTENT [[
"""The package leafscore as its sources have it, without what its compiled module does."""

__path__ = ["@PROJECT_SOURCE_DIR@/python/leafscore"]
__version__ = "@PROJECT_VERSION@"
]])
foreach(program report convert)
  set(file ${PROJECT_BINARY_DIR}/cli/leafscore-${program})
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
#!/bin/sh
PATH="@PROJECT_BINARY_DIR@/cli:$PATH" PYTHONPATH="@programs@" PYTHONDONTWRITEBYTECODE=1 exec "@LEAFSCORE_PYTHON@" -m leafscore.@program@ "$@"
]])
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
