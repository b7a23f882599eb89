#include "engine/scorers/scorer_guide.h"

#include <algorithm>

namespace leafscore::internal {
namespace {

constexpr ScorerGuide kGuides[] = {
    {"asserts",
     "For tests in which each record has checks of its own, such as texts, patterns, fields and scripts. The "
     "score "
     "is the weighted mean of the checks of the record.",
     "asserts", R"({"asserts": [{"type": "contains", "value": "INV-7"}, {"type": "is-json", "weight": 2}]})",
     R"("{\"invoice\": \"INV-8\"}")", "", 2.0 / 3},
    {"classification",
     "For answers that are labels. A record scores 1 for the right class, and the summary has precision, "
     "recall "
     "and F over all records.",
     "classification:classes=[spam, ham]", R"("spam")", R"("Spam")", "", 1},
    {"code_judge",
     "For rules that no other scorer knows: a program of yours scores each record. It reads the record as "
     "JSON on "
     "standard input and writes the score as JSON.",
     "code_judge:script=examples/code_judges/iou.py", "[0, 0, 10, 10]", "[0, 0, 10, 5]", "", 0.5},
    {"contains",
     "For free text that has to mention something. The score is 1 if the expected text occurs in the answer, "
     "else 0.",
     "contains", R"("Oslo")", R"("The capital is oslo.")", "", 1},
    {"exact_match",
     "For answers that are either right or wrong. The score is 1 if both values are equal, else 0; letter "
     "case "
     "counts only with case_sensitive.",
     "exact_match:case_sensitive=true", R"("Oslo")", R"("oslo")", "", 0},
    {"exact_string_match",
     "For texts whose case and white space do not matter. The score is 1 if both are otherwise equal, else "
     "0.",
     "exact_string_match", R"("Main  Street")", R"("main street")", "", 1},
    {"field_accuracy",
     "For objects of which only some fields matter, each compared in its own way: exactly, as a number, a "
     "date or "
     "a similar text. The score is the weighted share of the fields that match.",
     "field_accuracy:fields=[{path: total, match: numeric_tolerance, tolerance: 0.01}, {path: date, match: "
     "date}]",
     R"({"total": 12.5, "date": "2026-03-01"})", R"({"total": 12.505, "date": "2 Mar 2026"})", "", 0.5},
    {"fmea",
     "For AssetOpsBench's scenarios of failure modes and catalogues of facts. The score is F1 over the names "
     "of "
     "the failure modes, or over the facts.",
     "fmea", R"({"asset": "pump", "failure_modes": {"bearing wear": "vibration", "seal leak": "pressure"}})",
     R"({"asset": "pump", "failure_modes": {"seal leak": "pressure", "overheating": "heat"}})", "", 0.5},
    {"json_diff",
     "For JSON where both missing and extra content should cost. The score is the similarity of the two "
     "trees, "
     "over the keys of both.",
     "json_diff", R"({"a": 1, "b": [1, 2]})", R"({"a": 1, "b": [1], "c": 3})", "", 0.5},
    {"json_schema",
     "For answers that have to fit a JSON Schema, whether or not their values are right. The score is 1 if "
     "the answer is valid, "
     "else 0, with the errors by field and keyword.",
     "json_schema:schema={type: object, properties: {age: {type: integer}}, required: [age]}", "null",
     R"({"age": "36"})", "", 0},
    {"json_similarity",
     "For JSON where near answers should count in part. The score is the mean over the expected leaves: near "
     "texts and numbers earn a part, and content that is expected nowhere costs nothing.",
     "json_similarity:number_tolerance=0.01", R"({"city": "Oslo", "population": 700})",
     R"({"city": "Olso", "population": 699})", "", 0.75},
    {"levenshtein",
     "For free text of which the exact wording matters. The score is 1 minus the edit distance divided by "
     "the "
     "length of the longer text.",
     "levenshtein", R"("Oslo")", R"("Olso")", "", 0.5},
    {"llm_judge",
     "For answers of which only the meaning counts: a language model judges each record. The score is the "
     "model's, "
     "from 0 to 100, divided by 100.",
     "llm_judge:model=gpt-4o-mini", R"("Oslo")", R"("Norway's capital, Oslo")", "95", 0.95},
    {"llm_judge_strict_json",
     "For JSON whose keys are fixed and whose values only a language model can judge. The model judges each "
     "key "
     "that both sides have, and the penalties are those of strict_json.",
     "llm_judge_strict_json:model=gpt-4o-mini", R"({"name": "Ada", "job": "mathematician"})",
     R"({"name": "Ada", "job": "scientist"})", "name:identical;job:similar", 0.75},
    {"numeric_match",
     "For answers that are a number in a text. The score is 1 if the first numbers of both texts differ by "
     "at "
     "most 1%, or the tolerance, else 0.",
     "numeric_match", R"("about 250 km")", R"("It is 249 km.")", "", 1},
    {"records",
     "For data extracted from documents, with rows in any order. The score is F1 over all values, after rows "
     "are "
     "paired so that most of them match.",
     "records", R"({"lines": [{"sku": "A1", "qty": 2}, {"sku": "B2", "qty": 1}]})",
     R"({"lines": [{"sku": "B2", "qty": 3}, {"sku": "A1", "qty": 2}]})", "", 0.75},
    {"static_json",
     "For objects in answers of any form: JSON, Python, fenced or within prose. The score is F1 over the "
     "keys whose "
     "values match exactly.",
     "static_json", R"({"city": "Oslo", "year": 1624})",
     R"("Final answer: {\"city\": \"Oslo\", \"year\": 1625}")", "", 0.5},
    {"strict_json",
     "For JSON with a fixed set of keys. The score is 1 minus a penalty for each top-level key that is "
     "missing, "
     "wrong, similar or extra.",
     "strict_json", R"({"name": "Ada", "age": 36, "city": "London"})", R"({"name": "Ada", "age": 37})", "",
     0.5},
    {"tool_calls",
     "For agents: which tools were called, with which arguments and in which order. The score is F1 over the "
     "calls, paired so that most of them match.",
     "tool_calls",
     R"([{"name": "search", "arguments": {"q": "Oslo"}}, {"name": "open", "arguments": {"id": 7}}])",
     R"([{"name": "search", "arguments": {"q": "Oslo"}}])", "", 2.0 / 3},
};

}  // namespace

std::span<const ScorerGuide> ScorerGuides() { return kGuides; }

const ScorerGuide* FindScorerGuide(std::string_view type) {
  const auto* const guide = std::ranges::find(kGuides, type, &ScorerGuide::type);
  return guide == std::end(kGuides) ? nullptr : guide;
}

}  // namespace leafscore::internal
