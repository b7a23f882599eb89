// engine/evaluate/price_table.h: what tokens cost, for estimates. The user gives the prices, as these change
// faster than releases of this program:
//
//   gpt-4o: {input: 2.50, output: 10}        # US dollars per million tokens
//   claude-opus-4-5: {input: 5, output: 25}
//
// A model is looked up under its name as it is, then in short: without the providers before its last slash,
// in lower case and without a date of six or more digits at its end ("proxy/Azure/GPT-4o-20240806" is
// gpt-4o). THREADS: does not change once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_EVALUATE_PRICE_TABLE_H_
#define LEAFSCORE_ENGINE_EVALUATE_PRICE_TABLE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/config/config_value.h"

namespace leafscore::internal {

class PriceTable {
 public:
  // A table without prices, whose every estimate is absent.
  PriceTable() = default;

  // ERRORS: Error(kUsage) with source and line, for what is not as in the example above.
  PriceTable(const ConfigValue& map, const std::string& source_name);

  // Returns dollars, rounded to six decimals; nothing when the model has no price, when tokens are unknown,
  // or when both counts are 0, as runners write that for what they did not count.
  std::optional<double> Cost(std::string_view model, std::optional<double> tokens_in,
                             std::optional<double> tokens_out) const;

 private:
  struct Price {
    double input;
    double output;
  };

  std::map<std::string, Price, std::less<>> prices_;
  std::map<std::string, Price, std::less<>> by_short_name_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_PRICE_TABLE_H_
