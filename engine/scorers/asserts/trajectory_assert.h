// engine/scorers/asserts/trajectory_assert.h: AgentV's asserts of the type `trajectory:*`, which examine the
// tool calls and commands of a run. Immutable once read, so any thread may read it.
#ifndef LEAFSCORE_ENGINE_SCORERS_ASSERTS_TRAJECTORY_ASSERT_H_
#define LEAFSCORE_ENGINE_SCORERS_ASSERTS_TRAJECTORY_ASSERT_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

class CallReader;
struct ToolCall;

enum class TrajectoryKind : std::uint8_t { kToolUsed, kToolSequence, kToolArgs, kStepCount };

// The parts of a type such as trajectory:tool-used or not-trajectory:tool-used.
struct TrajectoryType {
  TrajectoryKind kind;
  bool inverse;
};

// RETURNS: nullopt for any other type.
std::optional<TrajectoryType> TrajectoryTypeOf(std::string_view type);

struct TrajectoryAssert {
  TrajectoryKind kind = TrajectoryKind::kToolUsed;
  bool inverse = false;
  std::vector<std::string> patterns = {};  // for names, in lower case
  bool counts = false;                     // kToolUsed: calls between min and max
  double min = 1;
  double max = std::numeric_limits<double>::infinity();
  bool exact = false;                     // kToolSequence, kToolArgs
  std::string args_json = {};             // kToolArgs: an object
  std::string defaults_json = {};         // kToolArgs: an object, or empty
  std::vector<std::string> ignored = {};  // kToolArgs: patterns of arguments, in lower case
  bool of_commands = false;               // kStepCount: counts commands, not tools
  std::string fault = {};                 // why the value cannot be used; the assert then scores 0
};

// Reads the value of an assert.
TrajectoryAssert ReadTrajectoryAssert(TrajectoryType type, const ConfigValue& value);

// Tells whether the calls of a run satisfy an assert. REQUIRES: the assert has no fault.
bool PassesTrajectory(const TrajectoryAssert& rule, std::span<const ToolCall> calls, CallReader& reader);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ASSERTS_TRAJECTORY_ASSERT_H_
