#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <pugixml.hpp>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_names.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

// pugixml returns an empty handle if memory ran out.
pugi::xml_node Child(pugi::xml_node parent, const char* name) {
  const pugi::xml_node child = parent.append_child(name);
  if (!child) throw std::bad_alloc();
  return child;
}

void SetAttribute(pugi::xml_node node, const char* name, std::string_view value) {
  if (!node.append_attribute(name).set_value(Visible(value).c_str())) throw std::bad_alloc();
}

// The cases of one suite. The suite is added to the document once its cases are counted.
struct Suite {
  struct Case {
    std::string name;
    std::string_view result;  // "failure", "skipped" or, if it passed, empty
    std::string message;
  };

  std::string name;
  std::vector<Case> cases = {};

  std::size_t Count(std::string_view result) const {
    return static_cast<std::size_t>(std::ranges::count(cases, result, &Case::result));
  }
  bool failed() const { return Count("failure") > 0; }

  void AddTo(pugi::xml_node suites) const {
    const pugi::xml_node suite = Child(suites, "testsuite");
    SetAttribute(suite, "name", name);
    SetAttribute(suite, "tests", std::to_string(cases.size()));
    SetAttribute(suite, "failures", std::to_string(Count("failure")));
    SetAttribute(suite, "errors", "0");
    SetAttribute(suite, "skipped", std::to_string(Count("skipped")));
    for (const Case& one : cases) {
      const pugi::xml_node node = Child(suite, "testcase");
      SetAttribute(node, "name", one.name);
      SetAttribute(node, "classname", name);
      if (one.result.empty()) continue;
      SetAttribute(Child(node, std::string(one.result).c_str()), "message", one.message);
    }
  }
};

void AddGate(const GateResult& gate, Suite& suite) {
  std::string name = gate.gate;
  if (gate.group) name += " in group " + *gate.group;
  if (gate.field) name += " of field " + *gate.field;
  suite.cases.push_back({name, gate.passed ? "" : "failure", gate.passed ? "" : gate.sentence});
}

void AddRecords(const ScorerComparison& scorer, bool failed, Suite& suite) {
  for (const ChangedRecord& record : scorer.worst | std::views::take(kMaxRecordCases)) {
    std::string message = fmt::format("fell from {:.6g} to {:.6g} ({} to {})", record.base, record.now,
                                      OutcomeText(record.base_outcome), OutcomeText(record.now_outcome));
    if (!failed) message += "; the suite passes nevertheless";
    suite.cases.push_back({"record " + record.id, failed ? "failure" : "skipped", message});
  }
}

// Adds the tests that got worse. Like records, they fail only if their suite fails anyway.
void AddTests(const ScorerComparison& scorer, bool failed, Suite& suite) {
  if (!scorer.single_tests) return;
  for (const RepeatedTest& test : scorer.single_tests->got_worse | std::views::take(kMaxRecordCases)) {
    std::string message = fmt::format("passed {}, now {}; p {}", OutOf(test.base_passed, test.base_asked),
                                      OutOf(test.now_passed, test.now_asked), PValue(test.p_corrected));
    if (!failed) message += "; the suite passes nevertheless";
    suite.cases.push_back({"test " + test.id, failed ? "failure" : "skipped", message});
  }
}

Suite SuiteOf(const FileComparison& file, const ScorerComparison& scorer, std::span<const GateResult> gates) {
  Suite suite{.name = fmt::format("{} in {}", scorer.scorer, file.file)};
  for (const GateResult& gate : gates) {
    if (gate.file == file.file && gate.scorer == scorer.scorer) AddGate(gate, suite);
  }
  if (suite.cases.empty()) {
    const bool fails = gates.empty() && scorer.all.verdict == ComparisonVerdict::kRegressed;
    const std::string message =
        fmt::format("the mean went from {:.6g} to {:.6g}", scorer.all.mean.base, scorer.all.mean.now);
    suite.cases.push_back({fmt::format("verdict: {}", NameOf(scorer.all.verdict)), fails ? "failure" : "",
                           fails ? message : ""});
  }
  const bool failed = suite.failed();
  AddTests(scorer, failed, suite);
  AddRecords(scorer, failed, suite);
  return suite;
}

// Returns a suite of the gates that belong to no scorer in a file, so that no gate is missing in the report.
Suite OtherGates(const Comparison& comparison, std::span<const GateResult> gates) {
  Suite suite{.name = "gates"};
  for (const GateResult& gate : gates) {
    const auto has_scorer = [&](const FileComparison& file) {
      return file.file == gate.file &&
             std::ranges::find(file.scorers, gate.scorer, &ScorerComparison::scorer) != file.scorers.end();
    };
    if (std::ranges::none_of(comparison.files, has_scorer)) AddGate(gate, suite);
  }
  return suite;
}

struct TextWriter : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override {
    text.append(static_cast<const char*>(data), size);
  }
};

}  // namespace

std::string ComparisonJunit(const Comparison& comparison, std::span<const GateResult> gates) {
  std::vector<Suite> suites;
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) suites.push_back(SuiteOf(file, scorer, gates));
  }
  if (Suite others = OtherGates(comparison, gates); !others.cases.empty())
    suites.push_back(std::move(others));

  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  if (!declaration) throw std::bad_alloc();
  SetAttribute(declaration, "version", "1.0");
  SetAttribute(declaration, "encoding", "UTF-8");
  const pugi::xml_node root = Child(document, "testsuites");
  SetAttribute(root, "name", "leafscore compare");
  std::size_t tests = 0;
  std::size_t failures = 0;
  for (const Suite& suite : suites) {
    tests += suite.cases.size();
    failures += suite.Count("failure");
  }
  SetAttribute(root, "tests", std::to_string(tests));
  SetAttribute(root, "failures", std::to_string(failures));
  for (const Suite& suite : suites) suite.AddTo(root);
  TextWriter writer;
  document.save(writer, "  ", pugi::format_indent, pugi::encoding_utf8);
  return std::move(writer.text);
}

}  // namespace leafscore::internal
