// engine/schema/schema_faults.h: where and how a value violates its schema. Long lists of faults are cut: a
// record may have a fault for each of its values, each with a path as long as the record. THREADS: one at a
// time.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_FAULTS_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leafscore::internal {

struct SchemaFault {
  std::string path;         // of the value, as lines[0].sku; "*" is the whole value
  std::string schema_path;  // of the keyword, as #/properties/lines/type
  std::string keyword;
};

class SchemaFaults {
 public:
  static constexpr std::size_t kMostListed = 1000;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  // The name that replaces the field of a fault if there was no room for the field.
  static constexpr std::string_view kOtherFields = "(other)";

  void Clear() { *this = {}; }

  // `field` is the path of the value with * for each position.
  void Add(SchemaFault fault, std::string field) {
    ++total_;
    const std::size_t bytes = fault.path.size() + fault.schema_path.size() + field.size();
    const bool has_room = bytes_ + bytes <= kMostBytes;
    if (has_room) bytes_ += bytes;
    ++counts_[{has_room ? std::move(field) : std::string(kOtherFields), fault.keyword}];
    if (has_room && listed_.size() < kMostListed) listed_.push_back(std::move(fault));
  }

  std::uint64_t total() const { return total_; }
  // Returns the first faults.
  const std::vector<SchemaFault>& listed() const { return listed_; }
  bool cut() const { return listed_.size() < total_; }
  // Returns the number of faults by field and keyword.
  const std::map<std::pair<std::string, std::string>, std::uint32_t>& counts() const { return counts_; }

 private:
  std::uint64_t total_ = 0;
  std::size_t bytes_ = 0;
  std::vector<SchemaFault> listed_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> counts_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_FAULTS_H_
