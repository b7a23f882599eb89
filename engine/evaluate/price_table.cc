#include "engine/evaluate/price_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/base/rounding.h"
#include "engine/base/suggest.h"
#include "engine/config/options.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kPriceMembers[] = {
    {"input", "number", "none", "US dollars per million tokens read"},
    {"output", "number", "none", "US dollars per million tokens written"},
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

PriceTable::PriceTable(const ConfigValue& map, const std::string& source_name) {
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
    const Price price{price_of("input"), price_of("output")};
    prices_.emplace(model.key, price);
    by_short_name_.emplace(ShortName(model.key), price);
  }
}

std::optional<double> PriceTable::Cost(std::string_view model, std::optional<double> tokens_in,
                                       std::optional<double> tokens_out) const {
  if (!tokens_in || !tokens_out || *tokens_in + *tokens_out == 0) return std::nullopt;
  auto found = prices_.find(model);
  if (found == prices_.end()) {
    found = by_short_name_.find(ShortName(model));
    if (found == by_short_name_.end()) return std::nullopt;
  }
  const Price& price = found->second;
  return RoundToDecimals(*tokens_in * price.input / kMillion + *tokens_out * price.output / kMillion, 6);
}

}  // namespace leafscore::internal
