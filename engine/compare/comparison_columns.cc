#include "engine/compare/comparison_columns.h"

#include <cmath>
#include <cstdint>

namespace leafscore::internal {
namespace {

using Row = ComparedRow;
using Figure = ComparedFigure;

std::optional<double> Finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Returns a member of a row or figure as a number.
template <auto kMember, class Of>
std::optional<double> Number(const Of& of) {
  if constexpr (requires { *(of.*kMember); }) {
    return of.*kMember ? Finite(static_cast<double>(*(of.*kMember))) : std::nullopt;
  } else {
    return Finite(static_cast<double>(of.*kMember));
  }
}

template <auto kMember, auto kEnd>
std::optional<double> End(const Figure& figure) {
  return figure.*kMember ? Finite(*(figure.*kMember).*kEnd) : std::nullopt;
}

template <auto kMember>
std::optional<double> Flip(const Row& row) {
  return row.flips ? Number<kMember>(*row.flips) : std::nullopt;
}

template <auto kMember>
std::optional<double> Repeat(const Row& row) {
  return row.repeats ? Number<kMember>(*row.repeats) : std::nullopt;
}

constexpr RowColumn kRowColumns[] = {
    {"", "records", Number<&Row::records>},
    {"", "units", Number<&Row::units>},
    {"", "effective_units", Number<&Row::effective_units>},
    {"", "units_to_fail", Number<&Row::units_to_fail>},
    {"", "say_nothing", Number<&Row::say_nothing>},
    {"", "pooled_groups", Number<&Row::pooled_groups>},
    {"", "base_pass_rate", Number<&Row::base_pass_rate>},
    {"", "now_pass_rate", Number<&Row::now_pass_rate>},
    {"flips", "pass_to_fail", Flip<&FlipCounts::pass_to_fail>},
    {"flips", "fail_to_pass", Flip<&FlipCounts::fail_to_pass>},
    {"flips", "both_pass", Flip<&FlipCounts::both_pass>},
    {"flips", "both_fail", Flip<&FlipCounts::both_fail>},
    {"flips", "p", Flip<&FlipCounts::p>},
    {"flips", "p_unpaired", Flip<&FlipCounts::p_unpaired>},
    {"repeats", "base_flake_rate", Repeat<&RepeatFigures::base_flake_rate>},
    {"repeats", "now_flake_rate", Repeat<&RepeatFigures::now_flake_rate>},
    {"repeats", "asking_noise", Repeat<&RepeatFigures::asking_noise>},
    {"repeats", "short_tests", Repeat<&RepeatFigures::short_tests>},
    // Groups and fields have no such figure.
    {"", "scored_in_both",
     [](const Row& row) {
       return row.group || row.field ? std::nullopt : Number<&Row::scored_in_both>(row);
     }},
    {"", "difference_scored", Number<&Row::difference_scored>},
    {"", "contribution", Number<&Row::contribution>},
};

constexpr FigureColumn kFigureColumns[] = {
    {"", "base", Number<&Figure::base>},
    {"", "now", Number<&Figure::now>},
    {"", "difference", Number<&Figure::difference>},
    {"", "standard_error", Number<&Figure::standard_error>},
    {"interval", "low", End<&Figure::interval, &Interval::low>},
    {"interval", "high", End<&Figure::interval, &Interval::high>},
    {"t_interval", "low", End<&Figure::t_interval, &Interval::low>},
    {"t_interval", "high", End<&Figure::t_interval, &Interval::high>},
    {"bounds", "low", End<&Figure::bounds, &Interval::low>},
    {"bounds", "high", End<&Figure::bounds, &Interval::high>},
    {"", "p", Number<&Figure::p>},
    {"", "least_p", Number<&Figure::least_p>},
    {"", "p_corrected", Number<&Figure::p_corrected>},
    {"", "p_equivalence", Number<&Figure::p_equivalence>},
    {"", "p_equivalence_corrected", Number<&Figure::p_equivalence_corrected>},
    {"", "p_t", Number<&Figure::p_t>},
    {"", "p_wilcoxon", Number<&Figure::p_wilcoxon>},
    {"", "effect", Number<&Figure::effect>},
    {"", "detectable", Number<&Figure::detectable>},
    {"", "units_for_margin", Number<&Figure::units_for_margin>},
    {"", "wins", Number<&Figure::wins>},
    {"", "ties", Number<&Figure::ties>},
    {"", "losses", Number<&Figure::losses>},
};

}  // namespace

std::span<const RowColumn> RowColumns() { return kRowColumns; }

std::span<const FigureColumn> FigureColumns() { return kFigureColumns; }

}  // namespace leafscore::internal
