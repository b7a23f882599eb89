// engine/scores/human_labels.h: the verdicts of people on answers (--labels), and the line of scores that
// each verdict is about.
//
// The file has a JSON object on each line, with `id`, `label` (true or false, or 1 or 0), and any further
// fields of the line of scores, such as its `score`, `model` or another group field. A label is about a line
// if both have the same id and agree in every further field that both have. `model` may also be the name of
// the model whose scores are read. So a label that carries a field of its answer is never taken for a label
// of another answer to the same question.
#ifndef LEAFSCORE_ENGINE_SCORES_HUMAN_LABELS_H_
#define LEAFSCORE_ENGINE_SCORES_HUMAN_LABELS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/json/json_view.h"
#include "engine/scores/score_line.h"

namespace leafscore::internal {

class HumanLabels {
 public:
  // With `several_models`, a label must identify its answer by more than the id.
  // ERRORS: Error(kInput) for a line that is not such an object, and for a file without labels.
  HumanLabels(const std::string& file, bool several_models);

  // Returns the verdict of people on the answer of a line in `file`, which has the scores of a model.
  // THREADS: any.
  // ERRORS: Error(kInput) if several labels are about the line, if a label does not say which answer it
  // means, or if a label fits answers of several models or files.
  std::optional<bool> VerdictOn(JsonView line, const ScoreLine& score, std::string_view file,
                                std::string_view model) const;

  // Returns sentences about labels that have fit no line so far, and about what could not be checked.
  std::vector<std::string> Notes() const;

 private:
  struct Field {
    std::size_t name;  // in names_
    std::string json;
    std::optional<std::string> text;  // if it is a text
    std::optional<double> number;
  };
  struct Label {
    std::uint64_t line = 0;
    std::string id;
    bool passes = false;
    std::vector<Field> fields;
    mutable std::atomic<bool> is_asked = false;  // a line has its id
    mutable std::atomic<bool> is_used = false;
    mutable std::atomic<std::uint64_t> scores =
        0;  // a hash of the file and model that it is about; 0: none so far
  };
  struct Name {
    std::string text;
    mutable std::atomic<bool> is_there = false;  // in a line with the id of a label
  };

  void Add(JsonView label, std::uint64_t line);
  std::size_t NameOf(std::string_view name);
  bool IsAbout(const Label& label, JsonView line, std::string_view model, bool& is_bound) const;

  std::string file_;
  bool several_models_;
  std::deque<Label> labels_;
  std::deque<Name> names_;
  TextMap<std::string, std::vector<const Label*>> by_id_;
  mutable std::atomic<bool> has_bound_ = false;  // a label was bound to its line by more than the id
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_HUMAN_LABELS_H_
