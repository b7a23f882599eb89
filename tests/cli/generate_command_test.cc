#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cli/commands.h"
#include "corpus/pair_generator.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

class GenerateCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "leafscore_generate_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Run(const std::string& arguments) {
    CLI::App app("leafscore", "leafscore");
    AddGenerateCommand(app);
    app.parse("generate " + arguments);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Contents(const std::string& name) const {
    std::ostringstream contents;
    contents << std::ifstream(Path(name), std::ios::binary).rdbuf();
    return contents.str();
  }

 private:
  std::string folder_;
};

std::string Corpus(const corpus::GeneratorOptions& options, std::uint64_t pairs) {
  const corpus::PairGenerator generator(options);
  std::string corpus;
  for (std::uint64_t i = 0; i < pairs; ++i) generator.AppendRecord(i, corpus);
  return corpus;
}

TEST_F(GenerateCommandTest, Defaults) {
  Run("--pairs 30 -o " + Path("out.jsonl"));
  EXPECT_EQ(Contents("out.jsonl"), Corpus({}, 30));
}

TEST_F(GenerateCommandTest, EveryOption) {
  Run("--pairs 20 --seed 18446744073709551615 --profile long-text --error-rate 0.5 --output " +
      Path("out.jsonl"));
  EXPECT_EQ(Contents("out.jsonl"), Corpus({corpus::Profile::kLongText, 18446744073709551615u, 0.5}, 20));
}

TEST_F(GenerateCommandTest, SeveralBlocks) {
  Run("--pairs 1500 -o " + Path("out.jsonl"));
  const std::string contents = Contents("out.jsonl");
  EXPECT_GT(contents.size(), 3u << 20);
  EXPECT_EQ(contents, Corpus({}, 1500));
}

TEST_F(GenerateCommandTest, NoPairsIsAnEmptyFile) {
  Run("--pairs 0 -o " + Path("out.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(Path("out.jsonl")));
  EXPECT_EQ(Contents("out.jsonl"), "");
}

TEST_F(GenerateCommandTest, RefusesWrongOptionsAndWritesNothing) {
  const std::string output = " -o " + Path("out.jsonl");
  EXPECT_THROW(Run(output), CLI::RequiredError);
  for (const char* number : {"-1", "1.5", "1e3", "010", "0x10", "18446744073709551616"}) {
    // A full disk ends the run, should the number be taken for a huge one.
    EXPECT_THROW(Run("-o /dev/full --pairs " + std::string(number)), CLI::ValidationError) << number;
    EXPECT_THROW(Run("--pairs 1 -o /dev/full --seed " + std::string(number)), CLI::ValidationError) << number;
  }
  EXPECT_THROW(Run("--pairs 1 --profile invoice" + output), CLI::ValidationError);
  for (const char* rate : {"-0.01", "1.01", "nan", "inf"}) {
    try {
      Run("--pairs 1 --error-rate " + std::string(rate) + output);
      FAIL() << rate;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(Path("out.jsonl")));
}

TEST_F(GenerateCommandTest, UnwritableOutputIsAnOutputError) {
  try {
    Run("--pairs 1 -o " + Path("missing/out.jsonl"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutput);
  }
}

}  // namespace
}  // namespace leafscore::internal
