// How fast the source and the sink of a run over a file are when nothing is scored between them.
//
//   serial_stages_bench FILE [ROUNDS]
//
// FILE holds JSON Lines. Every batch is read by its range, and for each byte of it the sink appends 0.08
// finished bytes to its checksum and to the pieces of a file, as much as scores of the profile invoices have;
// a stage of its own writes them. What was read
// is compared, by records and checksum, with what one thread reads from begin to end. Figures are the best of
// the rounds: of the wall time by threads, and of the processor time in the stages that only one thread at a
// time may be in.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/base/stage_times.h"
#include "engine/io/output_file.h"
#include "engine/io/record_reader.h"
#include "engine/run/output_pieces.h"
#include "engine/threads/ordered_pipeline.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {
namespace {

constexpr double kOutputShare = 0.08;

struct Passed {
  std::uint64_t records = 0;
  std::string checksum;
  double seconds = 0;
};

Passed ReadSerially(const std::string& path) {
  RecordReader reader({path}, {});
  RecordBatch batch;
  Passed passed;
  while (reader.Next(batch)) passed.records += batch.records.size();
  passed.checksum = reader.checksum(0).Text();
  return passed;
}

// Passes the file through the pipeline of a run without the stages that score.
Passed Pass(const std::string& path, const std::string& output_path, unsigned threads, StageTimes& times) {
  ReaderOptions options;
  options.ranges = true;
  RecordReader reader({path}, options);
  const std::unique_ptr<OutputFile> output = OutputFile::Open(output_path);
  OutputPieces pieces;
  Checksum written;
  std::string batch_lines;
  Passed passed;
  const std::string lines(static_cast<std::size_t>(static_cast<double>(options.batch_bytes) * kOutputShare),
                          '\n');
  const auto begin = std::chrono::steady_clock::now();
  RunOrderedPipeline<RecordBatch>(
      threads,
      [&](RecordBatch& batch) {
        const StageScope stage(&times, Stage::kSource, /*is_serial=*/true);
        return reader.Take(batch);
      },
      Parallel([&](RecordBatch& batch) {
        const StageScope stage(&times, Stage::kRead, /*is_serial=*/false);
        RecordReader::Read([](std::size_t) { return true; }, batch);
      }),
      InOrder([&](RecordBatch& batch) {
        const StageScope stage(&times, Stage::kSource, /*is_serial=*/true);
        reader.Number(batch);
      }),
      InOrder([&](RecordBatch& batch) {
        const StageScope stage(&times, Stage::kSink, /*is_serial=*/true);
        passed.records += batch.records.size();
        batch_lines = lines;
        written.Add(batch_lines);
        pieces.AddLines(batch_lines);
        pieces.EndBatch(/*may_wait=*/true);
      }),
      InOrder([&](RecordBatch&) {
        const StageScope stage(&times, Stage::kAppend, /*is_serial=*/true);
        pieces.Write(output.get(), nullptr);
      }));
  pieces.End();
  pieces.Write(output.get(), nullptr);
  passed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  passed.checksum = reader.checksum(0).Text();
  return passed;
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: serial_stages_bench FILE [ROUNDS]\n");
    return 2;
  }
  const std::string path = argv[1];
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("leafscore_bench_{}", getpid());
  std::filesystem::create_directories(folder);
  const Passed expected = ReadSerially(path);
  const double gigabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e9;
  fmt::print("{:>7} {:>9} {:>8} {:>16} {:>14} {:>14}\n", "threads", "seconds", "GB/s", "source s/GB",
             "sink s/GB", "append s/GB");
  for (unsigned threads = 1; threads <= ResolveThreads(0); threads *= 2) {
    double best = 1e9;
    double source = 1e9;
    double sink = 1e9;
    double append = 1e9;
    for (int round = 0; round < rounds; ++round) {
      StageTimes times;
      const Passed passed = Pass(path, folder / "out.jsonl", threads, times);
      if (passed.records != expected.records || passed.checksum != expected.checksum) {
        fmt::print(stderr, "{} records ({}) instead of {} ({})\n", passed.records, passed.checksum,
                   expected.records, expected.checksum);
        return 1;
      }
      best = std::min(best, passed.seconds);
      for (const StageTime& stage : times.Report(0)) {
        if (stage.stage == "source") source = std::min(source, stage.serial_seconds);
        if (stage.stage == "sink") sink = std::min(sink, stage.serial_seconds);
        if (stage.stage == "append") append = std::min(append, stage.serial_seconds);
      }
    }
    fmt::print("{:>7} {:>9.3f} {:>8.2f} {:>16.4f} {:>14.4f} {:>14.4f}\n", threads, best, gigabytes / best,
               source / gigabytes, sink / gigabytes, append / gigabytes);
  }
  fmt::print("{} records and {} checked each time\n", expected.records, expected.checksum);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) { return leafscore::internal::Main(argc, argv); }
