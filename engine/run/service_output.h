// engine/run/service_output.h: recognises records that are the output of a service of models, as batches and
// logs hold it, and finds the answers in it, so that messages and `leafscore init` name what reads them.
// Values; one thread at a time.
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
  std::string id;          // the field with the id of the request; empty: there are only ids of the service
  std::string text;        // the field with the text of most answers; empty: no answer has a text
  std::string calls;       // the field in which the scorer tool_calls finds the calls
  bool are_calls = false;  // most answers call tools
  std::string jq;  // a filter of jq that gives each record its text as `actual`; empty: all are at one place

  // Returns what to do with the records, as the end of a message about `score`.
  std::string Advice() const;
};

class ServiceSurvey {
 public:
  void Add(const JsonView& record);

  // Returns what most of the records are; nullopt if that is no output of a service.
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
