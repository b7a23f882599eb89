// The edit distances of every workload on every instruction set, for bench/kernel_instructions.py: it counts
// the instructions between the writes of this program.
#include <unistd.h>

#include <string>
#include <vector>

#include "bench/string_workloads.h"
#include "engine/distance/kernel_memory.h"
#include "kernels/levenshtein.h"

namespace leafscore::internal {
namespace {

void Write(const std::string& text) {
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) _exit(1);
}

void Run() {
  KernelScratch scratch;
  for (const StringWorkload& workload : MakeStringWorkloads()) {
    const StringColumn left = workload.left.column(), right = workload.right.column();
    std::vector<std::uint32_t> distances(left.size);
    const std::span<std::byte> memory = scratch.OfSize(LevenshteinScratchBytes(left, right));
    for (const Isa isa : AvailableIsas()) {
      Write("before\n");
      LevenshteinBatch(left, right, distances, memory, isa);
      Write(std::string(IsaName(isa)) + ' ' + workload.name + ' ' + std::to_string(workload.cells) + '\n');
    }
  }
}

}  // namespace
}  // namespace leafscore::internal

int main() { leafscore::internal::Run(); }
