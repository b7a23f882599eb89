// Implements leafscore/distance.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "engine/arrow/record_columns.h"
#include "engine/arrow/text_array.h"
#include "engine/base/resource_error.h"
#include "engine/base/utf8.h"
#include "engine/distance/kernel_memory.h"
#include "engine/distance/string_pairs.h"
#include "engine/run/run_table.h"
#include "engine/threads/parallel.h"
#include "engine/threads/per_thread.h"
#include "kernels/jaro_winkler.h"
#include "kernels/levenshtein.h"
#include "leafscore/distance.h"
#include "leafscore/error.h"

namespace leafscore {
namespace {

using internal::KernelScratch;
using internal::StringColumn;
using internal::StringColumnBuilder;
using internal::TextArray;

constexpr char kDistanceAdvice[] = "compare fewer rows at a time, or with fewer threads";
constexpr std::size_t kMaxKernelTextBytes = (std::size_t{1} << 30) - 1;  // the limit of the kernels
// The largest task, in bytes of text and in rows: small enough to stay in a core's cache, and to end soon
// after a stop.
constexpr std::size_t kTextBytesPerTask = 256 << 10;
constexpr std::size_t kRowsPerTask = 8192;

// Both arrays, checked.
struct Texts {
  TextArray left;
  TextArray right;
};

Texts ReadTexts(const TextArrayView& left, const TextArrayView& right) {
  if (left.array.length != right.array.length) {
    throw Error(ErrorCode::kUsage,
                fmt::format("one column has {} texts and the other {}; give two columns of equal size",
                            left.array.length, right.array.length));
  }
  // Make a record batch of both arrays, so that the checks for record batches apply.
  ArrowSchema left_type = left.type;
  ArrowSchema right_type = right.type;
  left_type.name = "left";
  right_type.name = "right";
  ArrowArray left_array = left.array;
  ArrowArray right_array = right.array;
  ArrowSchema* types[] = {&left_type, &right_type};
  ArrowArray* arrays[] = {&left_array, &right_array};
  const void* no_validity[] = {nullptr};
  ArrowSchema type{};
  type.format = "+s";
  type.n_children = 2;
  type.children = types;
  ArrowArray batch{};
  batch.length = left.array.length;
  batch.n_buffers = 1;
  batch.buffers = no_validity;
  batch.n_children = 2;
  batch.children = arrays;
  internal::CheckSchema(type);
  internal::CheckRecordBatch(type, batch);
  return {TextArray(internal::ReadTextType(left_type), left.array, 0, batch.length),
          TextArray(internal::ReadTextType(right_type), right.array, 0, batch.length)};
}

// The texts of some rows in the form that kernels need.
class RowBatch {
 public:
  void Read(const Texts& texts, std::size_t begin, std::size_t end) {
    left_.Clear();
    right_.Clear();
    rows_.clear();
    for (std::size_t row = begin; row < end; ++row) {
      if (texts.left.is_null(row) || texts.right.is_null(row)) continue;
      Append(texts.left.text(row), "left", row, left_);
      Append(texts.right.text(row), "right", row, right_);
      rows_.push_back(row);
    }
  }

  // The rows without a null.
  StringColumn left() const { return left_.column(); }
  StringColumn right() const { return right_.column(); }
  const std::vector<std::size_t>& rows() const { return rows_; }
  KernelScratch& scratch() { return scratch_; }
  // Returns room for one number for each row.
  std::span<std::uint32_t> LeastOfEach() {
    least_.resize(rows_.size());
    return least_;
  }

 private:
  static void Append(std::string_view text, std::string_view side, std::size_t row,
                     StringColumnBuilder& column) {
    if (text.size() > kMaxKernelTextBytes) {
      throw Error(ErrorCode::kInput, fmt::format("row {} of the {} column has 1 GiB or more", row, side));
    }
    if (const std::size_t byte = internal::FindInvalidUtf8(text); byte != text.size()) {
      throw Error(ErrorCode::kInput,
                  fmt::format("row {} of the {} column is not UTF-8 (byte {})", row, side, byte));
    }
    column.Append(text);
  }

  StringColumnBuilder left_;
  StringColumnBuilder right_;
  std::vector<std::size_t> rows_;
  std::vector<std::uint32_t> least_;
  KernelScratch scratch_;
};

std::vector<std::size_t> SplitTexts(const Texts& texts) {
  std::vector<std::size_t> starts;
  std::size_t bytes = kTextBytesPerTask;
  for (std::size_t row = 0; row < texts.left.size(); ++row) {
    if (bytes >= kTextBytesPerTask || row - starts.back() == kRowsPerTask) {
      starts.push_back(row);
      bytes = 0;
    }
    if (!texts.left.is_null(row)) bytes += texts.left.text(row).size();
    if (!texts.right.is_null(row)) bytes += texts.right.text(row).size();
  }
  starts.push_back(texts.left.size());
  return starts;
}

// Returns a value for each row: `none` for a row with a null, else the value from compute(batch, values).
template <typename Value, class Compute>
std::vector<Value> MeasureRows(const TextArrayView& left, const TextArrayView& right, Value none,
                               const DistanceOptions& options, Compute compute) {
  return internal::WithResourceErrors(kDistanceAdvice, [&] {
    const Texts texts = ReadTexts(left, right);
    std::vector<Value> result(texts.left.size(), none);
    const std::vector<std::size_t> starts = SplitTexts(texts);
    internal::PerThread<std::pair<RowBatch, std::vector<Value>>> memory;
    const auto compute_rows = [&](std::size_t task) {
      if (options.stop != nullptr && *options.stop) {
        throw Error(ErrorCode::kInterrupted, "comparing texts was interrupted");
      }
      auto& [batch, values] = memory.local();
      batch.Read(texts, starts[task], starts[task + 1]);
      values.resize(batch.rows().size());
      compute(batch, values);
      for (std::size_t i = 0; i < values.size(); ++i) result[batch.rows()[i]] = values[i];
    };
    const std::size_t tasks = starts.size() - 1;
    if (options.threads == 1) {
      for (std::size_t task = 0; task < tasks; ++task) compute_rows(task);
    } else {
      internal::WithThreads(options.threads, [&] { internal::ParallelFor(tasks, compute_rows); });
    }
    return result;
  });
}

}  // namespace

std::vector<std::uint32_t> LevenshteinDistances(const TextArrayView& left, const TextArrayView& right,
                                                std::uint32_t cutoff, const DistanceOptions& options) {
  const auto run_table = [&](internal::LevenshteinTable& table) {
    const auto run = [&] { internal::RunTable(table, options.stop); };
    options.threads == 1 ? internal::WithThreads(1, run) : run();  // else on the rows' threads
  };
  return MeasureRows(left, right, kNoDistance, options, [&](RowBatch& batch, auto& distances) {
    // Without a limit of cells, the lower and upper ends of a distance are equal.
    internal::ComputeRanges(batch.left(), batch.right(), {.cutoff = cutoff}, run_table, batch.LeastOfEach(),
                            distances, batch.scratch());
  });
}

std::vector<double> JaroWinklerSimilarities(const TextArrayView& left, const TextArrayView& right,
                                            const DistanceOptions& options) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  return MeasureRows(left, right, none, options, [](RowBatch& batch, auto& similarities) {
    internal::JaroWinklerBatch(
        batch.left(), batch.right(), similarities,
        batch.scratch().OfSize(internal::JaroWinklerScratchBytes(batch.left(), batch.right())));
  });
}

}  // namespace leafscore
