// engine/run/joined_files.h: the files that a run joins its records with, by id: the gold, and the answers of
// the base (FileOptions::versus). Both take their memory from the share for gold. THREADS: one, while they
// are read.
#ifndef LEAFSCORE_ENGINE_RUN_JOINED_FILES_H_
#define LEAFSCORE_ENGINE_RUN_JOINED_FILES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "engine/run/gold_table.h"
#include "engine/threads/memory_plan.h"
#include "leafscore/files.h"

namespace leafscore::internal {

class JoinedFiles {
 public:
  // REQUIRES: both arguments outlive this.
  JoinedFiles(const FileOptions& options, const MemoryPlan& plan) : options_(options), plan_(plan) {}

  // Read the gold and the answers of the base, and take their memory from the share for gold. Once the file
  // is read, then() uses it, and returns how much memory the file will need later.
  // ERRORS: Error(kInput), also for a field that no record has or, in the base, for several answers to an id;
  // Error(kResources); Error(kInterrupted).
  void ReadGold(bool needs_expected, const std::function<std::size_t()>& then);
  void ReadBase(const std::function<std::size_t()>& then);

  // Return the files, or null if the run does not join them.
  const GoldTable* gold() const { return gold_ ? &*gold_ : nullptr; }
  const GoldTable* base() const { return base_ ? &*base_ : nullptr; }

  // Returns the bytes of memory of both.
  std::size_t memory() const { return memory_; }

 private:
  // Reads the file that `of_table.gold` names into `table`. Messages begin with `what_takes`.
  void Read(const FileOptions& of_table, const char* id_option, std::string_view what_takes,
            std::optional<GoldTable>& table, const std::function<std::size_t()>& then);

  const FileOptions& options_;
  const MemoryPlan& plan_;
  std::optional<GoldTable> gold_;
  std::optional<GoldTable> base_;
  std::size_t memory_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_JOINED_FILES_H_
