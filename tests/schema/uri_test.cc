// URIs: the examples of RFC 3986, 5.4, and pointers.
#include "engine/schema/uri.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {
namespace {

TEST(Uri, ResolvesTheExamplesOfTheStandard) {
  constexpr std::string_view kBase = "http://a/b/c/d;p?q";
  constexpr std::pair<std::string_view, std::string_view> kExamples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q"},
      {"g#s", "http://a/b/c/g"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/../y", "http://a/b/c/y"},
  };
  for (const auto& [reference, want] : kExamples) EXPECT_EQ(ResolveUri(kBase, reference), want) << reference;
  EXPECT_EQ(ResolveUri("", "item.json#/a"), "item.json");
  EXPECT_EQ(ResolveUri("urn:example:root", "#foo"), "urn:example:root");
}

TEST(Uri, Pointers) {
  EXPECT_EQ(StepsOfPointer(""), std::vector<std::string>());
  EXPECT_EQ(StepsOfPointer("/a~1b/m~0n//0"), (std::vector<std::string>{"a/b", "m~n", "", "0"}));
  EXPECT_EQ(StepsOfPointer("a"), std::nullopt);
  std::string pointer = "#";
  AppendPointerStep(pointer, "a/b");
  AppendPointerStep(pointer, "m~n");
  EXPECT_EQ(pointer, "#/a~1b/m~0n");
  EXPECT_EQ(PercentDecoded("a%25b%2"), "a%b%2");
}

}  // namespace
}  // namespace leafscore::internal
