// engine/match/target_path.h: paths into JSON values, such as items[0].name, and how they are followed.
// A key that holds a dot or a bracket, that is empty or that means something else where it stands is written
// as a JSON string in brackets: items["a.b"].
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

// Keys, and positions in arrays. Immutable once made.
struct TargetPath {
  static constexpr std::uint32_t kNoPosition = std::numeric_limits<std::uint32_t>::max();
  struct Step {
    std::string key;                       // in an object
    std::uint32_t position = kNoPosition;  // in an array

    // Whether the step leads into objects; the empty text is a key as well.
    bool has_key() const { return !key.empty() || position == kNoPosition; }
  };

  // Both parse what stands between dots and brackets, however many there are: a.b, a..b, .a.b. and a[b] are
  // one path.
  //
  // Parses a.b[0].c, where digits alone in brackets are a position in an array and all else is a key, or "*"
  // for the whole value. RETURNS: nothing when nothing stands there.
  static std::optional<TargetPath> Parse(std::string_view text);
  // Parses a path in which any digits are a position in an array and a key in an object: a.0.b is a[0].b.
  // RETURNS: no steps when there is nothing between dots and brackets.
  static TargetPath ParseLoosely(std::string_view text);

  // RETURNS: the path as a.b[0]["c.d"]; empty for the whole value.
  std::string Canonical() const;

  std::string text;         // as written
  std::vector<Step> steps;  // none: the whole value
};

// Appends a step to a path: a key as .key, or as ["key"] where it could be read as something else;
// [position].
void AppendKeyStep(std::string& path, std::string_view key);
void AppendPositionStep(std::string& path, std::size_t position);

// Takes the first step off a path such as a.b[0].c, with the dot behind it: a key, or brackets and what is in
// them. RETURNS: the step; empty when the path is malformed there.
std::string_view TakePathStep(std::string_view& path);

// RETURNS: the key of a step ["key"], or nothing for another step.
std::optional<std::string> KeyOfQuotedStep(std::string_view step);

// RETURNS: the path that a JSON Pointer (RFC 6901) means when its numbers are positions.
std::string PathOfPointer(std::string_view pointer);

// RETURNS: the n of a step [n], or nothing for another one in brackets. REQUIRES: a step in brackets.
std::optional<std::uint32_t> PositionOfStep(std::string_view step);

// Follows one path in value after value. The records of a run repeat their shapes, so it remembers where each
// key was in the shape that it met last. THREADS: one at a time.
class PathFollower {
 public:
  // REQUIRES: `path` and `shapes` outlive this.
  PathFollower(const TargetPath* path, const ShapeTable* shapes)
      : path_(path), shapes_(shapes), seen_(path->steps.size()) {}

  // Forgets the shapes met. REQUIRES: called when their table was cleared.
  void Reset() { seen_.assign(seen_.size(), {}); }

  // RETURNS: the value that the path leads to, or an absent one. REQUIRES: `root` is present.
  ValueRef Follow(ValueRef root);

 private:
  struct Seen {
    ShapeId shape = ShapeTable::kEmptyShape;
    std::uint32_t member = ShapeTable::kNoMember;  // that of the step's key
  };

  const TargetPath* path_;
  const ShapeTable* shapes_;
  std::vector<Seen> seen_;  // by step
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_TARGET_PATH_H_
