// engine/scorers/details_writer.h: the `details` of a record, in JSON and in columns, within a number of
// bytes. A path may be as long as the record and stand in each of its leaves, so that without a limit a
// record of 2 MB could take 10 GB. What does not fit is left out from the end of a list, and the details say
// so. THREADS: as JsonWriter.
#ifndef LEAFSCORE_ENGINE_SCORERS_DETAILS_WRITER_H_
#define LEAFSCORE_ENGINE_SCORERS_DETAILS_WRITER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_writer.h"

namespace leafscore::internal {

// How a leaf, field or key of a record was judged. JSON texts; empty where that side has no value.
struct JudgedLeaf {
  std::string path;
  std::string expected_json;
  std::string actual_json;
  double similarity;
};

// The judged leaves of a record, whose texts together take no more than so many bytes.
class LeafList {
 public:
  explicit LeafList(std::size_t max_bytes) : bytes_left_(max_bytes) {}

  // RETURNS: false for a leaf that does not fit, after which there is none to add.
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

// Writes an object, its members as any JsonWriter does, and its lists element by element.
class DetailsWriter : public JsonWriter {
 public:
  // Begins the object at the end of `out`. REQUIRES: nothing else is written to `out` until Finish.
  DetailsWriter(std::string& out, std::size_t max_bytes)
      : JsonWriter(out), out_(out), begin_(out.size()), max_bytes_(max_bytes) {
    StartObject();
  }

  // Begins a list, behind its key. REQUIRES: EndElement after each element; lists do not hold lists.
  void StartList() {
    StartArray();
    kept_ = out_.size();
  }

  // RETURNS: false when the element makes the object longer than it may be: it is taken back, and the list is
  //          to end.
  bool EndElement() {
    if (out_.size() - begin_ <= max_bytes_) {
      kept_ = out_.size();
      return true;
    }
    out_.resize(kept_);
    cut_ = true;
    return false;
  }

  // Tells whether so many bytes more fit; what does not is to be left out.
  bool HasRoomFor(std::size_t bytes) {
    const bool fits = out_.size() - begin_ + bytes <= max_bytes_;
    if (!fits) cut_ = true;
    return fits;
  }
  void SetCut() { cut_ = true; }

  // Ends the object, with `details_cut` when something was left out.
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
