#include "engine/run/line_id.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/io/input_format.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {
namespace {

// Returns the text of a JSON string; `inside` is the part between its quotes. RETURNS: nullopt if the string
// is not valid.
std::optional<std::string> StringText(std::string_view inside) {
  std::size_t fault = 0;
  const bool has_controls =
      std::ranges::any_of(inside, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (has_controls || FindInvalidUtf8(inside) != inside.size()) return std::nullopt;
  if (ClassifyEscapes(inside, &fault) == TokenClass::kInvalid) return std::nullopt;
  std::string text;
  AppendUnescaped(inside, text);
  return text;
}

class LineWalk {
 public:
  LineWalk(std::string_view text, const std::string& id_field, std::size_t fault)
      : text_(text), field_(id_field), path_(TargetPath::Parse(id_field)), fault_(fault) {}

  std::optional<LineId> Find();

 private:
  // An open object or array on the path to the id.
  struct Level {
    bool is_object = false;
    std::uint32_t position = 0;
    std::optional<std::string> key;  // key of the next value, in an object
  };

  void Open(bool is_object);
  void Close();
  void TakeString();
  void TakeNumber();
  void TakeId(LineId id);
  bool IsStep() const;
  bool IsId() const;

  std::string_view text_;
  const std::string& field_;
  std::optional<TargetPath> path_;
  std::size_t fault_;
  std::size_t at_ = 0;
  std::vector<Level> levels_;  // levels that the path may lead into
  std::size_t deeper_ = 0;     // open levels below the last of levels_
  std::optional<LineId> certain_;
  std::optional<LineId> other_;
  bool has_several_ = false;
};

// Returns whether the path leads to the next value.
bool LineWalk::IsStep() const {
  if (!path_ || levels_.size() > path_->steps.size()) return false;
  const Level& level = levels_.back();
  const TargetPath::Step& step = path_->steps[levels_.size() - 1];
  return level.is_object ? step.has_key() && level.key == step.key : step.position == level.position;
}

// Returns whether the next value is the id.
bool LineWalk::IsId() const {
  if (deeper_ > 0) return false;
  if (levels_.size() == 1 && levels_[0].key == field_) return true;
  return path_ && levels_.size() == path_->steps.size() && IsStep();
}

void LineWalk::Open(bool is_object) {
  ++at_;
  const bool leads_here = levels_.empty() || (deeper_ == 0 && IsStep());
  if (leads_here) {
    levels_.emplace_back().is_object = is_object;
  } else {
    ++deeper_;
  }
}

void LineWalk::Close() {
  ++at_;
  if (deeper_ > 0) {
    --deeper_;
  } else {
    levels_.pop_back();
  }
  if (deeper_ == 0 && !levels_.empty()) levels_.back().key.reset();
}

void LineWalk::TakeId(LineId id) {
  if (at_ <= fault_) {
    certain_ = std::move(id);
  } else if (!other_) {
    other_ = std::move(id);
  } else if (other_->json != id.json) {
    has_several_ = true;
  }
}

void LineWalk::TakeString() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) {  // it is cut off
    at_ = text_.size();
    return;
  }
  const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  const std::size_t behind = std::min(text_.find_first_not_of(kJsonSpace, at_), text_.size());
  Level& level = levels_.back();
  const bool is_key = level.is_object && !level.key && behind < text_.size() && text_[behind] == ':';
  if (deeper_ > 0) return;
  if (is_key) {
    level.key = StringText(inside);
    return;
  }
  const std::optional<std::string> text = IsId() ? StringText(inside) : std::nullopt;
  if (text) {
    LineId id{{}, *text};
    AppendJsonString(id.json, *text);
    TakeId(std::move(id));
  }
  level.key.reset();
}

void LineWalk::TakeNumber() {
  const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
  const std::string number(text_.substr(at_, end - at_));
  at_ = end;
  // A number at the end of the text may be cut off.
  const bool ends = end < text_.size() && (kJsonSpace.find(text_[end]) != kJsonSpace.npos ||
                                           text_[end] == ',' || text_[end] == '}' || text_[end] == ']');
  if (ends && IsId() && ClassifyNumber(number) != TokenClass::kInvalid) TakeId({number, number});
  if (deeper_ == 0) levels_.back().key.reset();
}

std::optional<LineId> LineWalk::Find() {
  at_ = std::min(text_.find_first_not_of(kJsonSpace), text_.size());
  if (at_ == text_.size() || text_[at_] != '{') return std::nullopt;
  Open(/*is_object=*/true);
  while (at_ < text_.size() && !levels_.empty()) {
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      Open(c == '{');
    } else if (c == '}' || c == ']') {
      Close();
    } else if (c == '"') {
      TakeString();
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      TakeNumber();
    } else {
      if (c == ',' && deeper_ == 0) {
        levels_.back().key.reset();
        ++levels_.back().position;
      }
      ++at_;
    }
  }
  if (certain_) return certain_;
  return has_several_ ? std::nullopt : other_;
}

}  // namespace

std::optional<LineId> FindLineId(std::string_view text, const std::string& id_field, std::size_t fault) {
  return LineWalk(text, id_field, fault).Find();
}

}  // namespace leafscore::internal
