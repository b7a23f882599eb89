#include "engine/match/pair_walker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/random.h"
#include "engine/json/json_reader.h"
#include "kernels/string_column.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

using corpus::Random;
using Events = std::vector<std::string>;

// What a node is, as the events show it: its kind in one letter, and its token.
constexpr char kKindLetters[] = "nft0se[{";

// Writes down the walk, and ends it at an event if asked to.
struct Recorder {
  const LeafTable& expected;
  const LeafTable& actual;
  std::size_t most_events = ~std::size_t{0};
  Events events;

  static std::string Show(const LeafTable& table, NodeId node) {
    return kKindLetters[static_cast<int>(table.kind(node))] + std::string(table.token(node));
  }
  bool Add(std::string event) {
    events.push_back(std::move(event));
    return events.size() < most_events;
  }
  bool Equal(NodeId e, NodeId a) { return Add("= " + Show(expected, e) + " | " + Show(actual, a)); }
  bool Differ(NodeId e, NodeId a) { return Add("! " + Show(expected, e) + " | " + Show(actual, a)); }
  bool Missing(NodeId e) { return Add("- " + Show(expected, e)); }
  bool Extra() { return Add("+"); }
};

// Also writes down the containers, and on its way walks into what stands behind two strings that differ.
struct ContainerRecorder : Recorder {
  PairWalker& walker;
  bool enters = true;

  bool Enter(NodeId e, NodeId a) {
    Add("> " + Show(expected, e) + " | " + Show(actual, a));
    return enters;
  }
  void Leave() { Add("<"); }
  bool Differ(NodeId e, NodeId a) {
    const bool strings = IsString(expected.kind(e)) && IsString(actual.kind(a));
    return Recorder::Differ(e, a) &&
           (!strings || walker.WalkInto({&expected, e + 1}, {&actual, a + 1}, *this));
  }
};

// Two values to walk, in one table or in two.
class Pair {
 public:
  Pair(const std::string& expected, const std::string& actual, bool one_table)
      : text_(expected + '\n' + actual + std::string(kStringPadding, '\0')) {
    const auto middle = static_cast<std::uint32_t>(expected.size());
    const auto size = static_cast<std::uint32_t>(text_.size() - kStringPadding);
    const std::string_view text = std::string_view(text_).substr(0, size);
    JsonReader reader(&shapes_);
    reader.Begin(text, one_table, &expected_table_);
    expected_ = {&expected_table_, reader.Read(0, middle).root};
    if (one_table) {
      actual_ = {&expected_table_, reader.Read(middle + 1, size).root};
    } else {
      reader.Begin(text, false, &actual_table_);
      actual_ = {&actual_table_, reader.Read(middle + 1, size).root};
    }
    EXPECT_TRUE(expected_.present() && actual_.present()) << text_;
  }

  // Returns the events of a walk, and whether it was not ended early.
  std::pair<Events, bool> Walk(bool descend_equal, std::size_t most_events = ~std::size_t{0}) {
    Recorder recorder{*expected_.table, *actual_.table, most_events, {}};
    const bool done = walker_.Walk(expected_, actual_, descend_equal, recorder);
    return {std::move(recorder.events), done};
  }

  // Returns the events with those of containers.
  Events WalkContainers(bool enters = true) {
    ContainerRecorder recorder{{*expected_.table, *actual_.table, ~std::size_t{0}, {}}, walker_, enters};
    EXPECT_TRUE(walker_.Walk(expected_, actual_, /*descend_equal=*/false, recorder));
    return std::move(recorder.events);
  }

 private:
  std::string text_;
  ShapeTable shapes_;
  LeafTable expected_table_;
  LeafTable actual_table_;
  ValueRef expected_;
  ValueRef actual_;
  PairWalker walker_{&shapes_};
};

Events Walk(const std::string& expected, const std::string& actual, bool descend_equal = false) {
  return Pair(expected, actual, true).Walk(descend_equal).first;
}

TEST(PairWalker, EqualBytesAreOneEvent) {
  EXPECT_EQ(Walk(R"({"a":[1,"x"]})", R"({"a":[1,"x"]})"), (Events{R"(= {{"a":[1,"x"]} | {{"a":[1,"x"]})"}));
  EXPECT_EQ(Walk(R"({"a":[1,"x"]})", R"({"a":[1,"x"]})", true), (Events{"= 01 | 01", "= sx | sx"}));
  EXPECT_EQ(Walk("[]", "[]", true), Events{});
  EXPECT_EQ(Walk("null", "null"), Events{"= nnull | nnull"});
}

TEST(PairWalker, LooksAlikeButIsOfAnotherKind) {
  EXPECT_EQ(Walk("12", R"("12")"), Events{"! 012 | s12"});
  EXPECT_EQ(Walk(R"(["12",true,null,"[]"])", R"([12,"true","null",[]])"),
            (Events{"! s12 | 012", "! ttrue | strue", "! nnull | snull", "! s[] | [[]"}));
  EXPECT_EQ(Walk(R"({"a":"1"})", R"({"a":1  })"), Events{"! s1 | 01"});
  EXPECT_EQ(Walk("{}", "[]"), Events{"! {{} | [[]"});
  EXPECT_EQ(Walk("1", "1.0"), Events{"! 01 | 01.0"});
  EXPECT_EQ(Walk(R"("a")", R"("\u0061")"), Events{R"(! sa | e\u0061)"});
  EXPECT_EQ(Walk(R"(["",1])", R"(["",2])"), (Events{"= s | s", "! 01 | 02"}));
  EXPECT_EQ(Walk(R"(["x",""])", R"(["x","y"])"), (Events{"= sx | sx", "! s | sy"}));
}

TEST(PairWalker, KeysGoByNameAndElementsByPosition) {
  EXPECT_EQ(Walk(R"({"a":1,"b":2,"c":3})", R"({"c":3,"x":0,"a":1})"),
            (Events{"= 01 | 01", "- 02", "= 03 | 03", "+"}));
  EXPECT_EQ(Walk(R"({"a":1,"b":2})", R"({"b":2,"a":1})"), (Events{"= 01 | 01", "= 02 | 02"}));
  EXPECT_EQ(Walk(R"({"\u0061":1,"b":[]})", R"({"b":[],"a":1})"), (Events{"= 01 | 01", "= [[] | [[]"}));
  EXPECT_EQ(Walk("[1,2,3]", "[1,3]"), (Events{"= 01 | 01", "! 02 | 03", "- 03"}));
  EXPECT_EQ(Walk("[1]", "[1,[2]]"), (Events{"= 01 | 01", "+"}));
  EXPECT_EQ(Walk("{}", R"({"a":1})"), Events{"+"});
  EXPECT_EQ(Walk("[[1],[2]]", "[[1,0],[2,0]]"), (Events{"= 01 | 01", "+", "= 02 | 02", "+"}));
  EXPECT_EQ(Walk(R"({"a":{"b":1,"c":2},"d":4})", R"({"d":4,"a":{"c":2,"b":0}})"),
            (Events{"! 01 | 00", "= 02 | 02", "= 04 | 04"}));
}

TEST(PairWalker, TellsOfContainers) {
  EXPECT_EQ(Pair(R"([[1],{"a":2}])", R"([[0],{"b":1,"a":2}])", true).WalkContainers(),
            (Events{R"(> [[[1],{"a":2}] | [[[0],{"b":1,"a":2}])", "> [[1] | [[0]", "! 01 | 00", "<",
                    R"(> {{"a":2} | {{"b":1,"a":2})", "= 02 | 02", "<", "+", "<"}));
  EXPECT_EQ(Pair("[[1],2]", "[[0],2]", true).WalkContainers(/*enters=*/false),
            Events{"> [[[1],2] | [[[0],2]"});
}

TEST(PairWalker, WalksIntoOtherValuesOnItsWay) {
  // Both are entered though they are byte-equal, and the walk around goes on as if nothing had been.
  EXPECT_EQ(Pair(R"(["x",[5],1])", R"(["y",[5],2])", false).WalkContainers(),
            (Events{R"(> [["x",[5],1] | [["y",[5],2])", "! sx | sy", "> [[5] | [[5]", "= 05 | 05", "<",
                    "= [[5] | [[5]", "! 01 | 02", "<"}));
  EXPECT_EQ(Pair(R"(["x",{"a":["p",[1,2]]}])", R"(["y",{"b":0,"a":["q",[1]]}])", true).WalkContainers(),
            (Events{R"(> [["x",{"a":["p",[1,2]]}] | [["y",{"b":0,"a":["q",[1]]}])",
                    "! sx | sy",
                    R"(> {{"a":["p",[1,2]]} | {{"b":0,"a":["q",[1]]})",
                    R"(> [["p",[1,2]] | [["q",[1]])",
                    "! sp | sq",
                    "> [[1,2] | [[1]",
                    "= 01 | 01",
                    "- 02",
                    "<",
                    "> [[1,2] | [[1]",
                    "= 01 | 01",
                    "- 02",
                    "<",
                    "<",
                    "<",
                    "+",
                    R"(> {{"a":["p",[1,2]]} | {{"b":0,"a":["q",[1]]})",
                    R"(> [["p",[1,2]] | [["q",[1]])",
                    "! sp | sq",
                    "> [[1,2] | [[1]",
                    "= 01 | 01",
                    "- 02",
                    "<",
                    "> [[1,2] | [[1]",
                    "= 01 | 01",
                    "- 02",
                    "<",
                    "<",
                    "<",
                    "+",
                    "<"}));
}

// A value with the text of every part, from which the oracle works out the events.
struct Value {
  char kind = 'n';
  std::string token;
  std::vector<std::string> keys;  // of members, as they are written
  std::vector<Value> children;
  std::string space;  // behind brackets and commas
};

bool IsContainerKind(char kind) { return kind == '[' || kind == '{'; }

std::string Text(const Value& value) {
  return value.kind == 's' || value.kind == 'e' ? '"' + value.token + '"' : value.token;
}

// Sets the token of a container from its children.
void Render(Value& value) {
  value.token = value.kind + value.space;
  for (std::size_t i = 0; i < value.children.size(); ++i) {
    if (i != 0) value.token += ',' + value.space;
    if (value.kind == '{') value.token += '"' + value.keys[i] + "\":";
    value.token += Text(value.children[i]);
  }
  value.token += value.kind == '{' ? '}' : ']';
}

Value MakeLeaf(Random& random) {
  constexpr std::pair<char, const char*> kLeaves[] = {
      {'n', "null"},   {'f', "false"}, {'t', "true"},       {'0', "0"},    {'0', "12"},
      {'0', "-1.5e3"}, {'s', ""},      {'s', "12"},         {'s', "true"}, {'s', "null"},
      {'s', "[]"},     {'s', "x"},     {'e', "\\u0061\\n"}, {'0', "1"},    {'s', "xy"},
      {'s', "é"},      {'e', "\\\""},  {'s', "a"},          {'e', "\\n"},
  };
  const auto& [kind, token] = random.Pick(kLeaves);
  return {kind, token, {}, {}, ""};
}

constexpr const char* kKeys[] = {"a",  "b", "c",     "key",   "clé", "", "a b",
                                 "12", "[", "total", "items", "x",   "y"};

Value MakeValue(Random& random, int levels) {
  if (levels == 0 || random.OneIn(3)) return MakeLeaf(random);
  Value value{random.OneIn(2) ? '[' : '{', "", {}, {}, random.OneIn(4) ? " " : ""};
  for (std::uint64_t n = random.Below(6); n != 0; --n) {
    const std::string key = random.Pick(kKeys);
    if (value.kind == '{') {
      if (std::ranges::find(value.keys, key) != value.keys.end()) continue;
      value.keys.push_back(key);
    }
    value.children.push_back(MakeValue(random, levels - 1));
  }
  Render(value);
  return value;
}

// Changes a value here and there: members swapped, dropped and added, leaves and white space replaced.
void Damage(Random& random, Value& value) {
  if (random.OneIn(12)) value = MakeValue(random, 2);
  if (!IsContainerKind(value.kind)) return;
  std::vector<Value>& children = value.children;
  if (random.OneIn(8)) value.space = "\t";
  if (!children.empty() && random.OneIn(6)) {
    const std::size_t at = random.Below(children.size());
    children.erase(children.begin() + static_cast<std::ptrdiff_t>(at));
    if (value.kind == '{') value.keys.erase(value.keys.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (!children.empty() && random.OneIn(3)) {
    const std::size_t i = random.Below(children.size());
    const std::size_t j = random.Below(children.size());
    std::swap(children[i], children[j]);
    if (value.kind == '{') std::swap(value.keys[i], value.keys[j]);
  }
  if (random.OneIn(6)) {
    children.push_back(MakeValue(random, 1));
    if (value.kind == '{') value.keys.push_back("new");
  }
  for (Value& child : children) Damage(random, child);
  Render(value);
}

void CompareSlowly(const Value& e, const Value& a, bool descend_equal, Events& events) {
  const bool containers = IsContainerKind(e.kind);
  if (e.kind == a.kind && e.token == a.token && !(containers && descend_equal)) {
    events.push_back("= " + (e.kind + e.token) + " | " + (a.kind + a.token));
  } else if (e.kind != a.kind || !containers) {
    events.push_back("! " + (e.kind + e.token) + " | " + (a.kind + a.token));
  } else {
    std::size_t found = 0;
    for (std::size_t i = 0; i < e.children.size(); ++i) {
      std::size_t at = i;
      if (e.kind == '{') at = static_cast<std::size_t>(std::ranges::find(a.keys, e.keys[i]) - a.keys.begin());
      if (at < a.children.size()) {
        ++found;
        CompareSlowly(e.children[i], a.children[at], descend_equal, events);
      } else {
        events.push_back("- " + (e.children[i].kind + e.children[i].token));
      }
    }
    if (found != a.children.size()) events.push_back("+");
  }
}

TEST(PairWalker, RandomPairsAreWalkedAsByTheSlowComparison) {
  Random random(7, 0);
  std::size_t counts[4] = {};
  for (int i = 0; i < Rounds(20000); ++i) {
    const Value expected = MakeValue(random, 5);
    Value actual = expected;
    Damage(random, actual);
    for (const bool one_table : {true, false}) {
      Pair pair(Text(expected), Text(actual), one_table);
      for (const bool descend_equal : {false, true}) {
        Events wanted;
        CompareSlowly(expected, actual, descend_equal, wanted);
        const auto [events, done] = pair.Walk(descend_equal);
        ASSERT_EQ(events, wanted) << Text(expected) << "\n" << Text(actual);
        ASSERT_TRUE(done);
        for (const std::string& event : events) ++counts[std::string_view("=!-+").find(event[0])];
      }
    }
  }
  for (const std::size_t count : counts) EXPECT_GT(count, 100u);
}

TEST(PairWalker, TheVisitorEndsTheWalk) {
  Pair pair(R"({"a":1,"b":[1,2],"c":{"d":0}})", R"({"a":1,"b":[0],"x":[]})", true);
  const Events all = pair.Walk(false).first;
  ASSERT_EQ(all, (Events{"= 01 | 01", "! 01 | 00", "- 02", R"(- {{"d":0})", "+"}));
  for (std::size_t most = 1; most <= all.size(); ++most) {
    const auto [events, done] = pair.Walk(false, most);
    EXPECT_FALSE(done);
    EXPECT_EQ(events, Events(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most)));
  }
}

TEST(PairWalker, DeepPairsAreWalkedToTheirEnd) {
  std::string expected = "1";
  std::string actual = "2";
  for (int level = 0; level < 512; ++level) {
    expected = R"([{"a":)" + expected + "}]";
    actual = R"([{"b":0,"a":)" + actual + "}]";
  }
  Events wanted = {"! 01 | 02"};
  wanted.resize(513, "+");
  EXPECT_EQ(Walk(expected, actual), wanted);
}

}  // namespace
}  // namespace leafscore::internal
