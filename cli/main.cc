// The leafscore command.

#include <fmt/format.h>
#include <malloc.h>
#include <simdjson.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/standard_files.h"
#include "cli/terminal.h"
#include "engine/base/resource_error.h"
#include "engine/json/json_writer.h"
#include "kernels/isa.h"
#include "leafscore/error.h"
#include "leafscore/version.h"

namespace leafscore::internal {
namespace {

// The built-in implementations of a kind, and the one that this machine uses.
struct Implementations {
  std::vector<std::string> names;
  std::string in_use;
};

Implementations Kernels() {
  Implementations kernels{{}, std::string(IsaName(ActiveIsa()))};
  for (const Isa isa : BuiltInIsas()) kernels.names.emplace_back(IsaName(isa));
  return kernels;
}

Implementations Parsers() {
  Implementations parsers{{}, simdjson::get_active_implementation()->name()};
  for (const simdjson::implementation* parser : simdjson::get_available_implementations()) {
    parsers.names.push_back(parser->name());
  }
  return parsers;
}

std::string InBracketsIf(bool active, std::string_view name) {
  return active ? fmt::format(" [{}]", name) : fmt::format(" {}", name);
}

// At its first use, simdjson detects what this CPU can do, and ends the process if no memory is left for
// that. So it is used here, before there is anything to lose.
[[maybe_unused]] const std::string parser_in_use = simdjson::get_active_implementation()->name();

std::string ListOf(const Implementations& implementations) {
  std::string list;
  for (const std::string& name : implementations.names)
    list += InBracketsIf(name == implementations.in_use, name);
  return list;
}

void Write(const Implementations& implementations, JsonWriter& json) {
  json.StartObject();
  json.Key("in_use").String(implementations.in_use);
  json.Key("built_in").StartArray();
  for (const std::string& name : implementations.names) json.String(name);
  json.EndArray();
  json.EndObject();
}

std::string VersionAsJson() {
  std::string text;
  JsonWriter json(text);
  json.StartObject();
  json.Key("leafscore").String(Version());
  json.Key("edit_distances");
  Write(Kernels(), json);
  json.Key("json_tokens");
  Write(Parsers(), json);
  json.EndObject();
  return text;
}

// Returns the version and the built-in instruction sets, with a mark at the sets in use.
std::string VersionText(VersionFormat format) {
  if (format == VersionFormat::kJson) return VersionAsJson();
  return fmt::format("leafscore {}\nedit distances:{}\nJSON tokens:{}", Version(), ListOf(Kernels()),
                     ListOf(Parsers()));
}

// Makes large freed blocks go back to the system. Otherwise, the heap would keep ever larger blocks, and each
// thread would keep the memory of its longest record.
void KeepLittleFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

int Main(int argc, char** argv) {
  KeepLittleFreedMemory();
  PrepareStandardFiles();
  ObeyIsaVariable();
  return RunCommandLine(argc, argv, VersionText);
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  try {
    const int exit_code = leafscore::internal::WithResourceErrors(
        "give the command more", [&] { return leafscore::internal::Main(argc, argv); });
    leafscore::internal::CheckPrinted();
    return exit_code;
  } catch (const leafscore::Error& error) {
    leafscore::internal::PrintMessage(error.what());
    const bool interrupted = error.code() == leafscore::ErrorCode::kInterrupted;
    return interrupted ? leafscore::internal::InterruptedExitCode()
                       : leafscore::internal::ExitCodeOf(error.code());
  } catch (const std::bad_alloc&) {  // even for the message
    std::fputs("leafscore: memory ran out\n", stderr);
    return leafscore::internal::kExitUsage;
  } catch (const std::exception& error) {
    leafscore::internal::PrintMessage(
        fmt::format("{}; this is a defect of leafscore, please report it", error.what()));
    return leafscore::internal::kExitInternal;
  }
}
