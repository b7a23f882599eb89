// engine/scorers/static_json/answer_side.h: one side of a record as a value that is not flattened yet. Some
// rules need its members, its lists, or the letter that it consists of.
// THREADS: one at a time; each worker owns its own.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_ANSWER_SIDE_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_ANSWER_SIDE_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/match/pair_walker.h"
#include "engine/scorers/static_json/flat_answer.h"
#include "engine/scorers/static_json/python_values.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

class AnswerSide {
 public:
  struct Member {
    std::string_view name;
    ValueRef value;
  };

  // Takes the given value; if it is a text, `reader` reads it.
  // REQUIRES: the value outlives the use of this object.
  void Read(ValueRef given, const ShapeTable& shapes, AnswerReader& reader);

  // Takes members that were selected one by one, as if they formed an object. REQUIRES: as for Read.
  void SetMembers(std::vector<Member> members);

  // If the text picks a letter, the letter replaces the value that was read from the text. RETURNS: whether
  // the text picks a letter.
  bool ReadChoice();

  // Adds the leaves of the value. REQUIRES: Read.
  void Flatten(AnswerFlattener& flattener, FlatAnswer& flat) const;

  // value() is absent for a text and for selected members.
  bool is_text() const { return is_text_; }
  std::string_view text() const { return text_; }
  ValueRef value() const { return value_; }
  bool IsNull() const { return value_.present() && value_.kind() == ValueKind::kNull; }
  bool is_object() const { return is_object_; }
  const std::vector<Member>& members() const { return members_; }
  // Returns the value of a member as Python sees it; absent if there is no such member.
  PythonValue Find(std::string_view name) const;
  PythonValue AsPython(ValueRef value) const { return {value, marks_tuples_}; }

  // Returns whether the given value is null or a text of white space.
  bool is_blank() const { return is_blank_; }
  const AnswerSteps& steps() const { return read_.steps; }

 private:
  bool was_text_ = false;  // before reading it
  bool is_text_ = false;
  bool is_blank_ = false;
  bool is_object_ = false;
  bool marks_tuples_ = false;
  ValueRef value_;
  std::string_view text_;
  std::vector<Member> members_;
  std::string given_;   // the text that was given
  std::string string_;  // the string in the given text, if it is read as a string
  ReadAnswer read_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_ANSWER_SIDE_H_
