// engine/base/limits.h: all limits of a run, each with its option, default, range, unit and reason. The
// options of the command line are made from them. Tests try each limit at -1, 0 and +1.
#ifndef LEAFSCORE_ENGINE_BASE_LIMITS_H_
#define LEAFSCORE_ENGINE_BASE_LIMITS_H_

#include <cstdint>
#include <string_view>

namespace leafscore::internal {

struct Limit {
  std::string_view option;
  std::uint64_t default_value;  // 0 if the struct of options has the default
  std::uint64_t min;
  std::uint64_t max;
  std::string_view unit;
  std::string_view reason;
};

inline constexpr Limit kMaxLineBytes{
    "--max-line-bytes",
    64ull << 20,
    2,
    1ull << 30,
    "bytes",
    "A longer record is rejected and not held, so that one line cannot take all memory"};
inline constexpr Limit kBatchBytes{
    "--batch-bytes",
    256ull << 10,
    1,
    256ull << 20,
    "bytes",
    "Input read at a time, up to three times as much where texts are long: a batch and its tables should fit "
    "a core's cache"};
// The default is half of the memory of the machine or the cgroup (engine/threads/memory_plan.h).
inline constexpr Limit kMemory{"--memory",
                               0,
                               128ull << 20,
                               1ull << 50,
                               "bytes",
                               "Memory to use: with little, batches become fewer and smaller, and a record "
                               "that does not fit alone is rejected"};
inline constexpr Limit kFormatLookAhead{
    "",
    256ull << 10,
    256ull << 10,
    256ull << 10,
    "bytes",
    "how much of a first line that begins with [ is read before the input is taken for an array: a batch"};
inline constexpr Limit kMaxDepth{"--max-depth", 1024,     1,
                                 1024,          "levels", "A record that nests deeper is rejected"};
inline constexpr Limit kRecordLimit{
    "--limit",  0,         0,
    1ull << 50, "records", "Score only the first N records of each input, for a trial run; 0: all"};
inline constexpr Limit kMaxGroups{
    "--max-groups", 4096,     1,
    1ull << 20,     "groups", "Records of further groups are summarised together, which bounds memory"};
inline constexpr Limit kMaxPairCells{
    "--max-pair-cells",
    0,
    1,
    1ull << 50,
    "cells",
    "Largest product of the sizes of two strings to compare: beyond it, which takes a core about a second, "
    "only the range of the score is given"};
inline constexpr Limit kMaxDetailsBytes{"--max-details-bytes",
                                        16ull << 20,
                                        1,
                                        1ull << 30,
                                        "bytes",
                                        "Lists in the details of a record end before the details get longer"};
inline constexpr Limit kMaxRatio{
    "--max-ratio",
    1000,
    1,
    1'000'000'000,
    "times",
    "A gzip or zstd input that unpacks to more than this many times its size, after the first 64 MiB, is "
    "refused: it may never end"};
inline constexpr Limit kMaxShards{
    "--shard", 1, 1, 10'000, "shards", "more would cost more than they save, as each is a file to merge"};
inline constexpr Limit kMaxJudgeFailures{
    "",        100,
    1,         1'000'000'000,
    "records", "a judge that failed so often in a row is broken, and its time-outs could take days"};
inline constexpr Limit kGpuMemory{"--gpu-memory", 0,       1ull << 20,
                                  1ull << 40,     "bytes", "GPU memory to use, at most half of what is free"};
inline constexpr Limit kMaxFileBytes{
    "--max-file-bytes",
    256ull << 20,
    2,
    1ull << 30,
    "bytes",
    "A larger trajectory or scenario file is skipped, so that one file cannot take all memory"};
inline constexpr Limit kMaxPassK{
    "--pass-k", 1, 1, 1000, "samples", "the time for each id grows with it, and nobody takes more samples"};

// A limit without an option: a field with more models or scorers was probably chosen by mistake.
inline constexpr Limit kMaxRanked{
    "", 4096, 1, 4096, "models", "ids times models are in memory at once, and models times models"};
// A limit without an option: changes in further fields are reported as changes elsewhere.
inline constexpr Limit kMaxComparedFields{
    "",   4096,     1,
    4096, "fields", "each is a row of a comparison; keys that are data would make a row for each record"};

inline constexpr Limit kMaxGrouped{
    "--groups", 200,      1,
    200,        "models", "all pairs are tested, and the time of each test grows with the number of ids"};

// A limit without an option: the run reports when it reaches the limit.
inline constexpr Limit kMaxSeenIds{
    "",    6ull << 20,
    1,     6ull << 20,
    "ids", "remembered to find repeated ids, in up to 128 MiB; later ids are looked up among these"};

// Limits of a configuration file, without options, because real configurations stay far below them.
inline constexpr Limit kMaxConfigBytes{
    "",         1ull << 20, 1,
    1ull << 20, "bytes",    "a larger file was given by mistake, and would be held in memory as a whole"};
inline constexpr Limit kMaxConfigDepth{"", 64, 1, 64, "levels", "nested lists and maps"};
inline constexpr Limit kMaxConfigNodes{
    "", 10000, 1, 10000, "nodes", "keys, scalars, lists and maps together, so that reading ends soon"};
inline constexpr Limit kMaxImportedBytes{
    "",          64ull << 20, 1,
    64ull << 20, "bytes",     "a file of another tool, which may also hold the records of its test"};
inline constexpr Limit kMaxImportedNodes{
    "", 1ull << 20, 1, 1ull << 20, "nodes", "keys, scalars, lists and maps of such a file, 150 bytes each"};
inline constexpr Limit kMaxSuiteTests{
    "",      100'000, 1,
    100'000, "tests", "in a suite whose lists of variables are combined, which multiplies them"};
inline constexpr Limit kMaxSuiteBytes{
    "",           256ull << 20, 1,
    256ull << 20, "bytes",      "for a suite's tests with their variables filled in, which multiply as well"};
inline constexpr Limit kMaxSchemaBytes{
    "", 16ull << 20, 1, 16ull << 20, "bytes", "a JSON Schema in a file, which is held in memory as a whole"};
inline constexpr Limit kMaxConfigReadAhead{
    "",      128ull << 10,
    1,       128ull << 10,
    "bytes", "YAML read without finding a value, since the parser holds up to 240 bytes for each"};

// Limits, without options, for arrays whose elements may be in any order. The number of pairs grows with the
// square of the number of elements. Beyond these limits, elements are compared in order, and the result says
// so.
inline constexpr Limit kMaxElementPairs{
    "",         1ull << 18, 1,
    1ull << 18, "pairs",    "512 elements on each side, or fewer on one and more on the other"};
inline constexpr Limit kMaxElementPairBytes{
    "", 4ull << 20, 1, 4ull << 20, "bytes", "the texts of all pairs are in memory at once"};

// Limits of scoring by ANLS*, without options. A record whose lists exceed these limits is an error.
inline constexpr Limit kMaxLeafPairs{
    "", 1ull << 22, 1, 1ull << 22, "pairs", "2,048 texts on each side in lists, each compared with each"};
inline constexpr Limit kMaxLeafPairBytes{
    "", 128ull << 20, 1, 128ull << 20, "bytes", "the texts of all pairs are in memory at once"};

// A limit of scoring, without an option.
inline constexpr Limit kMaxTextLevels{
    "", 16, 16, 16, "levels", "JSON texts inside strings inside JSON texts: each level is read again"};

// A limit of scoring, without an option: enough for 4,096 items on each side in the worst order.
inline constexpr Limit kMaxSetComparisons{
    "",
    1ull << 24,
    1ull << 24,
    1ull << 24,
    "comparisons",
    "between items of sets with a tolerance of time, in a record: beyond it, the record is an error"};

// Limits of tool calls, without options. Beyond them, the record is an error.
inline constexpr Limit kMaxToolCalls{
    "", 4096, 4096, 4096, "calls", "on a side: an agent that made more is in a loop, and pairs multiply"};
inline constexpr Limit kMaxCallSteps{
    "", 1ull << 26, 1ull << 26, 1ull << 26, "steps", "to compare the arguments of calls, in a record"};
inline constexpr Limit kMaxCallStepsOfByte{
    "", 512, 512, 512, "steps", "for each byte of both values, so that a short record ends soon"};

// ERRORS: Error(kUsage) if `value` is outside the range of `limit`.
void CheckLimit(const Limit& limit, std::uint64_t value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_LIMITS_H_
