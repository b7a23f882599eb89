#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/lint/checks.h"
#include "engine/lint/findings.h"
#include "engine/lint/path_tree.h"
#include "engine/lint/similar_ids.h"
#include "engine/render/cells.h"
#include "engine/report/join_summary.h"
#include "engine/run/field_presence.h"
#include "engine/run/file_options.h"
#include "engine/run/record_scan.h"
#include "engine/run/source_names.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kIdPlace = 0;
constexpr std::size_t kActualPlace = 1;
constexpr std::size_t kCallsPlace = 2;  // if there is such a field

// With fewer records, nearly all may fail by chance.
constexpr std::uint64_t kLeastForNearlyAll = 10;

enum class Verdict : std::uint8_t { kNone, kFailed, kPassed };

// The facts about the answers of one input.
struct Source {
  ListedIds unreadable;
  ListedIds without_gold;
  std::uint64_t similar = 0;       // of these, similar to an id of the gold
  std::string first_similar = {};  // the first such id, and the id of the gold
  std::uint64_t answers = 0;       // answers to ids of the gold
  bool varies = false;
  std::string first = {};  // the first answer, as JSON, while all are equal
};

class AnswerChecks {
 public:
  AnswerChecks(GoldRecords& gold, const FileOptions& options, const std::vector<std::string>& scorers,
               BatchJudge& judge, LintReport& report)
      : gold_(gold),
        options_(options),
        scorers_(scorers),
        judge_(judge),
        report_(report),
        row_of_id_(gold.ids().size(), TextNumbers::kNone),
        answered_(gold.size()),
        verdicts_(scorers.size() * gold.size()),
        passed_(verdicts_.size()),
        failed_(verdicts_.size()) {
    // If several gold records have one id, the last counts, as in a run.
    for (std::uint32_t row = 0; row < gold.size(); ++row) {
      if (const std::uint32_t id = gold.rows()[row].id; id != TextNumbers::kNone) row_of_id_[id] = row;
    }
    judge_.SetTake([this](const Judgement& judgement) {
      if (judgement.is_error || judgement.is_unanswered) return;
      verdicts_[judgement.scorer * gold_.size() + judgement.row] =
          judgement.passes ? Verdict::kPassed : Verdict::kFailed;
    });
  }

  void Run() {
    const std::vector<std::string> names = SourceNames(options_.inputs);
    std::vector<Source> sources(names.size());
    Read(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) ReportSource(names[i], sources[i]);
    ReportUnanswered();
    ReportAbsentPaths();
    // With a single model, its passes and failures say nothing about the gold.
    if (sources.size() > 1) ReportAgreement();
  }

 private:
  void Read(std::vector<Source>& sources) {
    std::vector<std::string> fields = {JoinField(options_), options_.actual_field};
    if (!options_.calls_field.empty()) fields.push_back(options_.calls_field);
    RecordScan scan(options_.inputs, ReaderOptionsOf(options_), JsonOptionsOf(options_), std::move(fields));
    std::uint32_t input = 0;
    const std::uint64_t bytes_before = options_.progress == nullptr ? 0 : options_.progress->bytes.load();
    while (scan.Next()) {
      if (options_.progress != nullptr && scan.begins_batch()) {
        options_.progress->bytes = bytes_before + scan.reader().consumed_bytes();
      }
      if (scan.batch().input != input) EndSource();
      input = scan.batch().input;
      AddRecord(scan, sources[input]);
    }
    if (scan.reader().stopped()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    EndSource();
    std::vector<WantedField> wanted = WantedAnswerFields(options_, kActualPlace, kCallsPlace);
    wanted.insert(wanted.begin(), {JoinField(options_), "--id-field", kIdPlace});
    CheckFieldsAreThere(scan.presence(), wanted, "no record of the answers");
  }

  void AddRecord(const RecordScan& scan, Source& source) {
    const std::string number = fmt::format("record {}", scan.number_in_input());
    if (!scan.is_readable()) {
      AddId(number, source.unreadable);
      return;
    }
    const std::optional<std::string> id = scan.field(kIdPlace).Text();
    const std::uint32_t known = id ? gold_.ids().Find(*id) : TextNumbers::kNone;
    if (known == TextNumbers::kNone) {
      AddId(id.value_or(number), source.without_gold);
      if (id) CountSimilar(*id, source);
      return;
    }
    const NodeId actual = scan.nodes()[kActualPlace];
    const NodeId calls = options_.calls_field.empty() ? kNoNode : scan.nodes()[kCallsPlace];
    const std::uint32_t row = row_of_id_[known];
    if (row != TextNumbers::kNone && (actual != kNoNode || calls != kNoNode)) {
      AddAnswer(scan.table(), scan.shapes(), actual, calls, row, source);
    }
  }

  void CountSimilar(const std::string& id, Source& source) {
    if (!similar_ids_) similar_ids_.emplace(gold_.ids());
    const std::uint32_t similar = similar_ids_->Find(id);
    if (similar == TextNumbers::kNone || source.similar++ != 0) return;
    source.first_similar =
        fmt::format("{} is {} there", QuoteForMessage(id), QuoteForMessage(gold_.ids().text(similar)));
  }

  // Adds an answer, the calls of its run, or both.
  void AddAnswer(const LeafTable& table, const ShapeTable& shapes, NodeId actual, NodeId calls,
                 std::uint32_t row, Source& source) {
    answered_[row] = true;
    // The calls of a run have the format of their kit, so they do not show which paths answers lack.
    any_container_ |= actual != kNoNode && IsContainer(table.kind(actual));
    for (const NodeId value : {actual, calls}) {
      if (value != kNoNode) gold_.paths().MarkAnswer(table, shapes, value);
    }
    if (!source.varies) {
      text_.clear();
      if (actual != kNoNode) AppendSortedJson(table, shapes, actual, text_);
      if (actual != kNoNode && calls != kNoNode) text_ += " with the calls ";
      if (calls != kNoNode) AppendSortedJson(table, shapes, calls, text_);
      if (source.answers == 0) source.first = text_;
      source.varies = text_ != source.first;
    }
    ++source.answers;
    const auto written = [&](NodeId node) {
      return node == kNoNode ? std::nullopt : std::optional(JsonView(table, shapes, node).Written());
    };
    judge_.Add(row, gold_.Expected(row), written(actual), written(calls));
  }

  // Counts the verdicts on the input that has ended.
  void EndSource() {
    judge_.Flush();
    for (std::size_t i = 0; i < verdicts_.size(); ++i) {
      passed_[i] += verdicts_[i] == Verdict::kPassed;
      failed_[i] += verdicts_[i] == Verdict::kFailed;
      verdicts_[i] = Verdict::kNone;
    }
  }

  void ReportSource(const std::string& name, const Source& source) {
    AddAbout(
        source.unreadable,
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kUnreadableAnswer,
         .source = name,
         .message = fmt::format("{} of {} cannot be read.", RecordsOf(source.unreadable), DisplayName(name)),
         .advice = "Look at what wrote them: each is a lost answer."},
        report_);
    const std::string similar =
        source.similar == 0 ? ""
                            : fmt::format("; ignoring case, blanks and leading zeros, it has {} of them ({})",
                                          WithThousands(source.similar), source.first_similar);
    AddAbout(
        source.without_gold,
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kAnswerWithoutGold,
         .source = name,
         .message = fmt::format("{} an id in {} that the gold lacks{}.", RecordsHave(source.without_gold),
                                DisplayName(name), similar),
         .advice = source.similar == 0
                       ? "Add gold for them, or check --id-field and that the answers belong to this test."
                       : "Write ids the same way in both files: answers are joined by the exact id."},
        report_);
    if (source.varies || source.answers < PathTree::kLeastRecords || gold_.expected_values().size() < 2)
      return;
    report_.findings.push_back(
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kConstantAnswer,
         .source = name,
         .numbers = {{"answers", static_cast<double>(source.answers)}},
         .message = fmt::format("All {} answers of {} are the same: {}.", WithThousands(source.answers),
                                DisplayName(name), DisplayName(source.first)),
         .advice = "Look at what wrote them: a model that reads its question does not do that."});
  }

  void ReportUnanswered() {
    ListedIds ids;
    for (const std::uint32_t row : row_of_id_) {
      if (row != TextNumbers::kNone && !answered_[row]) AddId(gold_.Name(row), ids);
    }
    AddAbout(ids,
             {.severity = LintSeverity::kWarning,
              .kind = LintKind::kUnansweredGold,
              .message = RecordsHave(ids) + " no answer in any input.",
              .advice = "Ask for them, or remove them from the gold: overall, they count as 0."},
             report_);
  }

  // Reports the topmost paths of the gold that no answer has; texts have no paths.
  void ReportAbsentPaths() {
    if (!any_container_) return;
    const std::vector<PathTree::Place>& places = gold_.paths().places();
    ListedIds paths;
    for (std::uint32_t place = 1; place < places.size(); ++place) {
      const bool is_absent = !places[place].in_answer && places[places[place].parent].in_answer;
      if (is_absent) AddId(gold_.paths().Text(place), paths);
    }
    if (paths.count == 0) return;
    report_.findings.push_back(
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kNeverAnsweredPath,
         .paths = paths,
         .numbers = {{"paths", static_cast<double>(paths.count)}},
         .message = fmt::format("{} path{} in no answer.", WithThousands(paths.count),
                                paths.count == 1 ? " of the gold is" : "s of the gold are"),
         .advice = "Look for keys with other names, and check that the question asks for these."});
  }

  void ReportAgreement() {
    for (std::size_t s = 0; s < scorers_.size(); ++s) {
      ListedIds failed;
      ListedIds passed;
      std::uint64_t judged = 0;  // judged for at least two inputs
      for (std::uint32_t row = 0; row < gold_.size(); ++row) {
        const std::size_t i = s * gold_.size() + row;
        if (failed_[i] + passed_[i] < 2) continue;
        ++judged;
        if (passed_[i] == 0) AddId(gold_.Name(row), failed);
        if (failed_[i] == 0) AddId(gold_.Name(row), passed);
      }
      const bool is_nearly_all = judged >= kLeastForNearlyAll && 10 * failed.count >= 9 * judged;
      AddAbout(failed,
               {.severity = LintSeverity::kWarning,
                .kind = LintKind::kFailedByAll,
                .scorer = scorers_[s],
                .message = RecordsAre(failed) + " failed by every input that answers.",
                .advice =
                    is_nearly_all
                        ? "That is nearly all of them: before the gold, check the threshold (--pass-score, "
                          "or the scorer's own), which hardly any answer reaches."
                        : "Check this gold by hand: it may be wrong, or written in a way that no answer is."},
               report_);
      AddAbout(passed,
               {.severity = LintSeverity::kNote,
                .kind = LintKind::kPassedByAll,
                .scorer = scorers_[s],
                .message = RecordsAre(passed) + " passed by every input that answers.",
                .advice = "These do not distinguish the inputs; harder records would."},
               report_);
    }
  }

  GoldRecords& gold_;
  const FileOptions& options_;
  const std::vector<std::string>& scorers_;
  BatchJudge& judge_;
  LintReport& report_;
  std::vector<std::uint32_t> row_of_id_;
  std::vector<bool> answered_;         // indexed by row, in any input
  std::vector<Verdict> verdicts_;      // by scorer and row, in the current input
  std::vector<std::uint32_t> passed_;  // by scorer and row: the number of inputs
  std::vector<std::uint32_t> failed_;
  std::optional<SimilarIds> similar_ids_;  // ids of the gold, once needed
  bool any_container_ = false;
  std::string text_;
};

}  // namespace

void CheckAnswers(GoldRecords& gold, const FileOptions& options, const std::vector<std::string>& scorers,
                  BatchJudge& judge, LintReport& report) {
  AnswerChecks(gold, options, scorers, judge, report).Run();
}

}  // namespace leafscore::internal
