#include "leafscore/converted_scores.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/io/byte_source.h"
#include "engine/json/json_value.h"
#include "engine/scores/manifest.h"
#include "leafscore/error.h"
#include "leafscore/plan.h"
#include "leafscore/version.h"

namespace leafscore {

struct ConvertedScores::State {
  // Returns the manifest of everything added so far.
  internal::Manifest Whole() const {
    internal::Manifest whole = manifest;
    whole.ids = ids.count();
    whole.ids_checksum = ids.Text();
    whole.expected = expected.count();
    whole.expected_checksum = expected.Text();
    whole.bytes = output.bytes();
    whole.checksum = output.Text();
    return whole;
  }

  internal::Manifest manifest;
  internal::MultisetHash ids;
  internal::MultisetHash expected;
  internal::Checksum output;
};

// The type name for all scorers of other tools.
constexpr char kConverted[] = "converted";

ConvertedScores::ConvertedScores(const ScoresOrigin& origin) : state_(std::make_unique<State>()) {
  state_->manifest.leafscore = Version();
  state_->manifest.origin = {origin.tool, origin.version, origin.format, origin.ids};
  state_->manifest.format = "jsonl";
}

ConvertedScores::~ConvertedScores() = default;

void ConvertedScores::AddInput(const std::string& path) {
  internal::BlockChecksum read;
  const auto source = internal::OpenByteSource(path, nullptr, &read);
  std::vector<std::byte> piece(256 << 10);
  while (source->Read(piece) > 0) {
  }
  state_->manifest.inputs.push_back({path, read.bytes(), read.Text()});
}

void ConvertedScores::AddScorer(const std::string& name, const std::vector<ConvertedOption>& options) {
  internal::Manifest::Scorer& scorer = state_->manifest.scorers.emplace_back();
  scorer.name = name;
  scorer.type = kConverted;
  internal::JsonValue value{internal::JsonOptions{}};
  for (const ConvertedOption& option : options) {
    std::optional<std::string> compact = value.Read(option.json).Json();
    if (!compact) throw Error(ErrorCode::kUsage, "the option " + option.name + " is not a JSON value");
    scorer.options.push_back({option.name, std::move(*compact)});
  }
  std::ranges::sort(scorer.options, {}, &internal::Manifest::Option::name);
}

void ConvertedScores::AddRecord(std::optional<std::string_view> id,
                                std::optional<std::string_view> expected_json) {
  ++state_->manifest.records_asked;
  ++state_->manifest.records_read;
  if (!id) {
    ++state_->manifest.without_id;
    return;
  }
  const std::uint64_t hash = state_->ids.Add(*id);
  if (expected_json) state_->expected.AddPair(hash, *expected_json);
}

void ConvertedScores::AddLines(std::string_view lines) {
  state_->output.Add(lines);
  state_->manifest.lines += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
}

std::string ConvertedScores::Manifest() const { return internal::ManifestJson(state_->Whole()); }

std::string ConvertedScores::Trailer() const { return internal::ManifestTrailer(state_->Whole()); }

}  // namespace leafscore
