#include "corpus/pair_generator.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sanitized.h"

namespace leafscore::internal::corpus {
namespace {

constexpr Profile kAllProfiles[] = {Profile::kInvoices, Profile::kTickets, Profile::kMultilingual,
                                    Profile::kLongText, Profile::kMixed};

constexpr std::string_view kModels[] = {"model-a", "model-b", "model-c"};

std::string Record(const GeneratorOptions& options, std::uint64_t index) {
  std::string line;
  PairGenerator(options).AppendRecord(index, line);
  return line;
}

std::string Corpus(const GeneratorOptions& options, std::uint64_t count) {
  const PairGenerator generator(options);
  std::string corpus;
  for (std::uint64_t i = 0; i < count; ++i) generator.AppendRecord(i, corpus);
  return corpus;
}

// Parses strictly, with all of UTF-8 checked.
rapidjson::Document Parse(std::string_view json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(json.data(), json.size());
  return document;
}

std::uint64_t Fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string_view Text(const rapidjson::Value& value) { return {value.GetString(), value.GetStringLength()}; }

TEST(ParseProfile, KnowsItsNames) {
  for (const Profile profile : kAllProfiles) {
    EXPECT_EQ(ParseProfile(kProfileNames[static_cast<std::size_t>(profile)]), profile);
  }
  EXPECT_EQ(ParseProfile("long-text"), Profile::kLongText);
  EXPECT_EQ(ParseProfile("invoice"), std::nullopt);
  EXPECT_EQ(ParseProfile(""), std::nullopt);
}

TEST(PairGenerator, EveryRecordIsStrictJsonOnOneLine) {
  for (const Profile profile : kAllProfiles) {
    for (const double error_rate : {0.0, 0.15, 1.0}) {
      const PairGenerator generator({profile, 3, error_rate});
      std::set<std::string> ids;
      for (int i = 0; i < Rounds(2000); ++i) {
        std::string line;
        generator.AppendRecord(i, line);
        ASSERT_EQ(line.find('\n'), line.size() - 1) << line;
        const rapidjson::Document record = Parse(line);
        ASSERT_FALSE(record.HasParseError()) << line;
        ASSERT_TRUE(record.IsObject());
        ASSERT_EQ(record.MemberCount(), 4u);
        ASSERT_TRUE(record["id"].IsString());
        ASSERT_EQ(Text(record["model"]), kModels[i % 3]);
        ASSERT_TRUE(record["expected"].IsObject());
        ASSERT_TRUE(record["actual"].IsObject() || record["actual"].IsString());
        ids.insert(record["id"].GetString());
      }
      EXPECT_EQ(ids.size(), static_cast<std::size_t>(Rounds(2000)));
    }
  }
}

// The bytes are part of what leafscore promises: change these only together with CHANGELOG.md.
TEST(PairGenerator, BytesArePinned) {
  constexpr std::uint64_t kSeedOne[] = {0xaba67fec058aaec9, 0x5521bd5f4848a028, 0x4408640c050b9938,
                                        0x755d5426b978e48a, 0x3638af9a566c51b8};
  constexpr std::uint64_t kSeedTwo[] = {0x5814a16f91ecd5dc, 0x0677760dc688a750, 0x453cb02583d02690,
                                        0x5c3beff335af5da5, 0x991be338591e79e5};
  for (const Profile profile : kAllProfiles) {
    const auto i = static_cast<std::size_t>(profile);
    EXPECT_EQ(Fnv1a(Corpus({profile, 1, 0.15}, 1000)), kSeedOne[i]) << kProfileNames[i];
    EXPECT_EQ(Fnv1a(Corpus({profile, 2, 0.7}, 1000)), kSeedTwo[i]) << kProfileNames[i];
  }
  EXPECT_TRUE(Record({}, 0).starts_with(
      R"({"id": "inv-000001", "model": "model-a", "expected": {"invoice_number": ")"));
}

TEST(PairGenerator, ARecordDependsOnlyOnOptionsAndIndex) {
  for (const Profile profile : kAllProfiles) {
    const GeneratorOptions options{profile, 5, 0.15};
    std::string backwards;
    for (std::uint64_t i = 50; i-- > 0;) backwards.insert(0, Record(options, i));
    EXPECT_EQ(backwards, Corpus(options, 50));
  }
  EXPECT_TRUE(Record({}, 9'999'999'999).starts_with(R"({"id": "inv-10000000000")"));
}

TEST(PairGenerator, MixedInterleavesTheProfiles) {
  for (std::uint64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(Record({Profile::kMixed, 1, 0.15}, i), Record({kAllProfiles[i % 4], 1, 0.15}, i));
  }
}

TEST(PairGenerator, SeedsAndIndicesDiffer) {
  for (const Profile profile : kAllProfiles) {
    std::set<std::string> expected;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      for (std::uint64_t i = 0; i < 20; ++i) {
        const std::string line = Record({profile, seed, 0.15}, i);
        expected.insert(line.substr(line.find("expected")));
      }
    }
    EXPECT_EQ(expected.size(), 400u);
  }
}

TEST(PairGenerator, ErrorRateLeavesExpectedAlone) {
  for (const Profile profile : kAllProfiles) {
    for (std::uint64_t i = 0; i < 300; ++i) {
      const rapidjson::Document damaged = Parse(Record({profile, 1, 1.0}, i));
      const rapidjson::Document intact = Parse(Record({profile, 1, 0.0}, i));
      ASSERT_EQ(damaged["expected"], intact["expected"]);
      ASSERT_EQ(intact["expected"], intact["actual"]);
    }
  }
}

TEST(PairGenerator, RecordSizes) {
  const auto mean_bytes = [](Profile profile) { return Corpus({profile, 1, 0.15}, 2000).size() / 2000; };
  EXPECT_NEAR(mean_bytes(Profile::kInvoices), 2100, 100);
  EXPECT_NEAR(mean_bytes(Profile::kTickets), 2600, 100);
  EXPECT_NEAR(mean_bytes(Profile::kMultilingual), 2000, 100);
  EXPECT_NEAR(mean_bytes(Profile::kLongText), 9900, 300);
}

TEST(PairGenerator, MultilingualUsesEveryKindOfEscapeAlsoInKeys) {
  const std::string corpus = Corpus({Profile::kMultilingual, 1, 0.15}, 300);
  for (const char* escape : {R"(\")", R"(\\)", R"(\/)", R"(\n)", R"(\r)", R"(\t)", R"(\u0438)",
                             R"(\ud83d\ude00)", R"("edited \"later\"":)", R"("file\/path":)",
                             R"("gr\u00f6\u00dfe":)", R"("名前":)", R"("\ud83d\ude80":)"}) {
    EXPECT_NE(corpus.find(escape), std::string::npos) << escape;
  }
}

// Walks two sides by path, counts equal leaves and names what happened to the others.
class Comparison {
 public:
  void Add(const rapidjson::Value& expected, const rapidjson::Value* actual) {
    if (actual != nullptr && expected.GetType() != actual->GetType()) NameTypeChange(expected, *actual);
    if (expected.IsObject()) {
      const bool same_kind = actual != nullptr && actual->IsObject();
      if (same_kind) AddKeys(expected, *actual);
      for (const auto& member : expected.GetObject()) {
        const auto found = same_kind ? actual->FindMember(member.name) : expected.MemberEnd();
        const bool is_there = same_kind && found != actual->MemberEnd();
        if (same_kind && !is_there) ++kinds_["missing key"];
        Add(member.value, is_there ? &found->value : nullptr);
      }
    } else if (expected.IsArray()) {
      const bool same_kind = actual != nullptr && actual->IsArray();
      if (same_kind) AddElements(expected, *actual);
      for (rapidjson::SizeType i = 0; i < expected.Size(); ++i) {
        Add(expected[i], same_kind && i < actual->Size() ? &(*actual)[i] : nullptr);
      }
    } else {
      ++leaves_;
      if (actual == nullptr) return;
      if (expected == *actual) {
        ++equal_leaves_;
      } else if (expected.IsNumber() && actual->IsNumber()) {
        AddNumbers(expected.GetDouble(), actual->GetDouble());
      } else if (expected.IsString() && actual->IsString()) {
        AddStrings(Text(expected), Text(*actual));
      }
    }
  }

  double equal_share() const { return static_cast<double>(equal_leaves_) / static_cast<double>(leaves_); }
  int kind(const std::string& name) const { return kinds_.contains(name) ? kinds_.at(name) : 0; }

 private:
  void NameTypeChange(const rapidjson::Value& expected, const rapidjson::Value& actual) {
    if (actual.IsNull())
      ++kinds_[expected.IsObject() || expected.IsArray() ? "container to null" : "to null"];
    if (expected.IsNumber() && actual.IsString()) ++kinds_["number to string"];
    if (expected.IsBool() && actual.IsString()) ++kinds_["bool to string"];
    if (expected.IsBool() && actual.IsBool()) ++kinds_["bool flipped"];
    if (expected.IsNull() && actual.IsString()) ++kinds_["null to string"];
    if (!expected.IsObject() && actual.IsObject() && actual.HasMember("value")) ++kinds_["wrapped in object"];
    if (!expected.IsArray() && actual.IsArray() && actual.Size() == 1) ++kinds_["wrapped in array"];
  }

  void AddKeys(const rapidjson::Value& expected, const rapidjson::Value& actual) {
    rapidjson::SizeType common = 0;
    std::string order, expected_order;
    for (const auto& member : actual.GetObject()) {
      if (expected.HasMember(member.name)) {
        ++common;
        order.append(member.name.GetString()).append("|");
      }
    }
    for (const auto& member : expected.GetObject()) {
      if (actual.HasMember(member.name)) expected_order.append(member.name.GetString()).append("|");
    }
    if (common < actual.MemberCount()) ++kinds_["extra key"];
    if (order != expected_order) ++kinds_["keys reordered"];
  }

  void AddElements(const rapidjson::Value& expected, const rapidjson::Value& actual) {
    if (actual.Size() < expected.Size()) ++kinds_["element dropped"];
    if (actual.Size() > expected.Size()) ++kinds_["element added"];
    if (actual.Size() == expected.Size() && actual.Size() > 1 && expected[0] != actual[0]) {
      for (rapidjson::SizeType i = 1; i < expected.Size(); ++i) {
        if (expected[0] == actual[i] && expected[i] == actual[0]) ++kinds_["elements swapped"];
      }
    }
  }

  void AddNumbers(double expected, double actual) {
    if (expected == -actual) ++kinds_["sign"];
    if (std::abs(actual / expected - 10) < 1e-9 || std::abs(actual / expected - 0.1) < 1e-9)
      ++kinds_["point"];
    if (std::abs(actual / expected - 1) < 0.1) ++kinds_["some percent"];
  }

  void AddStrings(std::string_view expected, std::string_view actual) {
    const auto without_spaces = [](std::string_view text) {
      std::string kept;
      for (const char c : text) {
        if (c != ' ' && c != '\n') kept += c;
      }
      return kept;
    };
    const auto lower = [](std::string_view text) {
      std::string result(text);
      for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      return result;
    };
    const bool is_date = expected.starts_with("202") && expected.size() >= 10 && expected[4] == '-';
    if (is_date && actual.find(expected.substr(0, 4)) > 0) {
      ++kinds_["date format"];
    } else if (without_spaces(expected) == without_spaces(actual)) {
      ++kinds_["spaces"];
    } else if (lower(expected) == lower(actual)) {
      ++kinds_["case"];
    } else {
      ++kinds_["typo"];
    }
  }

  long leaves_ = 0;
  long equal_leaves_ = 0;
  std::map<std::string, int> kinds_;
};

Comparison Compare(const GeneratorOptions& options, std::uint64_t first, std::uint64_t step,
                   std::uint64_t count) {
  Comparison comparison;
  for (std::uint64_t i = 0; i < count; ++i) {
    const rapidjson::Document record = Parse(Record(options, first + i * step));
    comparison.Add(record["expected"], &record["actual"]);
  }
  return comparison;
}

TEST(PairGenerator, MostLeavesStayEqualAndModelsDiffer) {
  for (const Profile profile : kAllProfiles) {
    const GeneratorOptions options{profile, 1, 0.15};
    const double share = Compare(options, 0, 1, 3000).equal_share();
    EXPECT_GT(share, 0.68) << kProfileNames[static_cast<std::size_t>(profile)];
    EXPECT_LT(share, 0.79) << kProfileNames[static_cast<std::size_t>(profile)];
    const double model_a = Compare(options, 0, 3, 1000).equal_share();
    const double model_b = Compare(options, 1, 3, 1000).equal_share();
    const double model_c = Compare(options, 2, 3, 1000).equal_share();
    EXPECT_GT(model_a, model_b + 0.05);
    EXPECT_GT(model_b, model_c + 0.05);
  }
  EXPECT_LT(Compare({Profile::kInvoices, 1, 1.0}, 2, 3, 500).equal_share(), 0.1);
}

TEST(PairGenerator, EveryKindOfDamageOccurs) {
  const Comparison comparison = Compare({Profile::kMixed, 1, 0.15}, 0, 1, 3000);
  for (const char* kind : {"typo",
                           "case",
                           "spaces",
                           "date format",
                           "sign",
                           "point",
                           "some percent",
                           "missing key",
                           "extra key",
                           "keys reordered",
                           "to null",
                           "container to null",
                           "number to string",
                           "bool to string",
                           "bool flipped",
                           "null to string",
                           "wrapped in object",
                           "wrapped in array",
                           "element dropped",
                           "element added",
                           "elements swapped"}) {
    EXPECT_GE(comparison.kind(kind), 10) << kind;
  }
}

}  // namespace
}  // namespace leafscore::internal::corpus
