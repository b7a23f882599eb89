// engine/judge/price_table.h: prices of tokens, for estimates. Prices change faster than releases of this
// program, so the built-in ones have a date, and the user may give others:
//
//   gpt-4o: {input: 2.50, output: 10}        # US dollars per million tokens
//   claude-opus-4-5: {input: 5, output: 25}
//
// A model is looked up by its name as given, then by its short name. The short name is in lower case, without
// the providers before the last slash, and without a date of six or more digits at the end;
// "proxy/Azure/GPT-4o-20240806" becomes gpt-4o. In all tables except AssetOpsBench's, dates such as
// -2024-08-06 are removed, too. THREADS: immutable once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_PRICE_TABLE_H_
#define LEAFSCORE_ENGINE_JUDGE_PRICE_TABLE_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/config/config_value.h"

namespace leafscore::internal {

class PriceTable {
 public:
  // Returns the prices of AssetOpsBench. `evaluate` uses them to estimate the cost of agents, so that its
  // figures can be compared with the benchmark's.
  static PriceTable OfAssetOpsBench();

  // Returns the prices of models on date() (engine/judge/data/model_prices.yaml).
  static const PriceTable& BuiltIn();

  // Reads the prices from a map. ERRORS: Error(kUsage), with source and line, if `map` is not like the
  // example above.
  PriceTable(const ConfigValue& map, const std::string& source_name);

  // Returns the cost in dollars, rounded to six decimals; nullopt if the model has no price, or if both
  // counts are unknown or 0. A count of 0 means unknown: runners write it for tokens that they did not count.
  std::optional<double> Cost(std::string_view model, std::optional<double> tokens_in,
                             std::optional<double> tokens_out) const;

  // Returns the cost in two parts, not rounded: for the tokens read and for the tokens written.
  struct Parts {
    double input;
    double output;
  };
  std::optional<Parts> CostParts(std::string_view model, std::optional<double> tokens_in,
                                 std::optional<double> tokens_out) const;

  // Returns the source of the prices, with its date if they are built in.
  const std::string& source() const { return source_; }

  // Returns the date of the prices of BuiltIn, as in 2026-11-28.
  static std::string_view date();
  static std::chrono::sys_days day();

 private:
  PriceTable() = default;

  struct Price {
    double input;
    double output;
  };

  void Add(const std::string& model, Price price);

  std::string source_;
  bool strips_all_dates_ = true;
  std::map<std::string, Price, std::less<>> prices_;
  std::map<std::string, Price, std::less<>> by_short_name_;
};

// The built-in prices as YAML. Their date is in a comment at the beginning.
extern const std::string_view kModelPrices;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_PRICE_TABLE_H_
