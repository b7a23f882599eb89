#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "engine/render/cells.h"
#include "engine/report/run_summary.h"
#include "report/summary_testing.h"

namespace leafscore::internal {
namespace {

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

RunSummary TwoScorersAndGroups() {
  RunSummary summary({"json_similarity", "levenshtein"}, {"model"}, 10);
  summary.totals() = {.records_read = 1'002,
                      .rejected = 1,
                      .nonstandard = 3,
                      .duplicate_keys = 4,
                      .bytes = 2'700'000,
                      .wall_seconds = 0.5};
  const std::uint32_t a = summary.GroupIndex(0, "model-a");
  const std::uint32_t wide = summary.GroupIndex(0, "größe-模型");
  for (const std::size_t scorer : {0u, 1u}) {
    const bool judged = scorer == 1;
    for (int i = 0; i < 1'000; ++i) {
      Add(summary, scorer, Scored(i % 2 == 0 ? 1.0 : 0.5, judged ? std::optional(i % 2 == 0) : std::nullopt),
          {i < 900 ? a : wide});
    }
    Add(summary, scorer, kUnparsed, {wide});
    Add(summary, scorer, kInError, {kNoneGroup});
  }
  return summary;
}

TEST(SummaryTable, WholeText) {
  EXPECT_EQ(
      TwoScorersAndGroups().Report().ToTable(false),
      R"(scorer           group             asked  scored  coverage    mean     ±se      p5     p50     p95    pass  scored mean  scored pass
json_similarity  all               1,002   1,000    99.80%  0.7485  0.0080  0.5000  0.5000  1.0000       -       0.7500            -
levenshtein      all               1,002   1,000    99.80%  0.7485  0.0080  0.5000  0.5000  1.0000  49.90%       0.7500       50.00%
json_similarity  model=model-a       900     900   100.00%  0.7500  0.0083  0.5000  0.5000  1.0000       -       0.7500            -
json_similarity  model=größe-模型    101     100    99.01%  0.7426  0.0260  0.5000  0.5000  1.0000       -       0.7500            -
json_similarity  model=(none)          1       0     0.00%  0.0000       -  0.0000  0.0000  0.0000       -            -            -
levenshtein      model=model-a       900     900   100.00%  0.7500  0.0083  0.5000  0.5000  1.0000  50.00%       0.7500       50.00%
levenshtein      model=größe-模型    101     100    99.01%  0.7426  0.0260  0.5000  0.5000  1.0000  49.50%       0.7500       50.00%
levenshtein      model=(none)          1       0     0.00%  0.0000       -  0.0000  0.0000  0.0000       -            -            -
1,002 records, 1 rejected, 3 nonstandard, 4 duplicate keys; 2.7 MB in 0.50 s: 2,004 records/s, 0.01 GB/s
json_similarity: asked 1,002 = scored 1,000 + unreadable 1 + unanswered 0 + errors 1: counts add up; invalid_actual_json 1, missing_expected 1
levenshtein: asked 1,002 = scored 1,000 + unreadable 1 + unanswered 0 + errors 1: counts add up; invalid_actual_json 1, missing_expected 1
)");
}

// On 80 columns, it was too wide.
TEST(SummaryTable, ANarrowTerminalGetsNoColumnsThatRepeatOthers) {
  RunSummary summary({"json_similarity"}, {}, 10);
  summary.totals().records_read = 2;
  Add(summary, 0, Scored(0.5, false), {});
  Add(summary, 0, Scored(1, true), {});
  const std::string wide = summary.Report().ToTable(false);
  const std::string narrow = summary.Report().ToTable(false, 80);
  EXPECT_EQ(wide.find("scorer           group  asked  scored  coverage    mean"), 0u) << wide;
  EXPECT_EQ(summary.Report().ToTable(false, 200), wide);
  EXPECT_EQ(narrow.find("scorer           group  asked    mean     ±se      p5     p50     p95    pass\n"),
            0u)
      << narrow;
  EXPECT_TRUE(Contains(
      narrow, "\n(left out, as they add nothing here: scored, coverage, scored mean, scored pass)\n"))
      << narrow;
  Add(summary, 0, kInError, {});
  EXPECT_EQ(summary.Report().ToTable(false, 80), summary.Report().ToTable(false)) << "errors tell them apart";
}

TEST(SummaryTable, OneScorerWithoutGroups) {
  RunSummary summary({"contains"}, {}, 10);
  summary.totals().records_read = 1;
  Add(summary, 0, Scored(0), {});
  EXPECT_EQ(
      summary.Report().ToTable(true),
      R"(scorer    group  asked  scored  coverage    mean  ±se      p5     p50     p95  pass  scored mean  scored pass
contains  all        1       1   100.00%  0.0000    -  0.0000  0.0000  0.0000     -       0.0000            -
1 record, 0 rejected, 0 nonstandard, 0 duplicate keys; 0 B in 0.00 s
asked 1 = scored 1 + unreadable 0 + unanswered 0 + errors 0: counts add up
)");
}

TEST(SummaryTable, LoudOnlyAboutTrouble) {
  const std::string text = TwoScorersAndGroups().Report().ToTable(true);
  EXPECT_TRUE(Contains(text, "1,002 records, \x1b[1;31m1 rejected\x1b[0m, 3 nonstandard"));
  EXPECT_TRUE(Contains(
      text,
      "\n\x1b[1;31mlevenshtein: asked 1,002 = scored 1,000 + unreadable 1 + unanswered 0 + errors 1: "
      "counts add up; invalid_actual_json 1, missing_expected 1\x1b[0m\n"));
}

TEST(SummaryTable, SaysWhenCountsDoNotAddUp) {
  RunSummary summary({"contains"}, {}, 10);
  summary.totals().records_read = 1;
  EXPECT_TRUE(
      Contains(summary.Report().ToTable(true),
               "\n\x1b[1;31masked 0 = scored 0 + unreadable 0 + unanswered 0 + errors 0: COUNTS DO NOT ADD "
               "UP, overall or over groups; please report this\x1b[0m\n"));
}

TEST(SummaryTable, HostileNamesCannotSteerTheTerminal) {
  RunSummary summary({"contains"}, {"f"}, 10);
  Add(summary, 0, Scored(1),
      {summary.GroupIndex(0,
                          "a\x1b[2J\n\x7f\xC2\x9B"
                          "b\xC2\xA0")});
  EXPECT_TRUE(Contains(summary.Report().ToTable(false), "  f=a\\u001B[2J\\u000A\\u007F\\u009Bb\u00A0  "));
}

TEST(SummaryTable, LongNamesAreCutAtTheLimit) {
  for (const std::size_t length : {kMaxNameCodePoints - 1, kMaxNameCodePoints, kMaxNameCodePoints + 1}) {
    std::string name;
    for (std::size_t i = 0; i < length; ++i) name += "é";
    RunSummary summary({name}, {}, 10);
    std::string shown = name;
    if (length > kMaxNameCodePoints) shown = name.substr(0, 2 * (kMaxNameCodePoints - 1)) + "…";
    EXPECT_TRUE(Contains(summary.Report().ToTable(false), "\n" + shown + "  all  ")) << length;
  }
}

TEST(SummaryTable, ManyGroups) {
  constexpr std::size_t kMaxTableGroups = 50;
  for (const std::size_t count : {kMaxTableGroups - 1, kMaxTableGroups, kMaxTableGroups + 1}) {
    RunSummary summary({"contains"}, {"f"}, 1000);
    for (std::size_t i = 0; i < count; ++i) {
      Add(summary, 0, Scored(1), {summary.GroupIndex(0, std::to_string(i))});
    }
    EXPECT_EQ(Contains(summary.Report().ToTable(false),
                       "\nf: 1 more groups are not shown; the JSON summary has all of them\n"),
              count > kMaxTableGroups);
  }
}

TEST(SummaryTable, WarnsOfOtherGroups) {
  RunSummary summary({"contains"}, {"f"}, 1);
  Add(summary, 0, Scored(1), {summary.GroupIndex(0, "a")});
  EXPECT_FALSE(Contains(summary.Report().ToTable(false), "--max-groups"));
  Add(summary, 0, Scored(1), {summary.GroupIndex(0, "b")});
  EXPECT_TRUE(Contains(summary.Report().ToTable(false),
                       "\nf: too many or too long values, so 1 records are summarised as \"(other)\" "
                       "(see --max-groups)\n"));
}

}  // namespace
}  // namespace leafscore::internal
