#include "python/bindings/arrow_capsules.h"

#include <nanobind/stl/pair.h>

#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

namespace leafscore::python {
namespace {

namespace nb = nanobind;

template <class Struct>
constexpr const char* kCapsuleName = nullptr;
template <>
constexpr const char* kCapsuleName<ArrowSchema> = "arrow_schema";
template <>
constexpr const char* kCapsuleName<ArrowArray> = "arrow_array";
template <>
constexpr const char* kCapsuleName<ArrowArrayStream> = "arrow_array_stream";

template <class Struct>
nb::object MakeCapsuleOf(Struct* moved) {
  auto content = std::make_unique<Struct>(*moved);
  moved->release = nullptr;
  const auto destroy = [](PyObject* capsule) {
    auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(capsule, kCapsuleName<Struct>));
    if (held->release != nullptr) held->release(held);
    delete held;
  };
  PyObject* const capsule = PyCapsule_New(content.get(), kCapsuleName<Struct>, destroy);
  if (capsule == nullptr) {
    if (content->release != nullptr) content->release(content.get());
    nb::raise_python_error();
  }
  static_cast<void>(content.release());
  return nb::steal(capsule);
}

template <class Struct>
std::shared_ptr<Struct> TakeFrom(const nb::handle& capsule) {
  void* const content = PyCapsule_GetPointer(capsule.ptr(), kCapsuleName<Struct>);
  if (content == nullptr) {
    PyErr_Clear();
    throw nb::type_error("the Arrow capsule holds something else");
  }
  auto* const moved = static_cast<Struct*>(content);
  if (moved->release == nullptr) throw nb::value_error("the Arrow data were taken already");
  return TakeOver(moved);
}

// The owners of an exported struct's memory until its release.
template <class Struct>
struct Exported {
  std::shared_ptr<const Struct> owner;
  std::vector<Struct> inner = {};  // the children, and the dictionary last
  std::vector<Struct*> children = {};

  static void Release(Struct* released) {
    auto* const mine = static_cast<Exported*>(released->private_data);
    for (Struct& one : mine->inner) {
      if (one.release != nullptr) one.release(&one);
    }
    released->release = nullptr;
    delete mine;
  }
};

// Children have their own share, as a consumer may move them out and keep them.
template <class Struct>
void ExportPart(const Struct& source, const std::shared_ptr<const Struct>& owner, Struct* out) {
  auto mine = std::make_unique<Exported<Struct>>(Exported<Struct>{owner});
  const auto children = static_cast<std::size_t>(source.n_children);
  mine->inner.resize(children + (source.dictionary != nullptr ? 1 : 0));
  for (std::size_t i = 0; i < children; ++i) {
    ExportPart(*source.children[i], owner, &mine->inner[i]);
    mine->children.push_back(&mine->inner[i]);
  }
  *out = source;
  if (source.dictionary != nullptr) {
    ExportPart(*source.dictionary, owner, &mine->inner.back());
    out->dictionary = &mine->inner.back();
  }
  out->children = mine->children.data();
  out->release = &Exported<Struct>::Release;
  out->private_data = mine.release();
}

// A stream of one array, which nobody has checked yet: its structs are only handed on.
struct SingleArray {
  std::shared_ptr<ArrowSchema> schema;
  std::shared_ptr<ArrowArray> array;
};

template <class Struct>
void MoveOut(Struct& source, Struct* out) {
  *out = source;
  source.release = nullptr;
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  ArrowSchema& schema = *static_cast<SingleArray*>(stream->private_data)->schema;
  if (schema.release == nullptr) return EINVAL;  // it was asked for before
  MoveOut(schema, out);
  return 0;
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  MoveOut(*static_cast<SingleArray*>(stream->private_data)->array, out);
  return 0;
}

const char* GetLastError(ArrowArrayStream*) { return nullptr; }

void ReleaseSingle(ArrowArrayStream* stream) {
  delete static_cast<SingleArray*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void ExportShared(const SharedSchema& owner, ArrowSchema* out) { ExportPart(*owner, owner, out); }
void ExportShared(const SharedArray& owner, ArrowArray* out) { ExportPart(*owner, owner, out); }

std::shared_ptr<ArrowArrayStream> OpenStream(const nb::object& data) {
  if (nb::hasattr(data, "__arrow_c_stream__")) {
    return TakeFrom<ArrowArrayStream>(data.attr("__arrow_c_stream__")());
  }
  if (!nb::hasattr(data, "__arrow_c_array__")) {
    throw nb::type_error("the data have neither __arrow_c_stream__ nor __arrow_c_array__");
  }
  std::pair<nb::object, nb::object> pair;
  if (!nb::try_cast(data.attr("__arrow_c_array__")(), pair)) {
    throw nb::type_error("__arrow_c_array__ gives no pair of capsules");
  }
  auto single = std::make_unique<SingleArray>(
      SingleArray{TakeFrom<ArrowSchema>(pair.first), TakeFrom<ArrowArray>(pair.second)});
  ArrowArrayStream stream{GetSchema, GetNext, GetLastError, ReleaseSingle, single.release()};
  return TakeOver(&stream);
}

nb::object MakeCapsule(ArrowSchema* moved) { return MakeCapsuleOf(moved); }
nb::object MakeCapsule(ArrowArray* moved) { return MakeCapsuleOf(moved); }
nb::object MakeCapsule(ArrowArrayStream* moved) { return MakeCapsuleOf(moved); }

}  // namespace leafscore::python
