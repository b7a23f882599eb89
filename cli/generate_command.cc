#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/whole_number.h"
#include "corpus/pair_generator.h"
#include "engine/base/resource_error.h"
#include "engine/io/output_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

constexpr char kGenerateExamples[] = R"(Examples:
  leafscore generate --pairs 1000 -o pairs.jsonl
  leafscore generate --pairs 1000 --profile tickets --seed 7 --error-rate 0.05 -o tickets.jsonl
  leafscore generate --pairs 1000000 | leafscore score - -s json_similarity > scores.jsonl)";

struct GenerateArguments {
  std::uint64_t pairs = 0;
  std::uint64_t seed = 1;
  std::string profile = "invoices";
  double error_rate = 0.15;
  std::string output = "-";
};

void Generate(const GenerateArguments& arguments) {
  if (!(arguments.error_rate >= 0 && arguments.error_rate <= 1)) {  // NaN too
    throw Error(ErrorCode::kUsage, "--error-rate is a probability: give a number from 0 to 1");
  }
  const corpus::PairGenerator generator(
      {*corpus::ParseProfile(arguments.profile), arguments.seed, arguments.error_rate});
  const std::atomic<bool>& stop = CatchInterrupts();
  CheckOutputSuffix(arguments.output, std::array<std::string_view, 2>{".jsonl", ".ndjson"});
  const auto output = OutputFile::Open(arguments.output, &stop);
  PrintLeftovers(output->leftovers());
  const auto write_pairs = [&] {
    std::string block;
    for (std::uint64_t i = 0; i < arguments.pairs; ++i) {
      if (stop) throw Error(ErrorCode::kInterrupted, "interrupted");
      generator.AppendRecord(i, block);
      if (block.size() >= kBlockBytes) {
        output->Write(block);
        block.clear();
      }
    }
    output->Write(block);
  };
  try {
    WithResourceErrors("it takes some megabytes, so free some", write_pairs);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kResources) throw;
    throw Error(error.code(),
                fmt::format("{}; the pairs before that are in {}", error.what(), output->KeepPartial()));
  }
  output->Commit();
}

}  // namespace

void AddGenerateCommand(CLI::App& app) {
  const auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* command = app.add_subcommand("generate", "Write realistic pairs for demos, tests and benchmarks");
  command->add_option("--pairs", arguments->pairs, "Number of pairs")
      ->required()
      ->type_name("N")
      ->check(CheckWholeNumber);
  command->add_option("--seed", arguments->seed, "Seed; the same one gives the same bytes on every machine")
      ->type_name("N")
      ->check(CheckWholeNumber)
      ->capture_default_str();
  command->add_option("--profile", arguments->profile, "Kind of documents")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(corpus::kProfileNames),
                                                     std::end(corpus::kProfileNames)))
                  .description(""))
      ->type_name(fmt::format("{}", fmt::join(corpus::kProfileNames, "|")))
      ->capture_default_str();
  command
      ->add_option("--error-rate", arguments->error_rate,
                   "Chance, 0 to 1, that a leaf of model-b is wrong; for model-a it is half, for model-c 1.5 "
                   "times as much")
      ->capture_default_str();
  command
      ->add_option("-o,--output", arguments->output,
                   "Output file, compressed with .gz or .zst after it; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command->footer(kGenerateExamples);
  command->callback([arguments] { Generate(*arguments); });
}

}  // namespace leafscore::internal
