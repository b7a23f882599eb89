// Fuzzes the reader of Python literals: python3 itself, where it is present, has to agree about every text,
// and the engine's JSON reader has to read what is made of it as the slow reference does.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "engine/languages/python_literal.h"
#include "json/json_reference.h"
#include "json/reader_probe.h"
#include "languages/python_oracle.h"

namespace leafscore::internal {
namespace {

void Check(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

PythonOracle* StartOracle() {
  static PythonOracle oracle(LEAFSCORE_PYTHON_ORACLE);
  if (!oracle.available()) std::fprintf(stderr, "SKIPPED: no python3, 3.9 or later, to compare with\n");
  return oracle.available() ? &oracle : nullptr;
}

void CheckLiteral(const std::string& text) {
  static PythonOracle* const oracle = StartOracle();
  static ReaderProbe probe;  // kept, as it is slow to make
  std::string json = "[";
  const bool read = PythonLiteralToJson(text, json);
  Check(json.starts_with('[') && (read || json == "["), "it changed what was there");
  json.erase(0, 1);
  if (oracle != nullptr) {
    const std::string answer = oracle->Ask(text, read ? &json : nullptr);
    Check(answer == (read ? "accepted" : "refused") || answer == "unknown", answer);
  }
  if (!read) return;

  probe.shapes().Clear();
  const Reading reading = probe.Read(json);
  Check(reading.tree.has_value(), text + "\nbecame\n" + json);
  const std::string disagreement = probe.Disagreement(reading);
  Check(disagreement.empty(), json + "\n" + disagreement);
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (leafscore::internal::reference::ValidUtf8Prefix(text) == size) leafscore::internal::CheckLiteral(text);
  return 0;
}
