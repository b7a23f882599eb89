// engine/judge/price_table.h: prices of tokens, for estimates. The built-in prices are those of
// AssetOpsBench, so that estimates can be compared with it. As prices change faster than releases of this
// program, the user may give others:
//
//   gpt-4o: {input: 2.50, output: 10}        # US dollars per million tokens
//   claude-opus-4-5: {input: 5, output: 25}
//
// A model is looked up by its name as given, then by its short name: without the providers before its last
// slash, in lower case, and without a date of six or more digits at its end ("proxy/Azure/GPT-4o-20240806" is
// gpt-4o). THREADS: immutable once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_PRICE_TABLE_H_
#define LEAFSCORE_ENGINE_JUDGE_PRICE_TABLE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/config/config_value.h"

namespace leafscore::internal {

class PriceTable {
 public:
  // Uses the built-in prices.
  PriceTable();

  // Uses other prices instead. ERRORS: Error(kUsage) with source and line, unless `map` is as in the example.
  PriceTable(const ConfigValue& map, const std::string& source_name);

  // Returns dollars, rounded to six decimals; nullopt if the model has no price, or if neither count is known
  // and above 0, as runners write 0 for tokens that they did not count.
  std::optional<double> Cost(std::string_view model, std::optional<double> tokens_in,
                             std::optional<double> tokens_out) const;

  // Returns the cost in two parts, not rounded: for the tokens read and for those written.
  struct Parts {
    double input;
    double output;
  };
  std::optional<Parts> CostParts(std::string_view model, std::optional<double> tokens_in,
                                 std::optional<double> tokens_out) const;

  // Returns the source of the prices: the name and date of the built-in ones, else the name of the source.
  const std::string& source() const { return source_; }

 private:
  struct Price {
    double input;
    double output;
  };

  void Add(const std::string& model, Price price);

  std::string source_;
  std::map<std::string, Price, std::less<>> prices_;
  std::map<std::string, Price, std::less<>> by_short_name_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_PRICE_TABLE_H_
