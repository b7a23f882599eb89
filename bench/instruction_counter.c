// A plugin of qemu-user that prints how many instructions the program has run, and a space, before each of
// its writes to the standard output, and the sum in a line of standard error at its end. Debian ships no header for plugins; what is declared here is from qemu's
// docs/devel/tcg-plugins.rst, version 1 of the interface.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu_plugin_tb;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* tb);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*call)(uint64_t, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* tb, enum qemu_plugin_op op, void* to,
                                              uint64_t value);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, void (*call)(uint64_t, unsigned, int64_t, uint64_t,
                                                                    uint64_t, uint64_t, uint64_t, uint64_t,
                                                                    uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(uint64_t id, void (*call)(uint64_t, void*), void* data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t instructions;

static void CountBlock(uint64_t id, struct qemu_plugin_tb* block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &instructions,
                                           qemu_plugin_tb_n_insns(block));
}

static void PrintAtWrites(uint64_t id, unsigned cpu, int64_t number, uint64_t descriptor, uint64_t a2,
                          uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
  (void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
  const int is_write =
      number == 1 || number == 64;  // on x86-64 and on 64-bit ARM; neither has another use for it here
  if (!is_write || descriptor != 1) return;
  printf("%" PRIu64 " ", instructions);
  fflush(stdout);
}

static void PrintSum(uint64_t id, void* data) {
  (void)id, (void)data;
  fprintf(stderr, "instructions: %" PRIu64 "\n", instructions);
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void* machine, int argc,
                                                               char** argv) {
  (void)machine, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, CountBlock);
  qemu_plugin_register_vcpu_syscall_cb(id, PrintAtWrites);
  qemu_plugin_register_atexit_cb(id, PrintSum, NULL);
  return 0;
}
