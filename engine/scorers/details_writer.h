// engine/scorers/details_writer.h: writes the `details` of a record, in JSON and in columns, within a limit
// of bytes. A path may be as long as the record and be repeated for each of its leaves. Without a limit, the
// details of a record of 2 MB could take 10 GB. Elements that do not fit are left out at the end of a list,
// and the details say so. THREADS: as JsonWriter.
#ifndef LEAFSCORE_ENGINE_SCORERS_DETAILS_WRITER_H_
#define LEAFSCORE_ENGINE_SCORERS_DETAILS_WRITER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_writer.h"

namespace leafscore::internal {

// The result for a leaf, field or key of a record. The two JSON texts are empty if their side has no value.
struct JudgedLeaf {
  std::string path;
  std::string expected_json;
  std::string actual_json;
  double similarity;
};

// The judged leaves of a record, whose texts together are limited to a number of bytes.
class LeafList {
 public:
  explicit LeafList(std::size_t max_bytes) : bytes_left_(max_bytes) {}

  // RETURNS: false if the leaf does not fit; the caller must then add no more leaves.
  bool Add(JudgedLeaf leaf) {
    const std::size_t bytes = leaf.path.size() + leaf.expected_json.size() + leaf.actual_json.size();
    cut_ = bytes > bytes_left_;
    if (cut_) return false;
    bytes_left_ -= bytes;
    leaves_.push_back(std::move(leaf));
    return true;
  }
  void SetCut() { cut_ = true; }

  const std::vector<JudgedLeaf>& leaves() const { return leaves_; }
  bool cut() const { return cut_; }

 private:
  std::vector<JudgedLeaf> leaves_;
  std::size_t bytes_left_;
  bool cut_ = false;
};

// Writes an object: its members like any JsonWriter, and its lists element by element.
class DetailsWriter : public JsonWriter {
 public:
  // Begins the object at the end of `out`. REQUIRES: nothing else is written to `out` until Finish.
  DetailsWriter(std::string& out, std::size_t max_bytes)
      : JsonWriter(out), out_(out), begin_(out.size()), max_bytes_(max_bytes) {
    StartObject();
  }

  // Begins a list, after its key. REQUIRES: EndElement after each element; lists do not contain lists.
  void StartList() {
    StartArray();
    kept_ = out_.size();
  }

  // RETURNS: false if the element makes the object too long. The element is then removed, and the caller must
  // end the list.
  bool EndElement() {
    if (out_.size() - begin_ <= max_bytes_) {
      kept_ = out_.size();
      return true;
    }
    out_.resize(kept_);
    cut_ = true;
    return false;
  }

  // Tells whether `bytes` more bytes fit. If not, the caller must leave them out.
  bool HasRoomFor(std::size_t bytes) {
    const bool fits = out_.size() - begin_ + bytes <= max_bytes_;
    if (!fits) cut_ = true;
    return fits;
  }
  void SetCut() { cut_ = true; }

  // Ends the object, with `details_cut` if something was left out.
  void Finish() {
    if (cut_) Key<"details_cut">().Bool(true);
    EndObject();
  }

 private:
  std::string& out_;
  std::size_t begin_;
  std::size_t max_bytes_;
  std::size_t kept_ = 0;  // the size of `out` with the elements that fit
  bool cut_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_DETAILS_WRITER_H_
