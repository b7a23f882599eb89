// Outputs of runs, cut, doubled and edited in every way.
#include "engine/scores/verified_scores.h"

#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/checksum.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kRecords = 30;

FileOptions WithTrailer() {
  FileOptions options;
  options.trailer = true;
  return options;
}

class VerifiedScoresTest : public RunTest {
 protected:
  // Scores some records. RETURNS: the path of the output.
  std::string Score(const std::string& name, FileOptions options = {}) {
    std::string text;
    for (std::size_t i = 0; i < kRecords; ++i) {
      text += "{\"id\": \"r" + std::to_string(i) + "\", \"expected\": \"abcd\", \"actual\": \"ab" +
              std::to_string(i * 7919 % 97) + "\"}\n";
    }
    options.output = folder_ / name;
    EXPECT_FALSE(RunText(Plan({"levenshtein"}), text, options).result.error);
    return options.output;
  }

  // RETURNS: the lines that were handed over.
  std::size_t Read(const std::string& path, bool accept_unverified = false) {
    std::size_t lines = 0;
    has_manifest_ = ReadVerifiedScores(path, accept_unverified, [&](const RecordBatch& batch) {
                      EXPECT_FALSE(batch.records.empty());
                      lines += batch.records.size();
                    }).has_value();
    return lines;
  }

  std::string Refusal(const std::string& path, bool accept_unverified = false) {
    return ErrorOf(ErrorCode::kInput, [&] { Read(path, accept_unverified); });
  }

  // Checks that the output is refused with these bytes in it, and says what happened to it.
  void ExpectRefused(const std::string& path, const std::string& bytes, const std::string& what,
                     bool accept_unverified = false) {
    WriteFile(path, bytes);
    const std::string refusal = Refusal(path, accept_unverified);
    EXPECT_TRUE(refusal.starts_with(path + " " + what)) << refusal << "\nexpected: " << what;
  }

  bool has_manifest_ = false;  // the output read last
};

// Returns the places before and after every line of a text, and some between.
std::vector<std::size_t> Cuts(const std::string& text) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool at_line = i == 0 || text[i] == '\n' || text[i - 1] == '\n';
    if (at_line || i % 97 == 0 || i + 3 > text.size()) cuts.push_back(i);
  }
  return cuts;
}

TEST_F(VerifiedScoresTest, WholeOutputsOfEveryKindAreRead) {
  for (const std::string name : {"a.jsonl", "a.jsonl.gz", "a.jsonl.zst"}) {
    for (const bool trailer : {false, true}) {
      FileOptions options;
      options.trailer = trailer;
      const std::string path = Score(name, options);
      EXPECT_EQ(Read(path), kRecords);
      EXPECT_TRUE(has_manifest_);
      EXPECT_EQ(Read(path, /*accept_unverified=*/true), kRecords);
      EXPECT_TRUE(has_manifest_);
    }
  }
}

// As a baseline stands while it is replaced.
TEST_F(VerifiedScoresTest, OfSeveralManifestsTheFirstThatFitsCounts) {
  const std::string old_path = Score("old.jsonl");
  FileOptions options;
  options.details = DetailLevel::kNone;
  const std::string new_path = Score("new.jsonl", options);
  const std::string old_manifest = ReadFile(old_path + ".manifest.json");
  const std::string new_manifest = ReadFile(new_path + ".manifest.json");
  for (const std::string& both : {new_manifest + old_manifest, old_manifest + "\n" + new_manifest}) {
    for (const std::string& path : {old_path, new_path}) {
      WriteFile(path + ".manifest.json", both);
      EXPECT_EQ(Read(path), kRecords);
      EXPECT_TRUE(has_manifest_);
    }
    const std::string whole = ReadFile(old_path);
    ExpectRefused(old_path, whole.substr(0, whole.size() - 1), "was ");
    WriteFile(old_path, whole);
  }
  WriteFile(old_path + ".manifest.json", new_manifest + "{");
  EXPECT_NE(Refusal(old_path).find("was cut or changed"), std::string::npos);
  WriteFile(old_path + ".manifest.json", "");
  EXPECT_NE(Refusal(old_path).find("was cut or changed"), std::string::npos);
}

TEST_F(VerifiedScoresTest, ACutOutputIsRefused) {
  const std::string path = Score("a.jsonl");
  const std::string whole = ReadFile(path);
  for (const std::size_t cut : Cuts(whole))
    ExpectRefused(path, whole.substr(0, cut), "was cut short: it has ");
  WriteFile(path, whole.substr(0, whole.size() / 2));
  EXPECT_NE(Refusal(path, /*accept_unverified=*/true), "");
}

TEST_F(VerifiedScoresTest, WhatDiffersIsSaid) {
  const std::string path = Score("a.jsonl");
  const std::string whole = ReadFile(path);
  const std::string first = whole.substr(0, whole.find('\n') + 1);
  WriteFile(path, first);
  EXPECT_EQ(Refusal(path), path + " was cut short: it has " + std::to_string(first.size()) +
                               " bytes of scores in 1 lines (" + ChecksumOf(first) +
                               "), and its manifest says " + std::to_string(whole.size()) +
                               " bytes in 30 lines (" + ChecksumOf(whole) + "); score it again");
}

TEST_F(VerifiedScoresTest, ADoubledOutputIsRefused) {
  for (const std::string name : {"a.jsonl", "a.jsonl.gz", "a.jsonl.zst"}) {
    const std::string path = Score(name);
    const std::string whole = ReadFile(path);
    ExpectRefused(path, whole + whole, "has its scores 2 times: ");
    ExpectRefused(path, whole + whole + whole, "has its scores 3 times: ");
  }
}

TEST_F(VerifiedScoresTest, AnOutputWithMoreInItIsRefused) {
  const std::string path = Score("a.jsonl");
  const std::string whole = ReadFile(path);
  const std::string line = whole.substr(0, whole.find('\n') + 1);
  for (const std::string& more : {std::string("\n"), std::string(" "), line}) {
    ExpectRefused(path, whole + more, "was added to: ");
    ExpectRefused(path, more + whole, "was added to: ");
  }
  ExpectRefused(path, "\xef\xbb\xbf" + whole, "was added to: ");
  ExpectRefused(path, std::string(600'000, '\n') + whole, "was added to: ");
  ExpectRefused(path, "[" + whole + "]", "was added to: ");
}

TEST_F(VerifiedScoresTest, AnEditedOutputIsRefused) {
  const std::string path = Score("a.jsonl");
  const std::string whole = ReadFile(path);
  for (const std::size_t place : Cuts(whole)) {
    std::string edited = whole;
    edited[place] ^= 1;
    ExpectRefused(path, edited, "was edited: ");
  }
  // Lines in another order.
  const std::size_t second = whole.find('\n') + 1;
  const std::size_t third = whole.find('\n', second) + 1;
  ExpectRefused(path, whole.substr(second, third - second) + whole.substr(0, second) + whole.substr(third),
                "was edited: ");
}

TEST_F(VerifiedScoresTest, ACutCompressedOutputIsRefused) {
  for (const std::string name : {"a.jsonl.gz", "a.jsonl.zst"}) {
    const std::string path = Score(name);
    const std::string whole = ReadFile(path);
    for (std::size_t size = 5; size < whole.size(); size += 5) {
      WriteFile(path, whole.substr(0, size));
      EXPECT_NE(Refusal(path), "") << size;
    }
  }
}

TEST_F(VerifiedScoresTest, AnOutputWithoutManifestIsRefusedUnlessThatIsAccepted) {
  const std::string path = Score("a.jsonl");
  std::filesystem::remove(ManifestPath(path));
  EXPECT_EQ(Refusal(path), path +
                               " has no manifest, so it may be incomplete; score it again with "
                               "--output (or --trailer), or accept it with --unverified");
  EXPECT_EQ(Read(path, /*accept_unverified=*/true), kRecords);
  EXPECT_FALSE(has_manifest_);
}

TEST_F(VerifiedScoresTest, AManifestOfAnotherOutputIsRefused) {
  const std::string path = Score("a.jsonl");
  FileOptions with_details;
  with_details.details = DetailLevel::kNone;
  const std::string other = Score("b.jsonl", with_details);
  std::filesystem::copy_file(ManifestPath(other), ManifestPath(path),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(Refusal(path).find("was added to: "), std::string::npos);
  EXPECT_NE(Refusal(path, /*accept_unverified=*/true), "");
}

TEST_F(VerifiedScoresTest, AManifestThatIsHalfIsRefused) {
  const std::string path = Score("a.jsonl");
  const std::string manifest = ReadFile(ManifestPath(path));
  for (const std::size_t size : {std::size_t{0}, manifest.size() / 2, manifest.size() - 3}) {
    WriteFile(ManifestPath(path), manifest.substr(0, size));
    EXPECT_EQ(Refusal(path, /*accept_unverified=*/true),
              ManifestPath(path) + " was cut or changed after leafscore wrote it; score again");
  }
}

// A stream that went into a file, or a file without the manifest beside it.
class TrailerTest : public VerifiedScoresTest {
 protected:
  TrailerTest() { std::filesystem::remove(ManifestPath(path_)); }

  const std::string path_ = Score("a.jsonl", WithTrailer());
  const std::string whole_ = ReadFile(path_);
};

TEST_F(TrailerTest, TellsThatTheOutputIsWhole) {
  EXPECT_EQ(Read(path_), kRecords);
  EXPECT_TRUE(has_manifest_);
  EXPECT_EQ(SplitLines(whole_).size(), kRecords + 1);
}

TEST_F(TrailerTest, ACutOutputIsRefused) {
  const std::size_t trailer = whole_.rfind(kTrailerBegin);
  for (const std::size_t cut : Cuts(whole_)) {
    WriteFile(path_, whole_.substr(0, cut));
    const std::string refusal = Refusal(path_);
    if (cut < trailer + kTrailerBegin.size()) {
      EXPECT_NE(refusal.find(" has no manifest"), std::string::npos) << cut << ": " << refusal;
    } else if (cut < whole_.size() - 1) {
      EXPECT_NE(refusal.find("the trailer of " + path_ + " was cut or changed"), std::string::npos)
          << refusal;
    } else {
      EXPECT_NE(refusal.find(" does not end with its trailer"), std::string::npos) << refusal;
    }
  }
}

TEST_F(TrailerTest, AnOutputWithLessOrMoreInItIsRefused) {
  const std::size_t line = whole_.find('\n') + 1;
  ExpectRefused(path_, whole_.substr(line), "was cut short: ");
  ExpectRefused(path_, whole_ + whole_, "does not end with its trailer");
  ExpectRefused(path_, whole_ + whole_.substr(0, line), "does not end with its trailer");
  ExpectRefused(path_, whole_ + "\n", "does not end with its trailer");
  ExpectRefused(path_, whole_.substr(0, line) + whole_, "was added to: ");
  const std::size_t trailer = whole_.rfind(kTrailerBegin);
  ExpectRefused(path_, whole_.substr(0, trailer) + whole_, "has its scores 2 times: ");
}

TEST_F(TrailerTest, AnEditedOutputIsRefused) {
  for (const std::size_t place : Cuts(whole_)) {
    if (whole_[place] == ' ') continue;
    std::string edited = whole_;
    edited[place] ^= 1;
    WriteFile(path_, edited);
    EXPECT_NE(Refusal(path_), "") << place;
  }
}

TEST_F(TrailerTest, IsThatOfTheManifestBesideIt) {
  Score("a.jsonl", WithTrailer());
  const std::string manifest = ReadFile(ManifestPath(path_));
  EXPECT_EQ(Read(path_), kRecords);
  // The same scores of another run.
  FileOptions strict = WithTrailer();
  strict.strict_json = true;
  Score("a.jsonl", strict);
  WriteFile(ManifestPath(path_), manifest);
  EXPECT_EQ(Refusal(path_),
            "the trailer of " + path_ +
                " differs from the manifest beside it: one of them is from another run; score it again");
}

// They were told to be a zip archive, JSON to put on lines of its own, or to lack a manifest.
TEST_F(VerifiedScoresTest, FilesOfOtherToolsGetTheLineThatConvertsThem) {
  const std::string log("PK\x03\x04" + std::string(22, '\0') + "\x12" + std::string(3, '\0') +
                        "_journal/start.json");
  const std::string results = "{\n  \"evalId\": \"e\",\n  \"results\": {\n  }\n}\n";
  const std::string samples = "{\"doc_id\": 0, \"doc\": {\"q\": 1}, \"acc\": 1.0}\n";
  for (const auto& [name, bytes, kind] : {std::tuple("a.eval", log, "a log of inspect_ai"),
                                          std::tuple("a.json", results, "results of promptfoo"),
                                          std::tuple("a.jsonl", samples, "samples of lm_eval")}) {
    const std::string path = folder_ / name;
    WriteFile(path, bytes);
    const std::string want = path + " looks like " + kind +
                             "; this makes scores from it that can be compared: leafscore convert " + path +
                             " --to scores -o " + (folder_ / "a.scores.jsonl");
    EXPECT_EQ(Refusal(path), want);
  }
  const std::string hint =
      "; if another tool computed the scores in it, this converts them to leafscore's: leafscore convert ";
  for (const auto& [name, text] :
       {std::pair("b.csv", "id,score\n1,0.5\n2,1\n"), {"b.jsonl", "{\"id\": 1, \"grade\": 2}\n"}}) {
    const std::string path = folder_ / name;
    WriteFile(path, text);
    const std::string refusal = Refusal(path);
    EXPECT_TRUE(refusal.ends_with(hint + path + " --to scores -o " + (folder_ / "b.scores.jsonl")))
        << refusal;
  }
  const std::string own = Score("c.jsonl");
  std::filesystem::remove(ManifestPath(own));
  EXPECT_EQ(Refusal(own).find("leafscore convert"), std::string::npos);
}

// That a line cannot be read follows from the damage, which is what the user needs to know.
TEST_F(VerifiedScoresTest, DamageIsToldBeforeWhatFollowsFromIt) {
  const auto read = [](const std::string& path) {
    std::size_t calls = 0;
    const std::string error = ErrorOf(ErrorCode::kInput, [&] {
      ReadVerifiedScores(path, /*accept_unverified=*/false, [&](const RecordBatch&) {
        ++calls;
        throw Error(ErrorCode::kInput, "no line of scores");
      });
    });
    EXPECT_EQ(calls, 1u);
    return error;
  };
  const std::string path = Score("a.jsonl");
  EXPECT_EQ(read(path), "no line of scores");
  const std::string whole = ReadFile(path);
  WriteFile(path, whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(read(path).starts_with(path + " was cut short"));
  std::filesystem::remove(ManifestPath(path));
  EXPECT_EQ(read(path), "no line of scores");
}

}  // namespace
}  // namespace leafscore::internal
