// engine/match/target_path.h: parses paths into JSON values, such as items[0].name, and follows them. A key
// that contains a dot or a bracket, is empty, or could be read as something else is written as a JSON string
// in brackets: items["a.b"].
#ifndef LEAFSCORE_ENGINE_MATCH_TARGET_PATH_H_
#define LEAFSCORE_ENGINE_MATCH_TARGET_PATH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"

namespace leafscore::internal {

// Keys and array positions. Immutable once made.
struct TargetPath {
  static constexpr std::uint32_t kNoPosition = std::numeric_limits<std::uint32_t>::max();
  struct Step {
    std::string key;                       // in an object
    std::uint32_t position = kNoPosition;  // in an array

    // Returns whether the step leads into objects; an empty key also does.
    bool has_key() const { return !key.empty() || position == kNoPosition; }
  };

  // Both parsers ignore extra dots and empty brackets: a.b, a..b, .a.b. and a[b] are one path.
  //
  // Parses a.b[0].c, where digits alone in brackets are an array position and everything else is a key, or
  // "*" for the whole value. RETURNS: nullopt if the path has no steps.
  static std::optional<TargetPath> Parse(std::string_view text);
  // Parses a path in which digits are an array position in arrays and a key in objects: a.0.b is a[0].b.
  // RETURNS: no steps if there is nothing between dots and brackets.
  static TargetPath ParseLoosely(std::string_view text);

  // RETURNS: the path as a.b[0]["c.d"]; empty for the whole value.
  std::string Canonical() const;

  std::string text;         // as written
  std::vector<Step> steps;  // empty: the whole value
};

// Append a step to a path: a key as .key, or as ["key"] if it could be read as something else; a position as
// [position].
void AppendKeyStep(std::string& path, std::string_view key);
void AppendPositionStep(std::string& path, std::size_t position);

// Removes the first step from a path such as a.b[0].c, with the dot after it. RETURNS: the step, a key or
// brackets with their content; empty if the path is malformed there.
std::string_view TakePathStep(std::string_view& path);

// RETURNS: the key of a ["key"] step, or nullopt for any other step.
std::optional<std::string> KeyOfQuotedStep(std::string_view step);

// RETURNS: the path for a JSON Pointer (RFC 6901), whose numbers are taken as positions.
std::string PathOfPointer(std::string_view pointer);

// RETURNS: the n of a step [n], or nullopt for other brackets. REQUIRES: a step in brackets.
std::optional<std::uint32_t> PositionOfStep(std::string_view step);

// Follows one path in many values. As the records of a run repeat their shapes, it remembers the position of
// each key in the last shape. THREADS: one at a time.
class PathFollower {
 public:
  // REQUIRES: `path` and `shapes` outlive this.
  PathFollower(const TargetPath* path, const ShapeTable* shapes)
      : path_(path), shapes_(shapes), seen_(path->steps.size()) {}

  // Drops the known shapes. REQUIRES: called when their table was cleared.
  void Reset() { seen_.assign(seen_.size(), {}); }

  // RETURNS: the value at the end of the path, or an absent one. REQUIRES: `root` is present.
  ValueRef Follow(ValueRef root);

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
