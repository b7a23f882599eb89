// Times the public C++ API on two columns of texts, for bench/python_bench.py, which times Python on the
// same. Usage: arrow_stream_bench score SCORER FILE ROUNDS | arrow_stream_bench levenshtein THREADS FILE
// ROUNDS FILE holds for each column the number of its rows, rows + 1 offsets (64-bit integers) and its bytes.
// Prints for each round its seconds, and a sum of the results, which must be Python's.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "leafscore/leafscore.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Column {
  std::vector<std::int64_t> offsets;
  std::string bytes;
};

Column ReadColumn(std::ifstream& file) {
  std::int64_t rows = 0;
  file.read(reinterpret_cast<char*>(&rows), sizeof rows);
  Column column;
  column.offsets.resize(static_cast<std::size_t>(rows) + 1);
  file.read(reinterpret_cast<char*>(column.offsets.data()),
            static_cast<std::streamsize>(column.offsets.size() * sizeof(std::int64_t)));
  column.bytes.resize(static_cast<std::size_t>(column.offsets.back()));
  file.read(column.bytes.data(), static_cast<std::streamsize>(column.bytes.size()));
  if (!file) throw std::runtime_error("the file of columns ends early");
  return column;
}

// A record batch of both columns, and the stream of it; all of it lives as long as this.
struct Input {
  explicit Input(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    for (int c = 0; c < 2; ++c) {
      columns[c] = ReadColumn(file);
      buffers[c][1] = columns[c].offsets.data();
      buffers[c][2] = columns[c].bytes.data();
      const auto rows = static_cast<std::int64_t>(columns[c].offsets.size()) - 1;
      arrays[c] = {rows, 0, 0, 3, 0, buffers[c], nullptr, nullptr, Keep, nullptr};
      types[c] = {
          "U",    c == 0 ? "expected" : "actual", nullptr, ARROW_FLAG_NULLABLE, 0, nullptr, nullptr, Keep,
          nullptr};
      array_pointers[c] = &arrays[c];
      type_pointers[c] = &types[c];
    }
  }
  ArrowArrayStream Stream() {
    taken = false;
    return {GetSchema, GetNext, [](ArrowArrayStream*) -> const char* { return nullptr; },
            [](ArrowArrayStream* stream) { stream->release = nullptr; }, this};
  }

  Column columns[2];
  const void* buffers[2][3] = {};
  ArrowArray arrays[2] = {};
  ArrowSchema types[2] = {};
  ArrowArray* array_pointers[2] = {};
  ArrowSchema* type_pointers[2] = {};
  const void* no_validity[1] = {nullptr};
  bool taken = false;

 private:
  template <class Struct>
  static void Keep(Struct* released) {
    released->release = nullptr;
  }
  static int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
    auto* const self = static_cast<Input*>(stream->private_data);
    *out = {"+s", "", nullptr, 0, 2, self->type_pointers, nullptr, Keep, nullptr};
    return 0;
  }
  static int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
    auto* const self = static_cast<Input*>(stream->private_data);
    *out = {};
    if (self->taken) return 0;
    self->taken = true;
    *out = {self->arrays[0].length, 0,       0,    1,      2, self->no_validity,
            self->array_pointers,   nullptr, Keep, nullptr};
    return 0;
  }
};

double Score(const leafscore::Runner& runner, Input& input) {
  ArrowArrayStream stream = input.Stream();
  ArrowArrayStream output{};
  const leafscore::StreamRun run = runner.ScoreStream(&stream, {}, &output);
  for (ArrowArray batch{}; output.get_next(&output, &batch) == 0 && batch.release != nullptr;)
    batch.release(&batch);
  output.release(&output);
  return run.Report().scorers[0].figures.over_all.mean.value_or(0);
}

double Distances(Input& input, unsigned threads) {
  double sum = 0;
  for (const std::uint32_t distance :
       leafscore::LevenshteinDistances({input.types[0], input.arrays[0]}, {input.types[1], input.arrays[1]},
                                       leafscore::kNoDistance, {.threads = threads})) {
    sum += distance;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  Input input(argv[3]);
  const bool scores = std::strcmp(argv[1], "score") == 0;
  const leafscore::Runner runner(leafscore::Plan({scores ? argv[2] : "exact_match"}), {.threads = 1});
  for (int round = 0; round < std::atoi(argv[4]); ++round) {
    const Clock::time_point begin = Clock::now();
    const double sum =
        scores ? Score(runner, input) : Distances(input, static_cast<unsigned>(std::atoi(argv[2])));
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    std::cout << seconds.count() << ' ' << std::hexfloat << sum << std::defaultfloat << '\n';
  }
}
