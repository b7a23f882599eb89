// Writes a comparison as JSON and CSV, from one description of each of its figures.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/compare/comparison_document.h"
#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_names.h"
#include "engine/json/json_writer.h"
#include "engine/render/figures.h"
#include "engine/report/join_summary.h"
#include "engine/report/label_section.h"

namespace leafscore::internal {
namespace {

template <class Row>
std::string_view VerdictName(const Row& row) {
  return NameOf(row.verdict);
}

template <auto kMember>
constexpr auto OutcomeAt =
    [](const auto& row) { return row.*kMember ? std::optional(OutcomeName(*(row.*kMember))) : std::nullopt; };

FigureList<ComparedRow> RowFigures() {
  using Row = ComparedRow;
  return {
      {"", "scorer", "", At<&Row::scorer>, Column::kAlways, In::kCsv},
      {"", "group", "", At<&Row::group>},
      {"", "field", "", At<&Row::field>},
      {"", "rate", "",
       [](const Row& row) { return row.rate ? std::optional(NameOf(*row.rate)) : std::nullopt; }},
      {"", "verdict", "", VerdictName<Row>},
      {"", "contradiction", "", At<&Row::contradiction>, Column::kAlways, In::kJson},
      {"", "could_fail", "", At<&Row::could_fail>, Column::kAlways, In::kJson},
      {"", "records", "", At<&Row::records>},
      {"", "units", "", At<&Row::units>},
      {"", "effective_units", "", At<&Row::effective_units>},
      {"", "units_to_fail", "", At<&Row::units_to_fail>},
      {"", "say_nothing", "", At<&Row::say_nothing>},
      {"", "pooled_groups", "", At<&Row::pooled_groups>},
      {"", "base_pass_rate", "", At<&Row::base_pass_rate>},
      {"", "now_pass_rate", "", At<&Row::now_pass_rate>},
      {"flips", "pass_to_fail", "", At<&Row::flips, &FlipCounts::pass_to_fail>},
      {"flips", "fail_to_pass", "", At<&Row::flips, &FlipCounts::fail_to_pass>},
      {"flips", "both_pass", "", At<&Row::flips, &FlipCounts::both_pass>},
      {"flips", "both_fail", "", At<&Row::flips, &FlipCounts::both_fail>},
      {"flips", "p", "", At<&Row::flips, &FlipCounts::p>},
      {"flips", "p_unpaired", "", At<&Row::flips, &FlipCounts::p_unpaired>},
      {"repeats", "base_flake_rate", "", At<&Row::repeats, &RepeatFigures::base_flake_rate>},
      {"repeats", "now_flake_rate", "", At<&Row::repeats, &RepeatFigures::now_flake_rate>},
      {"repeats", "asking_noise", "", At<&Row::repeats, &RepeatFigures::asking_noise>},
      {"repeats", "short_tests", "", At<&Row::repeats, &RepeatFigures::short_tests>},
      // Groups and fields do not have this figure.
      {"", "scored_in_both", "",
       [](const Row& row) {
         return row.group || row.field || row.rate ? std::nullopt : std::optional(row.scored_in_both);
       }},
      {"", "difference_scored", "", At<&Row::difference_scored>},
      {"", "contribution", "", At<&Row::contribution>},
      {"", "mean_verdict", "", [](const Row& row) { return VerdictName(row.mean); }},
  };
}

// The figures of a mean, a pass rate or pass^k. The figures of the mean stand directly in the row. The pass
// rate and pass^k each have an object of their own in JSON, and a prefix in CSV.
FigureList<ComparedFigure> FigureFigures(bool with_verdict) {
  using Figure = ComparedFigure;
  FigureList<Figure> figures = {
      {"", "verdict", "", VerdictName<Figure>},
      {"", "base", "", At<&Figure::base>},
      {"", "now", "", At<&Figure::now>},
      {"", "difference", "", At<&Figure::difference>},
      {"", "standard_error", "", At<&Figure::standard_error>},
      {"interval", "low", "", At<&Figure::interval, &Interval::low>},
      {"interval", "high", "", At<&Figure::interval, &Interval::high>},
      {"t_interval", "low", "", At<&Figure::t_interval, &Interval::low>},
      {"t_interval", "high", "", At<&Figure::t_interval, &Interval::high>},
      {"bounds", "low", "", At<&Figure::bounds, &Interval::low>},
      {"bounds", "high", "", At<&Figure::bounds, &Interval::high>},
      {"", "p", "", At<&Figure::p>},
      {"", "least_p", "", At<&Figure::least_p>},
      {"", "p_corrected", "", At<&Figure::p_corrected>},
      {"", "p_equivalence", "", At<&Figure::p_equivalence>},
      {"", "p_equivalence_corrected", "", At<&Figure::p_equivalence_corrected>},
      {"", "p_t", "", At<&Figure::p_t>},
      {"", "p_wilcoxon", "", At<&Figure::p_wilcoxon>},
      {"", "effect", "", At<&Figure::effect>},
      {"", "detectable", "", At<&Figure::detectable>},
      {"", "units_for_margin", "", At<&Figure::units_for_margin>},
      {"", "wins", "", At<&Figure::wins>},
      {"", "ties", "", At<&Figure::ties>},
      {"", "losses", "", At<&Figure::losses>},
      {"", "holds_for_any_scores", "", At<&Figure::holds_for_any_scores>, Column::kAlways, In::kJson},
  };
  if (!with_verdict) figures.erase(figures.begin());
  return figures;
}

FigureList<ConditionalPower> PowerFigures() {
  using Power = ConditionalPower;
  return {{"", "units", "", At<&Power::units>},
          {"", "if_as_seen", "", At<&Power::if_as_seen>},
          {"", "if_margin", "", At<&Power::if_margin>},
          {"", "if_unchanged", "", At<&Power::if_unchanged>}};
}

FigureList<OutcomeChange> OutcomeFigures() {
  using Change = OutcomeChange;
  return {{"", "from", "", OutcomeAt<&Change::from>},
          {"", "to", "", OutcomeAt<&Change::to>},
          {"", "records", "", At<&Change::records>},
          {"", "contribution", "", At<&Change::contribution>}};
}

FigureList<CauseChange> CauseFigures() {
  using Change = CauseChange;
  return {{"", "cause", "", [](const Change& change) { return AnswerCauseName(change.cause); }},
          {"", "base_records", "", At<&Change::base_records>},
          {"", "now_records", "", At<&Change::now_records>},
          {"", "contribution", "", At<&Change::contribution>}};
}

FigureList<ChangedField> ChangedFieldFigures() {
  using Field = ChangedField;
  return {{"", "path", "", At<&Field::path>},
          {"", "expected", "", At<&Field::expected>},
          {"", "base", "", At<&Field::base>},
          {"", "now", "", At<&Field::now>},
          {"", "base_match", "", At<&Field::base_match>},
          {"", "now_match", "", At<&Field::now_match>}};
}

// The figures of a changed record. The fields of the record are written after them, and its texts
// (RecordTexts) last.
FigureList<ChangedRecord> RecordFigures() {
  using Record = ChangedRecord;
  return {{"", "id", "", At<&Record::id>},
          {"", "group", "", At<&Record::group>},
          {"", "base_outcome", "", OutcomeAt<&Record::base_outcome>},
          {"", "now_outcome", "", OutcomeAt<&Record::now_outcome>},
          {"", "base", "", At<&Record::base>},
          {"", "now", "", At<&Record::now>},
          {"", "base_passed", "", At<&Record::base_passed>},
          {"", "now_passed", "", At<&Record::now_passed>}};
}

FigureList<ChangedRecord> RecordTexts() {
  using Record = ChangedRecord;
  return {{"", "expected", "", At<&Record::expected>},
          {"", "base_answer", "", At<&Record::base_answer>},
          {"", "now_answer", "", At<&Record::now_answer>}};
}

FigureList<RepeatedTest> TestFigures() {
  using Test = RepeatedTest;
  return {{"", "id", "", At<&Test::id>},
          {"", "group", "", At<&Test::group>},
          {"", "base_asked", "", At<&Test::base_asked>},
          {"", "base_passed", "", At<&Test::base_passed>},
          {"", "now_asked", "", At<&Test::now_asked>},
          {"", "now_passed", "", At<&Test::now_passed>},
          {"", "base_flake_rate", "", At<&Test::base_flake_rate>},
          {"", "now_flake_rate", "", At<&Test::now_flake_rate>},
          {"", "p", "", At<&Test::p>},
          {"", "p_corrected", "", At<&Test::p_corrected>}};
}

FigureList<GateResult> GateFigures() {
  using Gate = GateResult;
  return {{"", "gate", "", At<&Gate::gate>},
          {"", "file", "", At<&Gate::file>},
          {"", "scorer", "", At<&Gate::scorer>},
          {"", "group", "", At<&Gate::group>},
          {"", "field", "", At<&Gate::field>},
          {"", "passed", "", At<&Gate::passed>},
          {"", "could_fail", "", At<&Gate::could_fail>},
          {"", "sentence", "", At<&Gate::sentence>}};
}

FigureList<TestFamily> FamilyFigures() {
  return {{"", "name", "", At<&TestFamily::name>}, {"", "tests", "", At<&TestFamily::tests>}};
}

// A row of CSV.
struct FileRow {
  const FileComparison* file;
  const ComparedRow* row;
};

FigureList<FileRow> CsvFigures() {
  FigureList<FileRow> figures = {{"", "file", "", [](const FileRow& at) { return at.file->file; }}};
  AddPartFigures(
      "", RowFigures(), [](const FileRow& at) { return at.row; }, figures);
  AddPartFigures(
      "", FigureFigures(/*with_verdict=*/false), [](const FileRow& at) { return &at.row->mean; }, figures);
  AddPartFigures(
      "pass_", FigureFigures(/*with_verdict=*/true),
      [](const FileRow& at) -> const auto& { return at.row->pass; }, figures);
  AddPartFigures(
      "pass_k_", FigureFigures(/*with_verdict=*/true),
      [](const FileRow& at) -> const auto& { return at.row->pass_k; }, figures);
  return figures;
}

// Writes a comparison. The descriptions of its figures are made only once.
class JsonOfComparison {
 public:
  JsonOfComparison(const Comparison& comparison, std::string& text)
      : comparison_(comparison), json_(text, JsonLayout::kIndented) {}

  void Write(std::span<const GateResult> gates) {
    json_.Object([&] {
      WriteHead();
      WriteLines(GateFigures(), gates, json_.Key("gates"));
      json_.Key("files").Array(comparison_.files, [&](const FileComparison& file) { WriteFile(file); });
      WriteLines(FamilyFigures(), comparison_.families, json_.Key("families"));
      json_.Key("warnings").LossyStrings(comparison_.warnings);
    });
  }

 private:
  void WriteHead() {
    json_.Key("verdict").String(NameOf(comparison_.verdict));
    json_.Key("headline").LossyString(VerdictLine(comparison_, {}));
    json_.Key("base").LossyString(comparison_.base);
    json_.Key("by").LossyString(comparison_.by);
    json_.Key("cluster").LossyString(comparison_.cluster);
    json_.Key("margin").Number(comparison_.margin);
    json_.Key("alpha").Number(comparison_.alpha);
    json_.Key("anytime").Bool(comparison_.anytime);
    json_.Key("look");
    if (const std::optional<Look>& look = comparison_.look) {
      json_.Object([&] {
        json_.Key("units").Integer(look->units);
        json_.Key("alpha_spent").Number(look->spent);
        json_.Key("digest").LossyString(look->digest);
      });
    } else {
      json_.Null();
    }
    json_.Key("repeats").String(NameOf(kRepeatsChoices, comparison_.repeats));
    WriteValue(comparison_.pass_k > 0 ? AsValue(comparison_.pass_k) : Value(), json_.Key("pass_k"));
    json_.Key("correction").String(NameOf(kCorrectionChoices, comparison_.correction));
    json_.Key("common_only").Bool(comparison_.common_only);
    json_.Key("verified").Bool(comparison_.verified);
  }

  void WriteFile(const FileComparison& file) {
    json_.Object([&] {
      json_.Key("file").LossyString(file.file);
      json_.Key("verdict").String(NameOf(file.verdict));
      json_.Key("records").Integer(file.records);
      WriteListedIds(file.only_base, json_.Key("only_base"));
      WriteListedIds(file.only_now, json_.Key("only_now"));
      json_.Key("base_repeated").Integer(file.base_repeated);
      json_.Key("now_repeated").Integer(file.now_repeated);
      json_.Key("not_asked").Integer(file.not_asked);
      json_.Key("scorers").Array(file.scorers, [&](const ScorerComparison& scorer) { WriteScorer(scorer); });
    });
  }

  void WriteScorer(const ScorerComparison& scorer) {
    const auto write_row = [&](const ComparedRow& row) { WriteRow(row); };
    json_.Object([&] {
      json_.Key("scorer").LossyString(scorer.scorer);
      json_.Key("all");
      WriteRow(scorer.all);
      json_.Key("groups").Array(scorer.groups, write_row);
      json_.Key("fields").Array(scorer.fields, write_row);
      json_.Key("field_rates").Array(scorer.field_rates, write_row);
      WriteLines(OutcomeFigures(), scorer.outcomes, json_.Key("outcomes"));
      WriteLines(CauseFigures(), scorer.causes, json_.Key("causes"));
      json_.Key("elsewhere").Number(scorer.elsewhere);
      json_.Key("base_errors").Integer(scorer.base_errors);
      json_.Key("now_errors").Integer(scorer.now_errors);
      json_.Key("nothing_compared").Integer(scorer.nothing_compared);
      json_.Key("notes").LossyStrings(ScorerNotes(scorer, comparison_));
      json_.Key("worst").Array(scorer.worst, [&](const ChangedRecord& record) { WriteRecord(record); });
      WriteSingleTests(scorer.single_tests);
      if (scorer.labels) WriteCorrected(*scorer.labels);
    });
  }

  void WriteCorrected(const CorrectedPassRates& corrected) {
    const FigureList<CorrectedPassRate> figures = CorrectionFigures();
    json_.Key("corrected").Object([&] {
      for (const auto& [key, side] : {std::pair("base", &corrected.base), {"now", &corrected.now}})
        json_.Key(key).Line(
            [&](JsonWriter& line) { line.Object([&] { WriteMembers(figures, *side, line); }); });
      WriteValue(AsValue(corrected.difference), json_.Key("difference"));
    });
  }

  void WriteRow(const ComparedRow& row) {
    json_.Line([&](JsonWriter& line) {
      line.Object([&] {
        WriteMembers(row_figures_, row, line);
        WriteFigure(row.mean, mean_figures_, line);
        for (const auto& [key, figure] : {std::pair("pass", &row.pass), {"pass_k", &row.pass_k}}) {
          line.Key(key);
          if (*figure) {
            line.Object([&] { WriteFigure(**figure, pass_figures_, line); });
          } else {
            line.Null();
          }
        }
      });
    });
  }

  static void WriteFigure(const ComparedFigure& figure, const FigureList<ComparedFigure>& figures,
                          JsonWriter& line) {
    WriteMembers(figures, figure, line);
    WriteLines(PowerFigures(), figure.more, line.Key("power_of_more"));
  }

  void WriteRecord(const ChangedRecord& record) {
    json_.Line([&](JsonWriter& line) {
      line.Object([&] {
        WriteMembers(record_figures_, record, line);
        WriteLines(field_figures_, record.fields, line.Key("fields"));
        WriteMembers(record_texts_, record, line);
      });
    });
  }

  void WriteSingleTests(const std::optional<SingleTests>& tests) {
    json_.Key("single_tests");
    if (!tests) return json_.Null();
    json_.Object([&] {
      json_.Key("could_fail").Bool(tests->could_fail);
      json_.Key("most_asked").Integer(tests->most_asked);
      json_.Key("asked_to_fail").Integer(tests->asked_to_fail);
      json_.Key("passed_in_base").Integer(tests->passed_in_base);
      json_.Key("powerless").Integer(tests->powerless);
      json_.Key("worse").Integer(tests->worse);
      WriteLines(TestFigures(), tests->got_worse, json_.Key("got_worse"));
      json_.Key("flaky").Integer(tests->flaky);
      WriteLines(TestFigures(), tests->most_flaky, json_.Key("most_flaky"));
    });
  }

  const Comparison& comparison_;
  JsonWriter json_;
  const FigureList<ComparedRow> row_figures_ = RowFigures();
  const FigureList<ComparedFigure> mean_figures_ = FigureFigures(/*with_verdict=*/false);
  const FigureList<ComparedFigure> pass_figures_ = FigureFigures(/*with_verdict=*/true);
  const FigureList<ChangedRecord> record_figures_ = RecordFigures();
  const FigureList<ChangedRecord> record_texts_ = RecordTexts();
  const FigureList<ChangedField> field_figures_ = ChangedFieldFigures();
};

}  // namespace

std::string ComparisonJson(const Comparison& comparison, std::span<const GateResult> gates) {
  std::string text;
  JsonOfComparison(comparison, text).Write(gates);
  return text + '\n';
}

std::vector<DescribedObject> ComparisonObjects() {
  const std::string mean = "/definitions/mean";
  const std::string scorer = "/properties/files/items/properties/scorers/items/properties/";
  std::vector<DescribedObject> objects = {
      {"/properties/gates/items", GateFigures()},
      {"/properties/families/items", FamilyFigures()},
      {mean, RowFigures()},
      {mean, FigureFigures(/*with_verdict=*/false)},
      {mean + "/properties/pass", FigureFigures(/*with_verdict=*/true)},
      {mean + "/properties/pass_k", FigureFigures(/*with_verdict=*/true)},
      {scorer + "outcomes/items", OutcomeFigures()},
      {scorer + "causes/items", CauseFigures()},
      {scorer + "worst/items", RecordFigures()},
      {scorer + "worst/items", RecordTexts()},
      {scorer + "worst/items/properties/fields/items", ChangedFieldFigures()},
      {scorer + "corrected/properties/base", CorrectionFigures()},
      {scorer + "corrected/properties/now", CorrectionFigures()},
      {"/definitions/test", TestFigures()},
  };
  for (const char* figure : {"", "/properties/pass", "/properties/pass_k"})
    objects.emplace_back(mean + figure + "/properties/power_of_more/items", PowerFigures());
  return objects;
}

std::string ComparisonCsv(const Comparison& comparison) {
  std::vector<FileRow> rows;
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      rows.push_back({&file, &scorer.all});
      for (const ComparedRow& group : scorer.groups) rows.push_back({&file, &group});
      for (const ComparedRow& field : scorer.fields) rows.push_back({&file, &field});
      for (const ComparedRow& rate : scorer.field_rates) rows.push_back({&file, &rate});
    }
  }
  return CsvOf(CsvFigures(), rows);
}

}  // namespace leafscore::internal
