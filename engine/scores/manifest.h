// engine/scores/manifest.h: what a completed run says about its output, so that a reader can tell the whole
// output from a cut, doubled or edited one, and comparable scores from others. It is stored beside the
// output, as indented JSON, or as the last line in it, the trailer. Plain values.
#ifndef LEAFSCORE_ENGINE_SCORES_MANIFEST_H_
#define LEAFSCORE_ENGINE_SCORES_MANIFEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

struct Manifest {
  struct File {
    std::string name;  // as the user gave it
    std::uint64_t bytes = 0;
    std::string checksum;  // over the bytes on disk
  };
  struct Option {
    std::string name;
    std::string json;  // its value, as compact JSON
    bool operator==(const Option&) const = default;
  };
  struct Scorer {
    std::string name;
    std::string type;
    std::string revision;         // changes if the same options give other scores
    std::vector<Option> options;  // all options as they were read, by name
    std::vector<File> files;      // on which scores depend as well: a judge's program
  };

  // The origin of scores that leafscore converted but did not compute.
  struct Origin {
    std::string tool;     // the tool that computed them; may be empty
    std::string version;  // version of the tool; may be empty
    std::string format;   // format of the inputs, as `leafscore convert --from` names it
    std::string ids;      // how ids were made, in words
  };

  std::string leafscore;            // the version of leafscore that wrote it
  std::optional<Origin> origin;     // not set: leafscore computed the scores
  std::uint64_t records_asked = 0;  // by every scorer, as in RunReport
  std::uint64_t records_read = 0;
  std::vector<Scorer> scorers;
  std::vector<File> inputs;
  std::optional<File> gold;
  // The number of ids over all sources: the ids of the gold or, without gold, of the records. Records without
  // an id are only counted.
  std::uint64_t ids = 0;
  std::uint64_t without_id = 0;
  std::string ids_checksum;  // does not depend on their order
  // The number of (id, expected value) pairs, with values as written; for records without an id, their number
  // replaces the id. Unreadable records have no pair.
  std::uint64_t expected = 0;
  std::string expected_checksum;
  std::vector<Option> options;            // options of the run
  std::vector<std::string> group_fields;  // in a manifest that was read: the fields that lines may have
  // About the text of the output before compression, without a trailer.
  std::string format;       // empty: there is no output
  std::uint64_t lines = 0;  // lines of scores
  std::uint64_t bytes = 0;
  std::string checksum;
};

// Returns the message for an option that names a field which no line of scores has. `known` are the group
// fields of all files.
std::string NoSuchFieldText(std::string_view field, const std::vector<std::string>& known);

// Returns the path of the manifest for an output; empty for standard output ("-") and for no output.
std::string ManifestPath(const std::string& output);

// Returns the members of the manifest, except the checksum over them, as an object on one line.
std::string ProvenanceJson(const Manifest& manifest);

// Returns the manifest as indented JSON with a fixed order of keys and a line break at the end.
std::string ManifestJson(const Manifest& manifest);

// Returns it as one line of JSON, {"manifest": {...}}, with a line break at the end.
std::string ManifestTrailer(const Manifest& manifest);

// The beginning of a trailer; no line of scores begins like this.
inline constexpr std::string_view kTrailerBegin = "{\"manifest\": ";

// Reads the text that ManifestJson or ManifestTrailer wrote. Ignores members that this version does not know.
// ERRORS: Error(kInput) with `shown` if it is cut, changed, or of a later kind.
Manifest ReadManifest(std::string_view json, const std::string& shown);
Manifest ReadTrailer(std::string_view line, const std::string& shown);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_MANIFEST_H_
