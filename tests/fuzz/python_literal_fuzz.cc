// Fuzzes the readers of Python literals and calls: python3 itself, where it is present, has to agree about
// every text of a literal, and the engine's JSON reader has to read what is made of both as the slow
// reference does.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "engine/languages/python_calls.h"
#include "engine/languages/python_literal.h"
#include "fuzz/fuzz_check.h"
#include "json/json_reference.h"
#include "json/reader_probe.h"
#include "languages/python_oracle.h"

namespace leafscore::internal {
namespace {

PythonOracle* StartOracle() {
  static PythonOracle oracle(LEAFSCORE_PYTHON_ORACLE);
  if (!oracle.available()) std::fprintf(stderr, "SKIPPED: no python3, 3.9 or later, to compare with\n");
  return oracle.available() ? &oracle : nullptr;
}

void CheckJson(const std::string& text, const std::string& json) {
  static ReaderProbe probe;  // kept, as it is slow to make
  probe.shapes().Clear();
  const Reading reading = probe.Read(json);
  Check(reading.tree.has_value(), text + "\nbecame\n" + json);
  const std::string disagreement = probe.Disagreement(reading);
  Check(disagreement.empty(), json + "\n" + disagreement);
}

void CheckCalls(const std::string& text) {
  constexpr PythonCallRules kAll = {
      .strips_quotes = true, .drops_positional = true, .computes = true, .nests_calls = true};
  for (const PythonCallRules& rules : {PythonCallRules{}, kAll}) {
    std::string json = "[";
    const bool read = PythonCallsToJson(text, rules, json);
    Check(json.starts_with('[') && (read || json == "["), "it changed what was there");
    if (read) CheckJson(text, json.substr(1));
  }
}

void CheckLiteral(const std::string& text) {
  static PythonOracle* const oracle = StartOracle();
  std::string json = "[";
  const bool read = PythonLiteralToJson(text, json);
  Check(json.starts_with('[') && (read || json == "["), "it changed what was there");
  json.erase(0, 1);
  if (oracle != nullptr) {
    const std::string answer = oracle->Ask(text, read ? &json : nullptr);
    Check(answer == (read ? "accepted" : "refused") || answer == "unknown", answer);
  }
  if (read) CheckJson(text, json);
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (leafscore::internal::reference::ValidUtf8Prefix(text) != size) return 0;
  leafscore::internal::CheckLiteral(text);
  leafscore::internal::CheckCalls(text);
  return 0;
}
