// Fuzzes the reading of what a judge wrote: strictly, an object counts only if the whole text is one by the
// slow reference; less strictly, the same object counts then too; and an object that was a part of the
// question never does.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/judge/judge_reply.h"
#include "fuzz/fuzz_check.h"
#include "json/json_reference.h"

namespace leafscore::internal {
namespace {

// RETURNS: the object that the text is by the slow reference.
std::optional<reference::Value> ReadObject(std::string_view text) {
  std::optional<reference::Parsed> parsed = reference::Parse(text);
  if (!parsed || parsed->value.kind != reference::Value::Kind::kObject) return std::nullopt;
  return std::move(parsed->value);
}

// RETURNS: the object's text; nothing where none counts.
std::optional<std::string> Find(std::string_view content, const AskedTexts& asked, bool strict) {
  JudgeReplyReader reader;
  const FoundObject found = reader.FindObject(content, asked, strict);
  Check(found.object.present() != !found.why.empty(), "an object and a reason why there is none");
  if (!found.object.present()) return std::nullopt;
  return std::string(found.object.Written());
}

void CheckReply(std::string_view content) {
  JudgeReplyReader reader;
  reader.ReadCompletion(content);
  reader.ReadError(content, {});

  const std::optional<std::string> strict = Find(content, {}, true);
  const std::optional<std::string> any = Find(content, {}, false);
  if (strict) {
    Check(ReadObject(content).has_value(), "the whole text is no object");
    Check(any == strict, "another object counts when the text is not read strictly");
  }
  if (!any) return;
  const std::optional<reference::Value> object = ReadObject(*any);
  Check(object.has_value(), "no object: " + *any);
  if (reference::Find(*object, "score") != nullptr)
    Check(!Find(content, {content}, false), "a quoted verdict counts");
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  leafscore::internal::CheckReply({reinterpret_cast<const char*>(data), size});
  return 0;
}
