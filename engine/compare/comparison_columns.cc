#include "engine/compare/comparison_columns.h"

#include <cmath>
#include <cstdint>

namespace leafscore::internal {
namespace {

using Mean = ComparedMean;

std::optional<double> Finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

template <auto kMember>
std::optional<double> Count(const Mean& mean) {
  return static_cast<double>(mean.*kMember);
}

template <auto kMember>
std::optional<double> Figure(const Mean& mean) {
  return Finite(mean.*kMember);
}

template <auto kMember, auto kEnd>
std::optional<double> End(const Mean& mean) {
  return mean.*kMember ? Finite(*(mean.*kMember).*kEnd) : std::nullopt;
}

template <auto kMember>
std::optional<double> FlipCount(const Mean& mean) {
  return mean.flips ? std::optional(static_cast<double>(*mean.flips.*kMember)) : std::nullopt;
}

template <auto kMember>
std::optional<double> FlipFigure(const Mean& mean) {
  return mean.flips ? Finite(*mean.flips.*kMember) : std::nullopt;
}

// Groups and fields have no such figure.
bool IsOfScorer(const Mean& mean) { return !mean.group && !mean.field; }

constexpr MeanColumn kColumns[] = {
    {"", "records", Count<&Mean::records>},
    {"", "units", Count<&Mean::units>},
    {"", "say_nothing", Count<&Mean::say_nothing>},
    {"", "base", Figure<&Mean::base>},
    {"", "now", Figure<&Mean::now>},
    {"", "difference", Figure<&Mean::difference>},
    {"", "standard_error", Figure<&Mean::standard_error>},
    {"interval", "low", End<&Mean::interval, &Interval::low>},
    {"interval", "high", End<&Mean::interval, &Interval::high>},
    {"t_interval", "low", End<&Mean::t_interval, &Interval::low>},
    {"t_interval", "high", End<&Mean::t_interval, &Interval::high>},
    {"", "p", Figure<&Mean::p>},
    {"", "p_t", Figure<&Mean::p_t>},
    {"", "p_corrected", Figure<&Mean::p_corrected>},
    {"", "p_equivalence", Figure<&Mean::p_equivalence>},
    {"", "p_equivalence_corrected", Figure<&Mean::p_equivalence_corrected>},
    {"", "p_wilcoxon", Figure<&Mean::p_wilcoxon>},
    {"", "effect", Figure<&Mean::effect>},
    {"", "detectable", Figure<&Mean::detectable>},
    {"", "more_units",
     [](const Mean& m) {
       return m.more_units ? std::optional(static_cast<double>(*m.more_units)) : std::nullopt;
     }},
    {"", "wins", Count<&Mean::wins>},
    {"", "ties", Count<&Mean::ties>},
    {"", "losses", Count<&Mean::losses>},
    {"", "base_pass_rate", Figure<&Mean::base_pass_rate>},
    {"", "now_pass_rate", Figure<&Mean::now_pass_rate>},
    {"flips", "pass_to_fail", FlipCount<&FlipCounts::pass_to_fail>},
    {"flips", "fail_to_pass", FlipCount<&FlipCounts::fail_to_pass>},
    {"flips", "both_pass", FlipCount<&FlipCounts::both_pass>},
    {"flips", "both_fail", FlipCount<&FlipCounts::both_fail>},
    {"flips", "p", FlipFigure<&FlipCounts::p>},
    {"flips", "p_unpaired", FlipFigure<&FlipCounts::p_unpaired>},
    {"", "scored_in_both",
     [](const Mean& m) { return IsOfScorer(m) ? Count<&Mean::scored_in_both>(m) : std::nullopt; }},
    {"", "difference_scored", Figure<&Mean::difference_scored>},
    {"", "contribution", Figure<&Mean::contribution>},
};

}  // namespace

std::span<const MeanColumn> MeanColumns() { return kColumns; }

}  // namespace leafscore::internal
