// engine/report/join_summary.h: how the answers of a run met its gold, input by input.
#ifndef LEAFSCORE_ENGINE_REPORT_JOIN_SUMMARY_H_
#define LEAFSCORE_ENGINE_REPORT_JOIN_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

inline constexpr std::size_t kMaxListedIds = 10;
inline constexpr std::size_t kMaxListedIdBytes = 256;  // a longer id is cut, with an ellipsis

// How many ids there are, and the first of them.
struct ListedIds {
  std::uint64_t count = 0;
  std::vector<std::string> first;

  void Add(std::string_view id);
  void Add(const ListedIds& later);
};

// What was found in the gold file.
struct GoldCounts {
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;    // could not be read
  std::uint64_t without_id = 0;  // cannot be joined
  std::uint64_t ids = 0;         // different ones
  ListedIds duplicates;          // an id for each time that it came again
};

// What was found in one file of answers.
struct SourceCounts {
  std::string source;
  std::uint64_t records = 0;   // = matched + without_gold + rejected
  std::uint64_t matched = 0;   // every answer to an id, when there are several
  std::uint64_t rejected = 0;  // could not be read
  ListedIds without_gold;      // those without an id are counted, not listed
  ListedIds duplicates;        // an id for each time that it was answered again
  ListedIds unanswered;        // ids of the gold
};

struct JoinSummary {
  GoldCounts gold;
  std::vector<SourceCounts> sources;  // in the order of the inputs
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_JOIN_SUMMARY_H_
