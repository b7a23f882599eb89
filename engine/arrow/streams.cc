#include "engine/arrow/streams.h"

#include <fmt/format.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "engine/arrow/record_columns.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The target of private_data in our streams.
struct ExportedStream {
  std::unique_ptr<StreamProducer> producer;  // null after an error
  bool ended = false;
  int error_code = 0;
  std::string error = {};

  int Fail(int code, const char* what) {
    producer.reset();
    try {
      error = what;
    } catch (const std::bad_alloc&) {
      error.clear();  // the consumer may be C code, which no exception may reach
    }
    return error_code = code;
  }

  // Turns any exception of the call into an errno code.
  template <typename Call>
  int Try(const Call& call) {
    if (producer == nullptr) return error_code;
    try {
      call();
      return 0;
    } catch (const Error& e) {
      switch (e.code()) {
        case ErrorCode::kUsage:
          return Fail(EINVAL, e.what());
        case ErrorCode::kInterrupted:
          return Fail(ECANCELED, e.what());
        case ErrorCode::kResources:
          return Fail(ENOMEM, e.what());
        default:
          return Fail(EIO, e.what());
      }
    } catch (const std::bad_alloc&) {
      return Fail(ENOMEM, "out of memory");
    } catch (const std::exception& e) {
      return Fail(EIO, e.what());
    }
  }
};

ExportedStream& Get(ArrowArrayStream* stream) { return *static_cast<ExportedStream*>(stream->private_data); }

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  out->release = nullptr;
  ExportedStream& exported = Get(stream);
  return exported.Try([&] { exported.producer->Schema().MoveTo(out); });
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  out->release = nullptr;
  ExportedStream& exported = Get(stream);
  return exported.Try([&] {
    if (exported.ended) return;
    exported.producer->Next().MoveTo(out);
    exported.ended = out->release == nullptr;
  });
}

const char* GetLastError(ArrowArrayStream* stream) {
  const ExportedStream& exported = Get(stream);
  return exported.error_code == 0 ? nullptr : exported.error.c_str();
}

void Release(ArrowArrayStream* stream) {
  delete &Get(stream);
  stream->release = nullptr;
}

}  // namespace

StreamReader::StreamReader(ArrowArrayStream* stream) : stream_(stream) {
  if (!stream_) {
    throw Error(ErrorCode::kUsage,
                "the Arrow stream was read or released before; give a new one for each run");
  }
  ArrowSchema schema{};
  Check(stream_->get_schema(stream_.get(), &schema), "schema");
  schema_ = OwnedSchema(&schema);
  if (!schema_)
    throw Error(ErrorCode::kInput, "the Arrow stream gives no schema; have its producer check it");
  CheckSchema(*schema_);
}

OwnedArray StreamReader::Next() {
  ArrowArray array{};
  Check(stream_->get_next(stream_.get(), &array), "next record batch");
  return OwnedArray(&array);
}

void StreamReader::Check(int code, const char* what) {
  if (code == 0) return;
  const char* error = stream_->get_last_error(stream_.get());
  const std::string reason = error == nullptr ? std::generic_category().message(code) : error;
  throw Error(ErrorCode::kInput, fmt::format("cannot read the {} of the Arrow stream: {}", what,
                                             reason.empty() ? "no reason given" : reason));
}

void ExportStream(std::unique_ptr<StreamProducer> producer, ArrowArrayStream* out) {
  auto exported = std::make_unique<ExportedStream>(std::move(producer));
  *out = {.get_schema = &GetSchema,
          .get_next = &GetNext,
          .get_last_error = &GetLastError,
          .release = &Release,
          .private_data = exported.release()};
}

}  // namespace leafscore::internal
