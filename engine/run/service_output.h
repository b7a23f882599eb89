// engine/run/service_output.h: recognises records that a model service wrote as the results of a batch or as
// a log, and finds the answers in them. So messages and `leafscore init` can name the options that read the
// answers. Values; one thread at a time.
#ifndef LEAFSCORE_ENGINE_RUN_SERVICE_OUTPUT_H_
#define LEAFSCORE_ENGINE_RUN_SERVICE_OUTPUT_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/json/json_view.h"

namespace leafscore::internal {

struct ServiceOutput {
  std::string_view what;   // for example "a batch of OpenAI"
  std::string id;          // the field with the id of the request; empty if there are only ids of the service
  std::string text;        // the field with the text of most answers; empty if no answer has a text
  std::string calls;       // the field in which the scorer tool_calls finds the calls
  bool are_calls = false;  // most answers call tools
  // A filter of jq that copies the text of each record to `actual`. Empty if it is not needed: all texts are
  // at the same place, or the most common place is in `choices`.
  std::string jq;

  // Returns what to do with the records, as the end of a message about `score`.
  std::string Advice() const;
};

class ServiceSurvey {
 public:
  void Add(const JsonView& record);

  // Returns what most of the records are; nullopt if most are no output of a service.
  std::optional<ServiceOutput> Result() const;

 private:
  struct Layout {
    std::uint64_t records = 0;
    std::uint64_t with_calls = 0;
    std::map<std::string, std::uint64_t> texts;  // how many answers have their text at a path
  };
  static constexpr std::size_t kLayouts = 5;

  std::uint64_t records_ = 0;
  std::array<Layout, kLayouts> layouts_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SERVICE_OUTPUT_H_
