// engine/match/target_path.h: parses paths into JSON values, such as items[0].name, and follows them. Some
// keys are written as a JSON string in brackets, as in items["a.b"]: empty keys, keys with a dot or a
// bracket, and keys that could be read as something else.
#ifndef LEAFSCORE_ENGINE_MATCH_TARGET_PATH_H_
#define LEAFSCORE_ENGINE_MATCH_TARGET_PATH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"

namespace leafscore::internal {

// Keys and array positions. Immutable once made.
struct TargetPath {
  static constexpr std::uint32_t kNoPosition = std::numeric_limits<std::uint32_t>::max();
  struct Step {
    std::string key;                       // the key in an object
    std::uint32_t position = kNoPosition;  // the position in an array

    // Returns whether the step can lead into an object, even with an empty key.
    bool has_key() const { return !key.empty() || position == kNoPosition; }
  };

  // Both parsers ignore extra dots and empty brackets: a.b, a..b, .a.b. and a[b] are the same path.
  //
  // Parses a path such as a.b[0].c. Brackets with only digits are an array position, everything else is a
  // key, and "*" is the whole value.
  // RETURNS: nullopt if the path has no steps.
  static std::optional<TargetPath> Parse(std::string_view text);
  // Parses a path in which digits are a position in arrays and a key in objects: a.0.b is also a[0].b.
  // RETURNS: a path without steps if there is nothing between dots and brackets.
  static TargetPath ParseLoosely(std::string_view text);

  // RETURNS: the path as a.b[0]["c.d"]; empty for the whole value.
  std::string Canonical() const;

  std::string text;         // as written
  std::vector<Step> steps;  // empty for the whole value
};

// Returns the path in the text of an option. ERRORS: Error(kUsage) with `complaint`, unless the path leads to
// a part of a value.
TargetPath ReadPath(const OptionReader& options, std::string_view option, std::string_view text,
                    std::string_view complaint);

// Append a step to a path: a key as .key, or as ["key"] if .key could be read as something else, and a
// position as [position].
void AppendKeyStep(std::string& path, std::string_view key);
void AppendPositionStep(std::string& path, std::size_t position);

// Removes the first step from a path such as a.b[0].c, and the dot after the step.
// RETURNS: the step, which is a key or brackets with their content; empty if the path is malformed there.
std::string_view TakePathStep(std::string_view& path);

// RETURNS: the key of a ["key"] step, or nullopt for any other step.
std::optional<std::string> KeyOfQuotedStep(std::string_view step);

// RETURNS: the path for a JSON Pointer (RFC 6901). Numbers in the pointer are read as positions.
std::string PathOfPointer(std::string_view pointer);

// REQUIRES: a step in brackets.
// RETURNS:  the number in [n], or nullopt for other brackets.
std::optional<std::uint32_t> PositionOfStep(std::string_view step);

// Follows one path in many values. The records of a run repeat their shapes, so for each key, the follower
// remembers its position in the last shape.
// THREADS: one at a time.
class PathFollower {
 public:
  // REQUIRES: `path` and `shapes` outlive this.
  PathFollower(const TargetPath* path, const ShapeTable* shapes)
      : path_(path), shapes_(shapes), seen_(path->steps.size()) {}

  // Drops the known shapes. Must be called when their table is cleared.
  void Reset() { seen_.assign(seen_.size(), {}); }

  // Follows the path from its step `first` on.
  // REQUIRES: `root` is present.
  // RETURNS:  the value at the end of the path, or an absent value.
  ValueRef Follow(ValueRef root, std::size_t first = 0);

 private:
  struct Seen {
    ShapeId shape = ShapeTable::kEmptyShape;
    std::uint32_t member = ShapeTable::kNoMember;  // position of the step's key
  };

  const TargetPath* path_;
  const ShapeTable* shapes_;
  std::vector<Seen> seen_;  // indexed by step
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_TARGET_PATH_H_
