// engine/io/tool_files.h: recognises files of other evaluation tools by their first bytes, and names the
// commands of `leafscore convert` that read them. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_TOOL_FILES_H_
#define LEAFSCORE_ENGINE_IO_TOOL_FILES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Bytes at the start of a file that are enough to recognise it.
inline constexpr std::size_t kToolHeadBytes = 4096;

// Returns the kind of another tool's file, for example "a log of inspect_ai"; empty for any other file.
std::string_view ToolFileKind(std::string_view head);

// Tells whether a file begins like a workbook of Excel or OpenDocument in a zip archive.
bool IsSpreadsheet(std::string_view head);

// Returns the command that makes scores from a file, quoted for a shell.
std::string ConvertToScores(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_TOOL_FILES_H_
