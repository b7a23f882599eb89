// leafscore/arrow.h: the structs that carry Arrow data between libraries. They are copied with their guards
// from the specifications of the C data and C stream interfaces, so Arrow's own header may be included before
// or after this one (https://arrow.apache.org/docs/format/CDataInterface.html).
//
// The receiver of a struct owns it and calls its `release` once. If `release` is null, the struct has already
// been released or moved. To move a struct, copy its bytes and set `release` of the source to null:
//
//   ArrowArray source{};
//   source.release = [](ArrowArray* array) { array->release = nullptr; };
//   ArrowArray target = source;
//   source.release = nullptr;
//   target.release(&target);
//   assert(target.release == nullptr);
#ifndef LEAFSCORE_ARROW_H_
#define LEAFSCORE_ARROW_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

// The type of an array.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

// The data of an array.
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

// A sequence of arrays of one type. The calls return 0 or an errno code.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  // At the end of the stream, `out` becomes a released array.
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  // Returns the reason why the last call failed, or null.
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

#ifdef __cplusplus
}
#endif

#endif  // LEAFSCORE_ARROW_H_
