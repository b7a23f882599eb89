// engine/arrow/streams.h: imports and exports Arrow streams; on our side, errors are exceptions.
// THREADS: one at a time for each stream, as the interface asks of consumers.
#ifndef LEAFSCORE_ENGINE_ARROW_STREAMS_H_
#define LEAFSCORE_ENGINE_ARROW_STREAMS_H_

#include <memory>

#include "engine/arrow/owned.h"

namespace leafscore::internal {

// Reads a foreign stream, and releases it.
class StreamReader {
 public:
  // Takes over the stream, even if this throws, and asks for its schema.
  // ERRORS: Error(kUsage) for a released stream; Error(kInput) with the stream's message, and from
  // CheckSchema.
  explicit StreamReader(ArrowArrayStream* stream);

  const ArrowSchema& schema() const { return *schema_; }

  // RETURNS: the next array, or an empty one at the end.
  // ERRORS: Error(kInput) with the stream's message.
  OwnedArray Next();

  // Releases the stream; do not call Next afterwards. The schema stays.
  void Release() { stream_ = OwnedStream(); }

 private:
  void Check(int code, const char* what);

  OwnedStream stream_;
  OwnedSchema schema_;
};

// Makes the arrays of a stream that we export.
class StreamProducer {
 public:
  virtual ~StreamProducer() = default;
  // May be called at any time before an error, and returns the same each time.
  virtual OwnedSchema Schema() = 0;
  // RETURNS: the next array, or an empty one at the end; then there are no more calls.
  virtual OwnedArray Next() = 0;
};

// Exports a producer as a stream. An exception from the producer becomes an errno code with its text: EINVAL
// for Error(kUsage), ECANCELED for Error(kInterrupted), ENOMEM for Error(kResources) and std::bad_alloc, and
// EIO for any other. The producer is destroyed at that point, or when the stream is released. After an error,
// every call fails with the same error.
void ExportStream(std::unique_ptr<StreamProducer> producer, ArrowArrayStream* out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_STREAMS_H_
