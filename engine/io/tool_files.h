// engine/io/tool_files.h: files of other evaluation tools, known by their first bytes, and the commands of
// `leafscore convert` that read them. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_TOOL_FILES_H_
#define LEAFSCORE_ENGINE_IO_TOOL_FILES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// How many bytes of a file tell what it is.
inline constexpr std::size_t kToolHeadBytes = 4096;

// Returns what another tool's file is, for example "a log of inspect_ai"; empty for any other file.
std::string_view ToolFileKind(std::string_view head);

// Returns the command that makes scores of a file, as a shell takes it.
std::string ConvertToScores(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_TOOL_FILES_H_
