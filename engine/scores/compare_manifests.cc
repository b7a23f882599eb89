#include "engine/scores/compare_manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "engine/base/choices.h"
#include "engine/base/run_options.h"
#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Two manifests that are being compared.
struct Two {
  const NamedManifest& a;
  const NamedManifest& b;

  [[noreturn]] void Refuse(const std::string& what, std::string_view of_a, std::string_view of_b,
                           std::string_view instead = "") const {
    const bool converted = a.manifest.origin && b.manifest.origin;
    throw Error(ErrorCode::kInput,
                fmt::format("{} and {} cannot be compared: {} differ: {} and {}; {} both alike{}", a.output,
                            b.output, what, of_a, of_b, converted ? "convert" : "score", instead));
  }

  void CompareText(const std::string& what, std::string_view of_a, std::string_view of_b) const {
    if (of_a != of_b) Refuse(what, QuoteForMessage(of_a), QuoteForMessage(of_b));
  }
};

constexpr std::string_view kNotGiven = "(not given)";  // not JSON

std::string_view ValueOf(const std::vector<Manifest::Option>& options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &Manifest::Option::name);
  return found == options.end() ? kNotGiven : std::string_view(found->json);
}

// `owner` begins the names in the message.
void CompareOptions(const Two& two, const std::string& owner, const std::vector<Manifest::Option>& a,
                    const std::vector<Manifest::Option>& b) {
  for (const auto* options : {&a, &b}) {
    for (const Manifest::Option& option : *options) {
      const std::string_view of_a = ValueOf(a, option.name);
      const std::string_view of_b = ValueOf(b, option.name);
      // Another version may have more options; the version is reported as a doubt of its own.
      const bool is_new =
          (of_a == kNotGiven || of_b == kNotGiven) && two.a.manifest.leafscore != two.b.manifest.leafscore;
      if (of_a != of_b && !is_new) two.Refuse(owner + " " + QuoteForMessage(option.name), of_a, of_b);
    }
  }
}

std::string FileText(const Manifest::File& file) {
  return fmt::format("{} ({} bytes, {})", QuoteForMessage(file.name), file.bytes, file.checksum);
}

std::string FilesText(const std::vector<Manifest::File>& files) {
  std::string text;
  for (const Manifest::File& file : files) text += (text.empty() ? "" : ", ") + FileText(file);
  return text.empty() ? "none" : text;
}

// A manifest without revisions is from the time when each scorer had only one revision.
std::string_view RevisionOf(const Manifest::Scorer& scorer) {
  return scorer.revision.empty() ? std::string_view("seed") : scorer.revision;
}

void CompareScorers(const Two& two, const Manifest::Scorer& a, const Manifest::Scorer& b) {
  const std::string scorer = " of the scorer " + QuoteForMessage(a.name);
  two.CompareText("the types" + scorer, a.type, b.type);
  if (RevisionOf(a) != RevisionOf(b)) {
    two.Refuse("the revisions" + scorer, QuoteForMessage(a.revision), QuoteForMessage(b.revision));
  }
  CompareOptions(two, "the options" + scorer + ",", a.options, b.options);
  const auto checksum = [](const Manifest::File& file) { return file.checksum; };
  if (!std::ranges::equal(a.files, b.files, {}, checksum, checksum)) {
    two.Refuse("the program files" + scorer, FilesText(a.files), FilesText(b.files));
  }
}

// Returns how a checksum was made, according to its name.
std::string_view KindOf(std::string_view checksum) {
  const std::size_t colon = checksum.find(':');
  return checksum.substr(0, colon == std::string_view::npos ? 0 : colon);
}

// A file that a run has beside its inputs, and its names in messages.
struct JoinedFile {
  std::optional<Manifest::File> Manifest::*member;
  std::string_view name;
  std::string_view absence;
};
constexpr JoinedFile kGold = {&Manifest::gold, "gold", "no gold"};
constexpr JoinedFile kBase = {&Manifest::versus, "--versus", "no --versus"};

// Compares the files of expected values, or the files of the base's answers.
void CompareJoined(const Two& two, const JoinedFile& joined) {
  const std::optional<Manifest::File>& a = two.a.manifest.*joined.member;
  const std::optional<Manifest::File>& b = two.b.manifest.*joined.member;
  if (a.has_value() == b.has_value() && (!a || a->checksum == b->checksum)) return;
  if (a && b && a->bytes == b->bytes && KindOf(a->checksum) != KindOf(b->checksum)) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} and {} cannot be compared: their manifests have checksums of two kinds for "
                            "the {} file, {} and {}, as different versions of leafscore wrote them, so it "
                            "is unknown whether the files are the same; score both with one version",
                            two.a.output, two.b.output, joined.name, FileText(*a), FileText(*b)));
  }
  const auto text = [&](const auto& file) { return file ? FileText(*file) : std::string(joined.absence); };
  two.Refuse(fmt::format("the {} files", joined.name), text(a), text(b));
}

std::vector<Manifest::Option> ThatMatter(const std::vector<Manifest::Option>& options) {
  std::vector<Manifest::Option> kept;
  std::ranges::copy_if(options, std::back_inserter(kept),
                       [](const Manifest::Option& option) { return !MayDiffer(option.name); });
  return kept;
}

// Returns what computed the scores.
std::string ToolOf(const Manifest& manifest) {
  if (!manifest.origin) return "leafscore";
  return manifest.origin->tool.empty() ? "another tool" : manifest.origin->tool;
}

std::string IdsText(const Manifest& manifest) {
  const std::string without =
      manifest.without_id == 0 ? "" : fmt::format(" and {} records without an id", manifest.without_id);
  return fmt::format("{} ids{} ({})", manifest.ids, without, manifest.ids_checksum);
}

bool HaveSameIds(const Manifest& a, const Manifest& b) {
  return a.ids == b.ids && a.without_id == b.without_id && a.ids_checksum == b.ids_checksum;
}

// Compares ids that differ. RETURNS: a doubt.
std::string CompareIds(const Two& two) {
  const Manifest& a = two.a.manifest;
  const Manifest& b = two.b.manifest;
  const bool same_count = a.ids + a.without_id == b.ids + b.without_id;
  if (!same_count || (a.without_id == 0 && b.without_id == 0)) {
    two.Refuse("the ids that were asked", IdsText(a), IdsText(b),
               ", or give --common-only to compare the ids that both have");
  }
  return fmt::format("it is unknown whether {} and {} were asked the same ids: {} and {}", two.a.output,
                     two.b.output, IdsText(a), IdsText(b));
}

// Compares the expected values for the same ids. RETURNS: a doubt, or an empty text.
std::string CompareExpected(const Two& two) {
  const Manifest& a = two.a.manifest;
  const Manifest& b = two.b.manifest;
  const bool is_told = !a.origin || a.expected > 0 || &two.a == &two.b;
  if (is_told && a.expected == b.expected && a.expected_checksum == b.expected_checksum) return "";
  const auto text = [](const Manifest& m) { return fmt::format("{} ({})", m.expected, m.expected_checksum); };
  // If a record could not be read, its value is unknown. If only some records have an id, it is unknown which
  // values belong to an id.
  const auto knows_all = [](const Manifest& m) {
    return m.expected == m.ids + m.without_id && (m.ids == 0 || m.without_id == 0);
  };
  if (knows_all(a) && knows_all(b)) {
    two.Refuse("the values expected for the same ids, or how they are written,", text(a), text(b));
  }
  return fmt::format("it is unknown whether {} and {} expected the same values: {} and {}", two.a.output,
                     two.b.output, text(a), text(b));
}

// Returns what distinguishes the answers that were scored from other answers: their ids, field and files;
// empty if these are not known.
std::string AnswersOf(const Manifest& manifest) {
  if (manifest.origin) return "";  // one log may hold the scores of several models
  std::string answers = manifest.ids_checksum + '\n' + std::string(ValueOf(manifest.options, "actual_field"));
  if (manifest.versus) answers += "\nversus " + manifest.versus->checksum;
  for (const Manifest::File& input : manifest.inputs) {
    if (input.checksum.empty()) return "";
    answers += '\n' + input.checksum;
  }
  return manifest.inputs.empty() ? "" : answers;
}

// Returns a sentence for each output with the answers of an earlier output, because a copy looks like a
// second run. Two parts of one output, with the answers of two models, are not copies.
std::vector<std::string> SameAnswersNotes(std::span<const NamedManifest> manifests) {
  std::map<std::string, std::string_view> first_with;
  std::vector<std::string> notes;
  for (const NamedManifest& next : manifests) {
    const std::string answers = AnswersOf(next.manifest);
    if (answers.empty()) continue;
    const auto [first, is_new] = first_with.try_emplace(answers, next.output);
    if (is_new || first->second == next.output) continue;
    notes.push_back(fmt::format("{} and {} were scored from the same answers, so only the scoring can differ",
                                first->second, next.output));
  }
  return notes;
}

}  // namespace

std::vector<std::string> CompareManifests(std::span<const NamedManifest> manifests, bool same_ids,
                                          bool same_base) {
  std::vector<std::string> warnings = SameAnswersNotes(manifests);
  std::map<std::string_view, std::pair<const NamedManifest*, const Manifest::Scorer*>> first_with;
  for (const NamedManifest& next : manifests) {
    if (same_base) CompareJoined({manifests.front(), next}, kBase);  // a base changes options of scorers, too
    for (const Manifest::Scorer& scorer : next.manifest.scorers) {
      const auto [first, is_new] = first_with.try_emplace(scorer.name, &next, &scorer);
      if (!is_new) CompareScorers({*first->second.first, next}, *first->second.second, scorer);
    }
    if (const std::string_view limit = ValueOf(next.manifest.options, "limit"); limit != kNotGiven) {
      warnings.push_back(
          fmt::format("{} has only the first {} records of each input (--limit)", next.output, limit));
    }
    const Two two = {manifests.front(), next};
    const Manifest& a = two.a.manifest;
    const Manifest& b = two.b.manifest;
    two.CompareText("the tools that computed the scores", ToolOf(a), ToolOf(b));
    CompareJoined(two, kGold);
    CompareOptions(two, "the options", ThatMatter(a.options), ThatMatter(b.options));
    if (HaveSameIds(a, b)) {
      if (std::string doubt = CompareExpected(two); !doubt.empty()) warnings.push_back(std::move(doubt));
    } else {
      if (same_ids) warnings.push_back(CompareIds(two));
      if (!a.gold) {
        warnings.push_back(fmt::format(
            "it is unknown whether {} and {} expected the same values for the ids that they share{}",
            two.a.output, two.b.output, a.origin ? "" : "; score them with one --gold"));
      }
    }
    if (a.leafscore != b.leafscore) {
      warnings.push_back(fmt::format("{} was {} by leafscore {} and {} by {}, so scores may differ",
                                     two.a.output, a.origin ? "converted" : "scored",
                                     QuoteForMessage(a.leafscore), two.b.output,
                                     QuoteForMessage(b.leafscore)));
    }
  }
  return warnings;
}

std::vector<std::string> OriginNotes(std::span<const NamedManifest> manifests) {
  std::map<std::string, std::string> outputs;  // by tool
  for (const NamedManifest& next : manifests) {
    if (!next.manifest.origin) continue;
    const std::string& version = next.manifest.origin->version;
    std::string& names = outputs[ToolOf(next.manifest) + (version.empty() ? "" : " " + version)];
    names += (names.empty() ? "" : ", ") + next.output;
  }
  std::vector<std::string> notes;
  for (const auto& [tool, names] : outputs) {
    notes.push_back(fmt::format("{} computed the scores of {}; leafscore only converted them", tool, names));
  }
  if (outputs.size() > 1)
    notes.emplace_back("scores may differ because different tools, or versions of them, computed them");
  return notes;
}

void CheckRepeats(const NamedManifest& scores, Repeats repeats) {
  if (!scores.manifest.gold) return;
  for (const Manifest::Option& option : scores.manifest.options) {
    const std::string_view json = option.json;
    if (option.name != "repeats" || json == "\"error\"") continue;  // then there are no repeats
    const std::string_view used = json.substr(1, json.size() - 2);
    if (used == NameOf(kRepeatsChoices, repeats)) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("{} was scored with --repeats {}; give the same here", scores.output, used));
  }
}

}  // namespace leafscore::internal
