// Where the models of a plan are asked, as Python holds it.
#ifndef LEAFSCORE_PYTHON_BINDINGS_JUDGES_H_
#define LEAFSCORE_PYTHON_BINDINGS_JUDGES_H_

#include <sys/types.h>

#include <memory>

#include "leafscore/judges.h"

namespace leafscore::python {

// A process that was forked has none of the threads that work for it, so it may neither ask nor end it.
class Judges {
 public:
  explicit Judges(const JudgeRules& rules);
  ~Judges();
  Judges(const Judges&) = delete;
  Judges& operator=(const Judges&) = delete;

  // ERRORS: Error(kUsage) when it was made before a fork, or closed.
  const std::shared_ptr<leafscore::Judges>& service() const;

  // Ends it, once no call uses it any more.
  void Close();

 private:
  bool is_ours() const;

  std::shared_ptr<leafscore::Judges> service_;
  pid_t process_;
};

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_JUDGES_H_
