#include "engine/judge/judge_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace leafscore::internal {

// Returns the table with the price of a model; null if there is no such table.
const PriceTable* JudgeAccount::PricesOf(const JudgeEndpoint& endpoint) const {
  for (const PriceTable* const table : {prices_, endpoint.prices.get(), &PriceTable::BuiltIn()}) {
    if (table != nullptr && table->Cost(endpoint.model, 1, 1)) return table;
  }
  return nullptr;
}

std::optional<double> JudgeAccount::CostOf(const JudgeEndpoint& endpoint, double tokens_in,
                                           double tokens_out) const {
  const PriceTable* const table = PricesOf(endpoint);
  const std::optional<double> cost =
      table == nullptr ? std::nullopt : table->Cost(endpoint.model, tokens_in, tokens_out);
  return cost ? std::optional(rate_ * *cost) : std::nullopt;
}

double JudgeAccount::AddTokens(const JudgeEndpoint& endpoint, double tokens_in, double tokens_out) {
  figures_.prompt_tokens += tokens_in;
  figures_.completion_tokens += tokens_out;
  if (const PriceTable* const table = PricesOf(endpoint)) price_sources_.insert(table->source());
  const std::optional<double> cost = CostOf(endpoint, tokens_in, tokens_out);
  is_cost_known_ = is_cost_known_ && cost;
  cost_ += cost.value_or(0);
  return cost.value_or(0);
}

void JudgeAccount::AddRequests(std::uint64_t requests, std::uint64_t retries) {
  figures_.requests += requests;
  figures_.retries += retries;
}

void JudgeAccount::AddLeftOut(ParameterSet parameters) {
  figures_.left_out.temperature += parameters[kTemperatureParameter];
  figures_.left_out.max_tokens += parameters[kMaxTokensParameter];
  figures_.left_out.seed += parameters[kSeedParameter];
}

void JudgeAccount::AddFault(const ReplyFault& fault) {
  if (fault.reason == RejectReason::kNone) return;
  const auto counted = faults_.try_emplace(fault.reason, JudgeFault{fault.reason, 0, fault.message}).first;
  ++counted->second.count;
}

void JudgeAccount::AddReading(const SharedEndpoint& endpoint, std::string_view read_as) {
  unread_in_a_row_[endpoint] = 0;
  ReplyForms& forms = figures_.read_as;
  ++(read_as == kJsonSchema   ? forms.json_schema
     : read_as == kToolCall   ? forms.tool_call
     : read_as == kJsonObject ? forms.json_object
     : read_as == "json"      ? forms.json
                              : forms.text);
}

JudgeReport JudgeAccount::Report() const {
  JudgeReport report = figures_;
  if (is_cost_known_) report.cost = cost_;
  report.prices = price_sources_.empty() ? PriceTable::BuiltIn().source()
                                         : fmt::format("{}", fmt::join(price_sources_, "; "));
  report.latency_p50 = latencies_.Percentile(0.50);
  report.latency_p95 = latencies_.Percentile(0.95);
  for (const auto& [reason, fault] : faults_) report.faults.push_back(fault);
  std::ranges::stable_sort(report.faults, std::greater<>(), &JudgeFault::count);
  report.models.assign(models_.begin(), models_.end());
  return report;
}

}  // namespace leafscore::internal
