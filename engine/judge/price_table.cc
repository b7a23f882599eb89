#include "engine/judge/price_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/base/model_name.h"
#include "engine/base/rounding.h"
#include "engine/base/suggest.h"
#include "engine/config/config_parser.h"
#include "engine/config/options.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kPriceMembers[] = {
    {"input", "number", "none", "US dollars per million tokens read"},
    {"output", "number", "none", "US dollars per million tokens written"},
};
constexpr char kAssetOpsBenchSource[] = "AssetOpsBench, 2026-09";
constexpr struct {
  const char* model;
  double input;
  double output;
} kAssetOpsBench[] = {
    {"claude-opus-5", 5, 25},
    {"claude-sonnet-5", 2, 10},
    {"claude-opus-4-5", 15, 75},
    {"claude-opus-4-1", 15, 75},
    {"claude-sonnet-4-6", 3, 15},
    {"claude-haiku-4-5", 1, 5},
    {"gpt-5", 10, 30},
    {"gpt-5.6-sol", 5, 30},
    {"gemini-3.6-flash", 1.5, 7.5},
    {"minimax-m3", 0.3, 1.2},
    {"gpt-4.1", 3, 12},
    {"gpt-4o", 2.5, 10},
    {"llama-4-maverick", 0.27, 0.85},
};
constexpr double kMillion = 1e6;
constexpr double kHighestPrice = 1e6;
constexpr std::size_t kShortestDate = 6;

std::string ShortName(std::string_view model) {
  std::string name(model.substr(model.rfind('/') + 1));  // npos + 1 is 0
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos || name.size() - dash - 1 < kShortestDate) return name;
  if (name.find_first_not_of("0123456789", dash + 1) == std::string::npos) name.resize(dash);
  return name;
}

}  // namespace

PriceTable PriceTable::OfAssetOpsBench() {
  PriceTable table;
  table.source_ = kAssetOpsBenchSource;
  table.strips_all_dates_ = false;
  for (const auto& [model, input, output] : kAssetOpsBench) table.Add(model, {input, output});
  return table;
}

const PriceTable& PriceTable::BuiltIn() {
  static const PriceTable table = [] {
    const std::string source = fmt::format("leafscore, {}", date());
    return PriceTable(ParseConfig(std::string(kModelPrices), source), source);
  }();
  return table;
}

std::chrono::sys_days PriceTable::day() {
  const auto number = [](std::size_t begin, std::size_t digits) {
    return std::stoi(std::string(date().substr(begin, digits)));
  };
  return std::chrono::year(number(0, 4)) / number(5, 2) / number(8, 2);
}

std::string_view PriceTable::date() {
  constexpr std::string_view kBegin = "# Prices of ";
  return kModelPrices.substr(kBegin.size(), std::string_view("2026-11-28").size());
}

PriceTable::PriceTable(const ConfigValue& map, const std::string& source_name) : source_(source_name) {
  constexpr char kShape[] = "prices are a map such as gpt-4o: {input: 2.50, output: 10}";
  if (map.kind != ConfigValue::Kind::kMap) throw ConfigError(source_name, map.line, kShape);
  for (const ConfigMember& model : map.members) {
    if (model.value.kind != ConfigValue::Kind::kMap) throw ConfigError(source_name, model.line, kShape);
    const OptionReader reader(model.value, kPriceMembers, "price of " + QuoteForMessage(model.key),
                              source_name);
    const auto price_of = [&](const char* member) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      const double price = reader.GetNumber(member, none, 0, kHighestPrice);
      if (!std::isnan(price)) return price;
      throw ConfigError(source_name, model.line,
                        fmt::format("{} has no \"{}\" price", QuoteForMessage(model.key), member));
    };
    Add(model.key, {price_of("input"), price_of("output")});
  }
}

void PriceTable::Add(const std::string& model, Price price) {
  prices_.emplace(model, price);
  by_short_name_.emplace(ShortName(model), price);
}

std::optional<PriceTable::Parts> PriceTable::CostParts(std::string_view model,
                                                       std::optional<double> tokens_in,
                                                       std::optional<double> tokens_out) const {
  const double in = tokens_in.value_or(0);
  const double out = tokens_out.value_or(0);
  if (in + out == 0) return std::nullopt;
  auto found = prices_.find(model);
  if (found == prices_.end()) {
    found = by_short_name_.find(ShortName(model));
    if (found == by_short_name_.end() && strips_all_dates_)
      found = by_short_name_.find(CommonModelName(model));
    if (found == by_short_name_.end()) return std::nullopt;
  }
  const Price& price = found->second;
  return Parts{in * price.input / kMillion, out * price.output / kMillion};
}

std::optional<double> PriceTable::Cost(std::string_view model, std::optional<double> tokens_in,
                                       std::optional<double> tokens_out) const {
  const std::optional<Parts> parts = CostParts(model, tokens_in, tokens_out);
  if (!parts) return std::nullopt;
  return RoundToDecimals(parts->input + parts->output, 6);
}

}  // namespace leafscore::internal
