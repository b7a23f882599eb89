// engine/judge/judge_account.h: what the judges of a run did, and what it cost. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_ACCOUNT_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_ACCOUNT_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "engine/judge/judge_reply.h"
#include "engine/judge/judge_request.h"
#include "engine/judge/latencies.h"
#include "engine/judge/price_table.h"
#include "leafscore/report.h"

namespace leafscore::internal {

class JudgeAccount {
 public:
  // `prices` takes precedence over the prices of the endpoints and the built-in prices; it must outlive this,
  // or is null. `rate` is the share of the price that is paid.
  JudgeAccount(const PriceTable* prices, double rate) : prices_(prices), rate_(rate) {}

  bool HasPrice(const JudgeEndpoint& endpoint) const { return PricesOf(endpoint) != nullptr; }

  // Returns the cost in dollars of a question with these numbers of tokens; nullopt if its model has no
  // price.
  std::optional<double> CostOf(const JudgeEndpoint& endpoint, double tokens_in, double tokens_out) const;

  // Adds the tokens of a question and their cost. RETURNS: the cost in dollars; 0 if the model has no price.
  double AddTokens(const JudgeEndpoint& endpoint, double tokens_in, double tokens_out);

  void AddModel(const std::string& model) { models_.insert(model); }
  void AddLatency(std::chrono::microseconds latency) { latencies_.Add(latency); }
  void AddCached() { ++figures_.cached; }
  void AddAskedAgain() { ++figures_.asked_again; }
  void AddRequests(std::uint64_t requests, std::uint64_t retries);

  // Adds a question that the service answered without these parameters.
  void AddLeftOut(ParameterSet parameters);

  // Adds a question that got no answer; does nothing if `fault` has no reason.
  void AddFault(const ReplyFault& fault);

  // Adds a reply that gave a score, by how it was read (`read_as` of docs/judges.md).
  void AddReading(const SharedEndpoint& endpoint, std::string_view read_as);

  // Adds a reply without a score, whether from the cache or new. RETURNS: how many replies of the endpoint in
  // a row had no score.
  std::uint64_t AddUnread(const SharedEndpoint& endpoint) { return ++unread_in_a_row_[endpoint]; }

  // Returns the dollars of all questions whose models have prices.
  double cost() const { return cost_; }

  JudgeReport Report() const;

 private:
  const PriceTable* PricesOf(const JudgeEndpoint& endpoint) const;

  const PriceTable* prices_;
  double rate_;
  JudgeReport figures_;
  std::map<RejectReason, JudgeFault> faults_;
  std::map<SharedEndpoint, std::uint64_t> unread_in_a_row_;
  std::set<std::string> models_;
  Latencies latencies_;
  std::set<std::string> price_sources_;
  double cost_ = 0;
  bool is_cost_known_ = true;  // every model has a price
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_ACCOUNT_H_
