// engine/scores/manifest.h: the manifest that a completed run writes about its output. With it, a reader
// recognises an output that was cut, doubled or edited, and scores that cannot be compared. It is stored as
// indented JSON beside the output, or as the last line of the output, the trailer. The types are plain
// values.
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
    std::string name;  // the name as the user gave it
    std::uint64_t bytes = 0;
    std::string checksum;  // the checksum of the bytes on disk
  };
  struct Option {
    std::string name;
    std::string json;  // the value as compact JSON
    bool operator==(const Option&) const = default;
  };
  struct Scorer {
    std::string name;
    std::string type;
    std::string revision;         // changes if the same options give other scores
    std::vector<Option> options;  // all options as they were read, by name
    std::vector<File> files;      // other files that decide scores, such as a judge's program
  };

  // The origin of scores that leafscore converted but did not compute.
  struct Origin {
    std::string tool;     // the tool that computed the scores; may be empty
    std::string version;  // the version of the tool; may be empty
    std::string format;   // the format of the inputs, as `leafscore convert --from` names it
    std::string ids;      // a description of how the ids were made
  };

  std::string leafscore;            // the version of leafscore that wrote the manifest
  std::optional<Origin> origin;     // nullopt: leafscore computed the scores
  std::uint64_t records_asked = 0;  // the records that every scorer was asked, as in RunReport
  std::uint64_t records_read = 0;
  std::vector<Scorer> scorers;
  std::vector<File> inputs;
  std::optional<File> gold;
  std::optional<File> versus;  // the answers of the base, with which others were compared
  // The number of ids over all sources: the ids of the gold or, without gold, of the records. Records without
  // an id are only counted.
  std::uint64_t ids = 0;
  std::uint64_t without_id = 0;
  std::string ids_checksum;  // does not depend on the order of the ids
  // The number of pairs (id, expected value), with values as written. For a record without an id, its number
  // replaces the id. Unreadable records have no pair.
  std::uint64_t expected = 0;
  std::string expected_checksum;
  std::vector<Option> options;  // the options of the run
  // Only in a manifest that was read: the group fields that lines may have.
  std::vector<std::string> group_fields;
  // These describe the text of the output before compression, without a trailer.
  std::string format;       // empty: there is no output
  std::uint64_t lines = 0;  // the number of lines of scores
  std::uint64_t bytes = 0;
  std::string checksum;
};

// Returns the message about an option that names a field that no line of scores has. `known` are the group
// fields of all files.
std::string NoSuchFieldText(std::string_view field, const std::vector<std::string>& known);

// Returns the path of the manifest for an output; empty for standard output ("-") and for no output.
std::string ManifestPath(const std::string& output);

// Returns the members of the manifest as an object on one line, without the checksum of the manifest itself.
std::string ProvenanceJson(const Manifest& manifest);

// Returns the manifest as indented JSON with a fixed order of keys and a line break at the end.
std::string ManifestJson(const Manifest& manifest);

// Returns the manifest as one line of JSON, {"manifest": {...}}, with a line break at the end.
std::string ManifestTrailer(const Manifest& manifest);

// The beginning of a trailer; no line of scores begins like this.
inline constexpr std::string_view kTrailerBegin = "{\"manifest\": ";

// Read the text that ManifestJson or ManifestTrailer wrote. Members that this version does not know are
// ignored.
// ERRORS: Error(kInput), which names `shown`, for a manifest that was cut or changed, or has a newer format.
Manifest ReadManifest(std::string_view json, const std::string& shown);
Manifest ReadTrailer(std::string_view line, const std::string& shown);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_MANIFEST_H_
