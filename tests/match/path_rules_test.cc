#include "engine/match/path_rules.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/config/config_testing.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kPathRuleSpecs[] = {kIgnorePathsOption, kWeightsOption};

// Reads the options of a scorer from YAML.
PathRules Rules(std::string_view yaml) {
  const ConfigValue map = ParseConfig(yaml, "c.yaml");
  return PathRules(OptionReader(map, kPathRuleSpecs, "scorer", "c.yaml"));
}

std::string ErrorOfPattern(std::string_view pattern) {
  return ErrorOf([&] { Rules("ignore_paths: ['" + std::string(pattern) + "']"); });
}

// Follows paths, each from the root: keys are texts, positions are numbers.
class Paths {
 public:
  using Path = std::initializer_list<std::variant<std::string_view, std::uint32_t>>;

  explicit Paths(std::string_view yaml) : Paths(Rules(yaml)) {}
  explicit Paths(PathRules rules) : rules_(std::move(rules)) {}

  PathMatcher::Effect At(Path path) {
    PathMatcher::State state = PathMatcher::kStart;
    for (const auto& step : path) {
      const auto* const key = std::get_if<std::string_view>(&step);
      state = matcher_.Next(
          state, key ? rules_.KeySymbol(*key) : rules_.PositionSymbol(std::get<std::uint32_t>(step)));
    }
    return matcher_.effect(state);
  }
  // Returns the weight that a place has itself, 0 if it has no weight of its own.
  double WeightAt(Path path) {
    const PathMatcher::Effect effect = At(path);
    return effect.has_weight ? effect.weight : 0;
  }
  std::vector<bool> LedSomewhere() const { return matcher_.led_somewhere(); }
  PathMatcher& matcher() { return matcher_; }

 private:
  PathRules rules_;
  ShapeTable shapes_;
  PathMatcher matcher_{&rules_, &shapes_};
};

TEST(PathRulesTest, MatchStepsOfTheirOwnKind) {
  Paths paths("weights: {'a.*': 2, 'b[*]': 3, 'c[1]': 4, '[\"1\"]': 5}");
  EXPECT_EQ(paths.WeightAt({"a", "x"}), 2);
  EXPECT_EQ(paths.WeightAt({"a", "b"}), 2);  // a key that another pattern names
  EXPECT_EQ(paths.WeightAt({"a", 0u}), 0);
  EXPECT_EQ(paths.WeightAt({"a", 1u}), 0);
  EXPECT_EQ(paths.WeightAt({"a"}), 0);
  EXPECT_EQ(paths.WeightAt({"x", "x"}), 0);
  EXPECT_EQ(paths.WeightAt({"b", 0u}), 3);
  EXPECT_EQ(paths.WeightAt({"b", 1u}), 3);  // a position that another pattern names
  EXPECT_EQ(paths.WeightAt({"b", "x"}), 0);
  EXPECT_EQ(paths.WeightAt({"b", "a"}), 0);
  EXPECT_EQ(paths.WeightAt({"c", 1u}), 4);
  EXPECT_EQ(paths.WeightAt({"c", 2u}), 0);
  EXPECT_EQ(paths.WeightAt({"c", "1"}), 0);
  EXPECT_EQ(paths.WeightAt({"1"}), 5);
  EXPECT_EQ(paths.WeightAt({1u}), 0);
}

TEST(PathRulesTest, MatchAnyDepthWithZeroStepsAndWithMany) {
  Paths paths("weights: {'**.c': 2, 'a.**.d': 3}");
  EXPECT_EQ(paths.WeightAt({"c"}), 2);
  EXPECT_EQ(paths.WeightAt({"x", "c"}), 2);
  EXPECT_EQ(paths.WeightAt({"x", 0u, "c", "c"}), 2);
  EXPECT_EQ(paths.WeightAt({"c", "x"}), 0);
  EXPECT_EQ(paths.WeightAt({"a", "d"}), 3);
  EXPECT_EQ(paths.WeightAt({"a", 7u, "y", "d"}), 3);
  EXPECT_EQ(paths.WeightAt({"d"}), 0);
  EXPECT_EQ(paths.WeightAt({"x", "d"}), 0);
}

TEST(PathRulesTest, LetTheLastPatternWinAtOnePlace) {
  EXPECT_EQ(Paths("weights: {'a': 2, '*': 3}").WeightAt({"a"}), 3);
  EXPECT_EQ(Paths("weights: {'*': 3, 'a': 2}").WeightAt({"a"}), 2);
}

TEST(PathRulesTest, TellIgnoredPlacesAndWhereNothingFollows) {
  Paths paths("ignore_paths: ['a.b', 'c[*]']");
  EXPECT_FALSE(paths.At({"a"}).ignored);
  EXPECT_FALSE(paths.At({"a"}).final);
  EXPECT_TRUE(paths.At({"a", "b"}).ignored);
  EXPECT_TRUE(paths.At({"a", "b"}).final);
  EXPECT_FALSE(paths.At({"a", "x"}).ignored);
  EXPECT_TRUE(paths.At({"a", "x"}).final);
  EXPECT_TRUE(paths.At({"c", 3u}).ignored);
  EXPECT_FALSE(paths.At({"c", 3u}).has_weight);
}

TEST(PathRulesTest, MarkPlacesInTheOrderOfTheirPatterns) {
  const ConfigValue map = ParseConfig("{}", "c.yaml");
  const OptionReader options(map, kPathRuleSpecs, "scorer", "c.yaml");
  PathRules rules;
  EXPECT_TRUE(rules.empty());
  rules.AddMark(options, "fields", "a.*", 7);
  rules.AddMark(options, "fields", "a.b", 4);
  EXPECT_FALSE(rules.empty());
  Paths paths(rules);
  EXPECT_EQ(paths.At({"a", "b"}).marks, (std::vector<std::uint32_t>{7, 4}));
  EXPECT_EQ(paths.At({"a", "c"}).marks, std::vector<std::uint32_t>{7});
  EXPECT_EQ(paths.At({"a"}).marks, std::vector<std::uint32_t>());
  EXPECT_EQ(paths.At({"a", "b", "c"}).marks, std::vector<std::uint32_t>());
}

// Whichever of the patterns and of its steps names the position.
TEST(PathRulesTest, FindThePatternThatNamesAPosition) {
  EXPECT_EQ(Rules("ignore_paths: [a.b, 'c[*].d', '**', '*', '[\"0\"]']").WithPosition(), nullptr);
  EXPECT_EQ(PathRules().WithPosition(), nullptr);
  for (const std::string pattern : {"[0]", "[0].a.b", "a[0]", "a.b[0].c"}) {
    for (const std::string& others : {"'" + pattern + "', x.y, '[*]'", "x.y, '" + pattern + "', '[*]'",
                                      "x.y, '[*]', '" + pattern + "'"}) {
      const PathRules rules = Rules("ignore_paths: [" + others + "]");
      ASSERT_NE(rules.WithPosition(), nullptr) << others;
      EXPECT_EQ(rules.WithPosition()->text, pattern) << others;
      EXPECT_EQ(rules.WithPosition()->option, "ignore_paths");
    }
  }
}

TEST(PathRulesTest, RememberWhichPatternsLedSomewhere) {
  Paths paths("ignore_paths: [a.b, c]\nweights: {'d.e': 2, 'c.f.g': 3, 'h': 4}");
  EXPECT_EQ(paths.LedSomewhere(), (std::vector<bool>{false, false, false, false, false}));
  paths.At({"a", "x"});
  paths.At({"d"});
  EXPECT_EQ(paths.LedSomewhere(), (std::vector<bool>{false, false, false, false, false}));
  paths.At({"a", "b"});
  EXPECT_EQ(paths.LedSomewhere(), (std::vector<bool>{true, false, false, false, false}));
  paths.At({"d", "e"});
  EXPECT_EQ(paths.LedSomewhere(), (std::vector<bool>{true, false, true, false, false}));
  paths.At({"c"});  // all of it is ignored, so nobody follows the path to c.f.g
  EXPECT_EQ(paths.LedSomewhere(), (std::vector<bool>{true, true, true, true, false}));
  paths.matcher().Begin();
  paths.At({"h"});
  EXPECT_EQ(paths.LedSomewhere(), (std::vector<bool>{true, true, true, true, true}));
}

// A matcher drops its states if there are many of them.
TEST(PathRulesTest, AnswerAlikeInEveryBatch) {
  std::string yaml = "weights: {";
  for (int i = 0; i < 1500; ++i) yaml += "k" + std::to_string(i) + ".x: " + std::to_string(i + 1) + ", ";
  Paths paths(yaml + "}");
  for (int batch = 0; batch < 3; ++batch) {
    for (int i = 0; i < 1500; ++i) {
      ASSERT_EQ(paths.WeightAt({"k" + std::to_string(i), "x"}), i + 1) << "batch " << batch;
    }
    paths.matcher().Begin();
  }
}

TEST(PathRulesTest, KnowTheKeysOfAShape) {
  const PathRules rules = Rules("ignore_paths: [a.b]");
  ShapeTable shapes;
  const ShapeId shape = shapes.Finish(shapes.Extend(shapes.Extend(ShapeTable::kStart, "b"), "other"));
  PathMatcher matcher(&rules, &shapes);
  const PathRules::Symbol* const symbols = matcher.MemberSymbols(shape);
  EXPECT_EQ(symbols[0], rules.KeySymbol("b"));
  EXPECT_EQ(symbols[1], PathRules::kOtherKey);
  EXPECT_NE(rules.KeySymbol("a"), rules.KeySymbol("b"));
  EXPECT_NE(rules.KeySymbol("b"), PathRules::kOtherKey);
  EXPECT_EQ(matcher.MemberSymbols(shape), symbols);
}

TEST(PathRulesTest, ExplainWhatIsNoPattern) {
  for (const std::string_view pattern : {"", ".", "a..b", "a[", "a[x]", "a[-1]", "a.b."}) {
    const std::string error = ErrorOfPattern(pattern);
    EXPECT_NE(error.find("\"" + std::string(pattern) + "\" is not a path pattern"), std::string::npos)
        << pattern << ": " << error;
  }
  const std::string pointer = ErrorOfPattern("/a/0");
  EXPECT_NE(pointer.find("is a JSON Pointer; write it as a[0]"), std::string::npos) << pointer;
  EXPECT_EQ(ErrorOfPattern("a.b[0].*[*].**"), "no error");
}

TEST(PathRulesTest, TakeWeightsFromZeroToTheLargest) {
  EXPECT_EQ(ErrorOf([] { Rules("weights: {a: 0, b: 1e12}"); }), "no error");
  EXPECT_NE(ErrorOf([] { Rules("weights: {a: -0.5}"); }), "no error");
  EXPECT_NE(ErrorOf([] { Rules("weights: {a: 1.1e12}"); }), "no error");
}

}  // namespace
}  // namespace leafscore::internal
