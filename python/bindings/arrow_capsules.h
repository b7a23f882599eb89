// Arrow data in the capsules that Python libraries exchange
// (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html). With the GIL.
#ifndef LEAFSCORE_PYTHON_BINDINGS_ARROW_CAPSULES_H_
#define LEAFSCORE_PYTHON_BINDINGS_ARROW_CAPSULES_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "leafscore/arrow.h"

namespace leafscore::python {

// Owns what `source` holds, which is marked as released, and releases it after its last user.
template <class Struct>
std::shared_ptr<Struct> TakeOver(Struct* source) {
  std::shared_ptr<Struct> owned(new Struct(*source), [](Struct* last) {
    if (last->release != nullptr) last->release(last);
    delete last;
  });
  source->release = nullptr;
  return owned;
}

using SharedSchema = std::shared_ptr<const ArrowSchema>;
using SharedArray = std::shared_ptr<const ArrowArray>;

// Exports what `owner` owns once more, without copying buffers.
void ExportShared(const SharedSchema& owner, ArrowSchema* out);
void ExportShared(const SharedArray& owner, ArrowArray* out);

// Takes the stream of an object with __arrow_c_stream__ or, as a stream of one array, __arrow_c_array__.
// ERRORS: TypeError for an object without either, and for capsules of something else.
std::shared_ptr<ArrowArrayStream> OpenStream(const nanobind::object& data);

// Puts what *moved holds into a capsule, which releases it unless somebody takes it.
nanobind::object MakeCapsule(ArrowSchema* moved);
nanobind::object MakeCapsule(ArrowArray* moved);
nanobind::object MakeCapsule(ArrowArrayStream* moved);

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_ARROW_CAPSULES_H_
