// corpus/pair_generator.h: realistic (expected, actual) pairs for demos, tests and benchmarks. A record
// depends only on the options and its index, and is the same bytes on every machine. All of it, such as
// random numbers, amounts and dates, is computed in integers.
#ifndef LEAFSCORE_CORPUS_PAIR_GENERATOR_H_
#define LEAFSCORE_CORPUS_PAIR_GENERATOR_H_

#include <cstdint>
#include <string>

#include "corpus/profiles.h"
#include "corpus/random.h"

namespace leafscore::internal::corpus {

struct GeneratorOptions {
  Profile profile = Profile::kInvoices;
  std::uint64_t seed = 1;
  // Chance in [0, 1] that a leaf of model-b is damaged. model-a errs half as often as model-b, model-c one
  // and a half times as often. At 0 both sides are equal values, though not always written alike.
  double error_rate = 0.15;
};

class PairGenerator {
 public:
  explicit PairGenerator(GeneratorOptions options);

  // Appends record `index` as one line of strict JSON with its '\n':
  // {"id": "inv-000001", "model": "model-a", "expected": {...}, "actual": ...}. Ids count from 1 and differ;
  // the models take turns; `actual` is an object, or now and then a string that holds a raw answer. The error
  // rate does not change `expected`.
  // COST: 5 to 10 ns a byte. THREADS: any number may call it with distinct outputs.
  void AppendRecord(std::uint64_t index, std::string& out) const;

 private:
  const Profile profile_;
  const std::uint64_t seed_;
  const Probability error_rate_;
};

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_PAIR_GENERATOR_H_
