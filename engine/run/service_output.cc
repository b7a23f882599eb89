#include "engine/run/service_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/shell_text.h"

namespace leafscore::internal {
namespace {

// The places of the request's id, of the response's body, and of the calls in a layout.
struct LayoutRule {
  std::string_view what;
  std::string_view id;
  std::string_view body;  // a path that ends in a dot; empty if it is the record
  std::string_view calls;
};
enum LayoutNumber : std::size_t { kOpenAiBatch, kAnthropicBatch, kChats, kResponses, kMessages };
constexpr LayoutRule kRules[] = {
    {"a batch of OpenAI", "custom_id", "response.body.", "response.body"},
    {"a batch of Anthropic", "custom_id", "result.message.", "result.message"},
    {"chat completions", "", "", "choices[0].message"},
    {"responses of OpenAI", "", "", "output"},
    {"messages of Anthropic", "", "", "content"},
};

bool HasText(const JsonView& object, std::string_view key, std::string_view text) {
  const JsonView member = object.Member(key);
  return member.IsText() && *member.Text() == text;
}

// An answer in the body of a response.
struct AnswerInBody {
  std::string text;  // the path of its text; empty if it has no text
  bool calls_tools = false;
};

// Reads the list of parts at `path`; some of them may be texts.
void ReadParts(const JsonView& parts, std::string_view text_type, std::string_view path,
               AnswerInBody& answer) {
  std::size_t position = 0;
  parts.ForEachChild([&](const JsonView& part) {
    const bool is_text = HasText(part, "type", text_type) && part.Member("text").IsText();
    if (is_text && answer.text.empty()) answer.text = fmt::format("{}[{}].text", path, position);
    answer.calls_tools |= HasText(part, "type", "tool_use");
    ++position;
  });
}

AnswerInBody AnswerIn(const JsonView& body) {
  AnswerInBody answer;
  const JsonView choice = body.Member("choices").Element(0);
  const JsonView message = choice.Member("message");
  const JsonView content = message.Member("content");
  if (content.IsText()) answer.text = "choices[0].message.content";
  if (choice.Member("text").IsText()) answer.text = "choices[0].text";
  ReadParts(content, "text", "choices[0].message.content", answer);
  answer.calls_tools |= message.Member("tool_calls").Element(0).present();
  std::size_t position = 0;
  body.Member("output").ForEachChild([&](const JsonView& item) {
    if (HasText(item, "type", "message")) {
      ReadParts(item.Member("content"), "output_text", fmt::format("output[{}].content", position), answer);
    }
    answer.calls_tools |= HasText(item, "type", "function_call");
    ++position;
  });
  ReadParts(body.Member("content"), "text", "content", answer);
  return answer;
}

// Returns the number of the layout that a record has, if it is a known one. `body` becomes the body of the
// response, which is absent if the request failed.
std::optional<std::size_t> NumberOfLayout(const JsonView& record, JsonView& body) {
  body = record;
  if (record.Member("custom_id").present()) {
    const JsonView response = record.Member("response");
    const JsonView result = record.Member("result");
    body = response.Member("body");
    if (response.present() && (body.present() || record.Member("error").present())) return kOpenAiBatch;
    body = result.Member("message");
    if (result.Member("type").IsText()) return kAnthropicBatch;
    return std::nullopt;
  }
  if (record.Member("choices").Element(0).Member("message").present()) return kChats;
  if (HasText(record, "object", "response") && record.Member("output").Is(ValueKind::kArray))
    return kResponses;
  if (HasText(record, "type", "message") && record.Member("content").Is(ValueKind::kArray)) return kMessages;
  return std::nullopt;
}

}  // namespace

std::string ServiceOutput::Advice() const {
  std::string advice = fmt::format(". This looks like {}", what);
  if (text.empty() && !are_calls) return advice + " in which no request has an answer";
  if (!jq.empty() && !are_calls) {
    return advice +
           " whose texts are at different places: leafscore init prints the commands that score it, "
           "for this file and the one with the gold";
  }
  advice += id.empty() ? ": add the id and the expected value to each, and score them with "
                       : fmt::format(": score it with --gold GOLD --id-field {} ", id);
  if (are_calls) advice += "-s tool_calls ";
  return advice + "--actual-field " + ForShell(are_calls ? calls : text);
}

void ServiceSurvey::Add(const JsonView& record) {
  ++records_;
  JsonView body = record;
  const std::optional<std::size_t> number = NumberOfLayout(record, body);
  if (!number) return;
  Layout& layout = layouts_[*number];
  ++layout.records;
  if (!body.present()) return;
  AnswerInBody answer = AnswerIn(body);
  layout.with_calls += answer.calls_tools;
  if (!answer.text.empty()) ++layout.texts[std::move(answer.text)];
}

std::optional<ServiceOutput> ServiceSurvey::Result() const {
  const auto layout = std::ranges::max_element(layouts_, {}, &Layout::records);
  if (2 * layout->records <= records_) return std::nullopt;
  const LayoutRule& rule = kRules[layout - layouts_.begin()];
  ServiceOutput output;
  output.what = rule.what;
  output.id = rule.id;
  output.calls = rule.calls;
  std::uint64_t texts = 0;
  std::uint64_t most = 0;
  for (const auto& [path, answers] : layout->texts) {
    texts += answers;
    if (answers > most) output.text = std::string(rule.body) + path;
    most = std::max(most, answers);
  }
  output.are_calls = layout->with_calls > texts / 2;
  if (layout->texts.size() < 2 || output.text.find("choices[") != std::string::npos) return output;
  const std::string body = fmt::format(".{}", rule.body);
  const std::string parts =
      output.text.find("output[") != std::string::npos
          ? body + R"(output[]? | select(.type == "message") | .content[]? | select(.type == "output_text"))"
          : body + R"(content[]? | select(.type == "text"))";
  output.jq = fmt::format(". + (first({} | {{actual: .text}}) // {{}})", parts);
  return output;
}

}  // namespace leafscore::internal
