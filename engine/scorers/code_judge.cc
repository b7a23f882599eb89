// AgentV's code_judge: a program of the user is the scorer.
//
// For each record, the program reads one line of JSON, {"candidate_answer", "reference_answer", "config"},
// and replies {"score", "hits", "misses", "reasoning"}. It runs either once per record or persistently, with
// one process per worker. A fault of the program is an error of the record. The process is then killed with
// its group, and the next record gets a new process.
//
// If a persistent process wrote one extra line, each later record would get the reply to the record before
// it. So requests have a `sequence` number, and a sequence number in a reply must equal it. After a reply
// without a number, the record is an error if the program has written anything else: before the request,
// together with the reply, or until the next request or the end of the batch. After such a reply, the scorer
// waits a moment for more output. Output that comes even later is not noticed.
//
// A judge that fails for many records in a row is not asked again. At which record this happens depends on
// the order in which the threads run.
//
// If the program's replies depend only on the record, so do the results. If a process that has served
// other records ends without a reply, it is replaced and the record is tried again. Thus the history of a
// process, in any worker, does not affect the record.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/process/child_process.h"
#include "engine/process/program_files.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kCodeJudgeOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"script", "text or list of texts", "none; required",
     "the program, relative to the configuration's folder: a .py file, an executable, or a list of program "
     "and arguments"},
    {"process", "per_record or persistent", "per_record",
     "one process per record, or one per worker that reads and writes a line for each record"},
    {"timeout_ms", "number from 1 to 86400000", "10000", "time per record after which the program is killed"},
    {"max_memory_bytes", "number from 1048576", "4294967296", "limit of the address space of a process"},
    {"max_output_bytes", "number from 2 to 67108864", "65536", "a longer reply is an error"},
    {"max_failures", "number from 1", "100",
     "failures in a row, over all workers, after which the judge is stopped"},
    kThresholdOption.WithDefault("no verdict"),
    {kRestOfOptions, "any value", "none", "all other options are passed to the program as config"},
};

struct CodeJudgeSettings {
  PairSelectorOptions selection;
  ProgramSpec program;
  std::vector<std::string> files;  // the program's files
  bool persistent;
  TurnLimits limits;
  std::optional<double> threshold;
  std::string config_json;
  std::uint64_t max_failures;
  std::unique_ptr<std::atomic<std::uint64_t>> failures_in_a_row =
      std::make_unique<std::atomic<std::uint64_t>>(0);
};

// Why a record has no score.
struct Failure {
  RejectReason reason;
  std::string message;
};

// How long to wait for an extra line after a reply without a sequence number. A program that writes an extra
// line does so within microseconds of the reply, so a short wait is enough.
constexpr std::chrono::milliseconds kPatience{2};

// How long a batch may go on after a stop.
constexpr std::chrono::milliseconds kStopPatience{600};

constexpr char kOutOfTurn[] =
    "the program wrote more than one line for this record, or wrote before it was asked, so it is unclear "
    "which line is the reply; repeat the request's sequence in the reply";

constexpr TextMetric kCodeJudgeTextMetrics[] = {
    {"hits", /*is_list=*/true}, {"misses", /*is_list=*/true}, {"reasoning", /*is_list=*/false}};

struct JudgeVerdict {
  double score;
  std::string sequence_json = {};       // the reply's sequence number, or empty
  std::optional<double> sequence = {};  // the same as a number
  std::array<std::string, std::size(kCodeJudgeTextMetrics)> texts_json = {};  // empty if the reply has none
};

// Reads replies. Its memory does not grow with their number.
class ReplyReader {
 public:
  // RETURNS: nullopt after setting `fault`.
  std::optional<JudgeVerdict> Read(std::string_view reply, std::string& fault) {
    if (shapes_.memory_bytes() > (1 << 20)) shapes_.Clear();
    reader_.Begin(reply, /*lines=*/false, &table_);
    const JsonResult result = reader_.Read(0, static_cast<std::uint32_t>(reply.size()));
    const JsonView object(table_, shapes_, result.root);
    if (!object.present()) {
      fault = fmt::format("is not JSON: at byte {}, {}", result.offset, result.message);
    } else if (!object.Is(ValueKind::kObject)) {
      fault = "is not a JSON object";
    } else if (result.duplicate_keys != 0) {  // with two scores, for example, the meaning is unclear
      fault = "has a key twice";
    } else {
      return ReadMembers(object, fault);
    }
    return std::nullopt;
  }

 private:
  static std::optional<JudgeVerdict> ReadMembers(const JsonView& object, std::string& fault) {
    const JsonView score = object.Member("score");
    const std::optional<double> number = score.Number();
    if (!number) {
      fault = score.present() ? "has a \"score\" that is not a number" : "has no \"score\"";
      return std::nullopt;
    }
    if (!std::isfinite(*number)) {  // NaN, Infinity, 1e400
      fault = "has a \"score\" that is not finite";
      return std::nullopt;
    }
    JudgeVerdict verdict{.score = *number > 0 ? std::min(*number, 1.0) : 0.0};
    if (const JsonView sequence = object.Member("sequence");
        sequence.present() && !sequence.Is(ValueKind::kNull)) {
      verdict.sequence_json = *sequence.Json();
      verdict.sequence = sequence.Number();
    }
    for (std::size_t m = 0; m < std::size(kCodeJudgeTextMetrics); ++m) {
      const auto& [name, is_list] = kCodeJudgeTextMetrics[m];
      const JsonView member = object.Member(name);
      if (!member.present() || member.Is(ValueKind::kNull)) continue;
      if (is_list ? !member.Is(ValueKind::kArray) : !member.IsText()) {
        fault = fmt::format("has \"{}\" that is not a {}", name, is_list ? "list" : "text");
        return std::nullopt;
      }
      verdict.texts_json[m] = *member.Json();
    }
    return verdict;
  }

  ShapeTable shapes_;
  JsonReader reader_{&shapes_};
  LeafTable table_;
};

class CodeJudgeBatch final : public SelectingBatch {
 public:
  CodeJudgeBatch(const CodeJudgeSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, {}, /*expected_optional=*/true),
        settings_(settings),
        limits_(settings->limits) {
    limits_.stop = tools.stop;
    limits_.stop_patience = kStopPatience;
  }

  // The program has rules of its own.
  AnswerCauses possible_causes() const override { return kCausesOfAnyScorer; }

  static bool NeedsExpected(const CodeJudgeSettings& /*settings*/) { return false; }

  std::span<const TextMetric> text_metrics() const override { return kCodeJudgeTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  void BeginBatch(std::uint32_t records) override {
    if (stopped()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    verdicts_.assign(records, {});
    last_judged_.reset();
  }
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    FailLastIfOutOfTurn();
    std::atomic<std::uint64_t>& failures = *settings_->failures_in_a_row;
    if (failures >= settings_->max_failures) {
      process_.reset();
      SetRecordError(record, RejectReason::kJudgeStopped,
                     fmt::format("the judge was stopped after {} failures in a row (max_failures)",
                                 settings_->max_failures),
                     columns_);
      return;
    }
    WriteDocument();
    if (std::optional<Failure> failure = Judge(record)) {
      ++failures;
      SetRecordError(record, failure->reason, std::move(failure->message), columns_);
    } else if (!last_judged_) {
      failures = 0;
    }
  }
  void Reduce(const StringPairs& /*pairs*/) override { FailLastIfOutOfTurn(); }

  // Takes back the verdict of the last record if the program has written more than the reply.
  void FailLastIfOutOfTurn() {
    const std::optional<std::uint32_t> last = std::exchange(last_judged_, std::nullopt);
    if (!last) return;
    if (!process_ || !process_->out_of_turn(std::chrono::milliseconds(0))) {
      *settings_->failures_in_a_row = 0;
      return;
    }
    ++*settings_->failures_in_a_row;
    process_.reset();
    columns_.score[*last] = 0;
    columns_.passed[*last] = -1;
    verdicts_[*last] = {};
    SetRecordError(*last, RejectReason::kJudgeBadReply, kOutOfTurn, columns_);
    std::ranges::sort(columns_.errors, {}, &RecordError::record);
  }

  void WriteDocument() {
    document_.clear();
    JsonWriter json(document_, JsonLayout::kCompact);
    json.StartObject();
    selector_.AppendJson(/*expected_side=*/false, json.Key("candidate_answer").RawValue());
    selector_.AppendJson(/*expected_side=*/true, json.Key("reference_answer").RawValue());
    json.Key("config").Raw(settings_->config_json);
    if (settings_->persistent) json.Key("sequence").Integer(++sequence_);
    json.EndObject();
    document_ += '\n';
  }

  std::optional<Failure> Judge(std::uint32_t record) {
    if (process_ && !process_->ready()) process_.reset();
    const bool is_fresh = !process_;
    TurnEnd end = TurnEnd::kExited;
    try {
      if (is_fresh) process_.emplace(settings_->program);
      end = TakeTurn();
      if (end == TurnEnd::kExited && !is_fresh) {
        process_.emplace(settings_->program);
        end = TakeTurn();
      }
    } catch (const std::system_error& error) {
      process_.reset();
      return Failure{RejectReason::kJudgeCrashed,
                     fmt::format("the program cannot be started: {}", error.what())};
    }
    std::optional<Failure> failure = Conclude(end, record);
    // After a bad reply, the right one may still come, and would be taken for the reply to the next record.
    if (end != TurnEnd::kLine || failure) process_.reset();
    return failure;
  }

  bool stopped() const { return limits_.stop != nullptr && limits_.stop->load(); }

  // After a stop, a batch in progress has kStopPatience to end (up to twice as long if the stop comes just
  // after a turn began). Without this time, its records would have to be asked again.
  void SpendPatience() {
    if (!stopped()) return;
    const auto now = std::chrono::steady_clock::now();
    if (!stopped_at_) stopped_at_ = now;
    const auto waited = std::chrono::floor<std::chrono::milliseconds>(now - *stopped_at_);
    limits_.stop_patience = std::max(std::chrono::milliseconds(0), kStopPatience - waited);
  }

  TurnEnd TakeTurn() {
    SpendPatience();
    const TurnEnd end = settings_->persistent ? process_->ExchangeLine(document_, limits_)
                                              : process_->ExchangeAll(document_, limits_);
    if (end == TurnEnd::kStopped) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    return end;
  }

  // Sets the score of a record. RETURNS: why it has no score, if so.
  std::optional<Failure> Conclude(TurnEnd end, std::uint32_t record) {
    if (end == TurnEnd::kTimedOut) {
      return Failure{
          RejectReason::kJudgeTimeout,
          fmt::format("the program was killed after {} ms (timeout_ms) without {}", limits_.timeout.count(),
                      settings_->persistent ? "a line of reply" : "ending")};
    }
    if (end == TurnEnd::kFlooded) {
      return Failure{
          RejectReason::kJudgeBadReply,
          fmt::format("the reply is longer than {} bytes (max_output_bytes)", limits_.max_output_bytes)};
    }
    if (end == TurnEnd::kExited && process_->wait_status() != 0) {
      return Failure{RejectReason::kJudgeCrashed, CrashMessage()};
    }
    const std::string_view reply = process_->output();
    if (reply.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      return Failure{RejectReason::kJudgeBadReply, "the program wrote no reply"};
    }
    std::string fault;
    std::optional<JudgeVerdict> verdict = replies_.Read(reply, fault);
    if (!verdict) {
      return Failure{RejectReason::kJudgeBadReply,
                     fmt::format("the reply {} {}", QuoteForMessage(reply), fault)};
    }
    if (settings_->persistent && !verdict->sequence_json.empty()) {
      if (verdict->sequence != static_cast<double>(sequence_)) {
        return Failure{
            RejectReason::kJudgeBadReply,
            fmt::format("the reply has the sequence {}, but the request has {}: it answers another request",
                        QuoteForMessage(verdict->sequence_json), sequence_)};
      }
    } else if (end == TurnEnd::kLine) {
      if (process_->out_of_turn(kPatience)) return Failure{RejectReason::kJudgeBadReply, kOutOfTurn};
      last_judged_ = record;
    }
    columns_.score[record] = verdict->score;
    if (settings_->threshold) columns_.passed[record] = verdict->score >= *settings_->threshold;
    verdicts_[record] = *std::move(verdict);
    return std::nullopt;
  }

  std::string CrashMessage() const {
    std::string end = process_->EndMessage();
    std::string_view errors = process_->error_tail();
    errors = errors.substr(0, errors.find_last_not_of(" \t\r\n") + 1);
    if (errors.empty()) return end;
    constexpr std::size_t kMaxBytes = 240;
    const bool cut = errors.size() > kMaxBytes;
    if (cut) errors.remove_prefix(errors.size() - kMaxBytes);
    return fmt::format("{}; its standard error ends with {}{:?}", end, cut ? "..." : "", errors);
  }

  const CodeJudgeSettings* settings_;
  TurnLimits limits_;
  std::optional<std::chrono::steady_clock::time_point> stopped_at_;  // when the stop was first seen
  ReplyReader replies_;
  std::optional<ChildProcess> process_;  // persistent: kept from record to record
  std::string document_;
  std::uint64_t sequence_ = 0;  // number of the last request
  std::optional<std::uint32_t>
      last_judged_;                     // the last record judged by this process without a sequence number
  std::vector<JudgeVerdict> verdicts_;  // indexed by record
};

// An element that is not a text is given as JSON.
void CodeJudgeBatch::AppendTexts(std::uint32_t record, std::size_t metric,
                                 std::vector<std::string>& texts) const {
  const std::string& json = verdicts_[record].texts_json[metric];
  if (json.empty()) return;
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  reader.Begin(json, /*lines=*/false, &table);
  const JsonView value(table, shapes, reader.Read(0, static_cast<std::uint32_t>(json.size())).root);
  const auto append = [&](const JsonView& text) { texts.push_back(text.Text().value_or("null")); };
  if (kCodeJudgeTextMetrics[metric].is_list) {
    value.ForEachChild(append);
  } else {
    append(value);
  }
}

void CodeJudgeBatch::WriteDetails(std::uint32_t record, DetailLevel /*level*/, DetailsWriter& json) const {
  for (std::size_t m = 0; m < std::size(kCodeJudgeTextMetrics); ++m) {
    const std::string& text = verdicts_[record].texts_json[m];
    if (!text.empty() && json.HasRoomFor(text.size())) json.Key(kCodeJudgeTextMetrics[m].name).Raw(text);
  }
}

ProgramSpec ReadProgram(const OptionReader& options) {
  namespace fs = std::filesystem;
  ProgramSpec program;
  program.folder = (fs::current_path() / fs::path(options.source_name()).parent_path()).string();
  program.arguments = options.GetTextList("script");
  program.max_memory_bytes =
      static_cast<std::uint64_t>(options.GetNumber("max_memory_bytes", 1ull << 32, 1 << 20, 1ull << 53));
  if (program.arguments.empty() || program.arguments[0].empty()) {
    throw options.MakeError("script", "name the program, as in script: ./judge.py");
  }
  if (options.GetAny("script")->kind == ConfigValue::Kind::kScalar) {
    const fs::path path = fs::path(program.folder) / program.arguments[0];
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
      throw options.MakeError(
          "script", fmt::format("there is no file {}; paths are relative to the folder of the configuration",
                                path.lexically_normal().string()));
    }
    program.arguments[0] = path.lexically_normal().string();
    if (path.extension() == ".py") program.arguments.insert(program.arguments.begin(), "python3");
  }
  program.path = FindProgram(program.arguments[0], program.folder);
  if (program.path.empty()) {
    throw options.MakeError(
        "script",
        fmt::format("{} is not executable; run chmod +x on it, or write a list such as [node, ./judge.js]",
                    QuoteForMessage(program.arguments[0])));
  }
  return program;
}

bool ReadPersistent(const OptionReader& options) {
  const std::string process = options.GetText("process", "per_record");
  if (process != "per_record" && process != "persistent") {
    throw options.MakeError("process", QuoteForMessage(process) + " is neither per_record nor persistent");
  }
  return process == "persistent";
}

std::unique_ptr<Scorer> MakeCodeJudge(const OptionReader& options) {
  CodeJudgeSettings settings{
      .selection = PairSelectorOptions(options),
      .program = ReadProgram(options),
      .files = {},
      .persistent = ReadPersistent(options),
      .limits = {options.GetMilliseconds("timeout_ms", 10000),
                 static_cast<std::size_t>(options.GetNumber("max_output_bytes", 65536, 2, 64 << 20))},
      .threshold = {},
      .config_json = {},
      .max_failures = options.GetNumber("max_failures", kMaxJudgeFailures)};
  settings.files = FilesOfProgram(settings.program);
  if (options.GetAny(kThresholdOption.name)) settings.threshold = ReadThreshold(options);
  AppendConfigAsJson(options.GetRest(), settings.config_json);
  return std::make_unique<ConfiguredScorer<CodeJudgeBatch, CodeJudgeSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kCodeJudgeScorer = {
    "code_judge",
    "score computed by your own program",
    kCodeJudgeOptions,
    MakeCodeJudge,
    {"For rules that no other scorer knows: a program of yours scores each record. It reads the record as "
     "JSON on standard input and writes the score as JSON.",
     "code_judge:script=examples/code_judges/iou.py", "[0, 0, 10, 10]", "[0, 0, 10, 5]", "", 0.5},
    /*revisions=*/{}};

}  // namespace leafscore::internal
