#include "engine/report/score_ledger.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

TEST(ScoreLedger, LeavesWithTheirEditsAndShares) {
  EXPECT_EQ(
      RenderLedger(
          R"({"id": 1, "scorer": "json_similarity", "groups": {"g": 1}, "outcome": "scored", "score": 0.5,)"
          R"( "details": {"matched_leaves": 1.5, "total_leaves": 3, "leaves": [)"
          R"({"path": "city", "expected": "Oslo", "actual": "Olso", "similarity": 0.5},)"
          R"({"path": "n", "expected": 7, "actual": 7, "similarity": 1, "weight": 2},)"
          R"({"path": "x", "expected": null, "similarity": 0}]}})",
          false),
      "json_similarity: 0.5000\n"
      "path  expected    actual      similarity  weight  share\n"
      "city  \"O[-s-]lo\"  \"Ol{+s+}o\"      0.5000          25.0%\n"
      "n     7           7                    1       2  50.0%\n"
      "x     null                             0          25.0%\n"
      "matched_leaves: 1.5000\n"
      "total_leaves: 3\n");
}

TEST(ScoreLedger, AnyArrayOfObjectsIsATable) {
  EXPECT_EQ(
      RenderLedger(R"({"id": 1, "scorer": "static_json", "outcome": "scored", "score": 1, "passed": false,)"
                   R"( "details": {"extra_keys": ["b\n"], "none": [], "details": [)"
                   R"({"key": "a", "gold_value": "x", "model_value": "y", "exact": false,)"
                   R"( "match_type": "mismatch", "similarity": 0.25}]}})",
                   false),
      "static_json: 1, failed\n"
      "key  gold_value  model_value  exact  match_type  similarity\n"
      "a    \"[-x-]\"     \"{+y+}\"      false  mismatch        0.2500\n"
      "extra_keys: [\"b\\n\"]\n"
      "none: []\n");
}

// As a judge may reply.
TEST(ScoreLedger, AnArrayOfEmptyObjectsIsNoTable) {
  EXPECT_EQ(RenderLedger(
                R"({"id": 1, "scorer": "j", "outcome": "scored", "score": 1, "details": {"hits": [{}, {}]}})",
                false),
            "j: 1\nhits: [{},{}]\n");
}

TEST(ScoreLedger, RecordsWithoutAScore) {
  EXPECT_EQ(RenderLedger(R"({"id": 1, "scorer": "s", "outcome": "unreadable", "reason": "missing_actual",)"
                         R"( "message": "no actual"})",
                         true),
            "s: unreadable\nreason: missing_actual\nmessage: no actual\n");
}

}  // namespace
}  // namespace leafscore::internal
