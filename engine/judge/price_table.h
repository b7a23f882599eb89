// engine/judge/price_table.h: what tokens cost, for estimates. The prices that are shipped are those of
// AssetOpsBench, so that estimates compare with its own. As prices change faster than releases of this
// program, the user may give others:
//
//   gpt-4o: {input: 2.50, output: 10}        # US dollars per million tokens
//   claude-opus-4-5: {input: 5, output: 25}
//
// A model is looked up under its name as it is, then in short: without the providers before its last slash,
// in lower case and without a date of six or more digits at its end ("proxy/Azure/GPT-4o-20240806" is
// gpt-4o). THREADS: does not change once made; any number may read it.
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
  // The prices that are shipped.
  PriceTable();

  // Other prices in their place. ERRORS: Error(kUsage) with source and line, for what is not as in the
  // example above.
  PriceTable(const ConfigValue& map, const std::string& source_name);

  // Returns dollars, rounded to six decimals; nothing when the model has no price, or when neither count is
  // known and above 0, as runners write 0 for what they did not count.
  std::optional<double> Cost(std::string_view model, std::optional<double> tokens_in,
                             std::optional<double> tokens_out) const;

  // Returns the same in its two parts, not rounded: of the tokens read and of those written.
  struct Parts {
    double input;
    double output;
  };
  std::optional<Parts> CostParts(std::string_view model, std::optional<double> tokens_in,
                                 std::optional<double> tokens_out) const;

  // Where the prices are from: the name and date of those that are shipped, else the source's name.
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
