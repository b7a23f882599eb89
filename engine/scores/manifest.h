// engine/scores/manifest.h: what a run that came to its end says about its output, so that a reader can tell
// the whole output from a cut, doubled or edited one, and scores that can be compared from scores that
// cannot. It stands beside the output, as indented JSON, or as the last line in it, the trailer. Plain
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
    std::string name;  // as it was given
    std::uint64_t bytes = 0;
    std::string checksum;  // of the bytes as they lie on disk
  };
  struct Option {
    std::string name;
    std::string json;  // its value, compact
    bool operator==(const Option&) const = default;
  };
  struct Scorer {
    std::string name;
    std::string type;
    std::string revision;         // changes when the same options give other scores
    std::vector<Option> options;  // all of them as they were read, by name
    std::vector<File> files;      // that scores depend on likewise: of a judge's program
  };

  // Of scores that leafscore converted and did not compute.
  struct Origin {
    std::string tool;     // that computed them; empty: not known
    std::string version;  // of the tool; empty: not known
    std::string format;   // of the inputs, as `leafscore convert --from` names it
    std::string ids;      // how ids were made, in words
  };

  std::string leafscore;            // the version that wrote it
  std::optional<Origin> origin;     // nothing: leafscore computed the scores
  std::uint64_t records_asked = 0;  // by every scorer: as in RunReport
  std::uint64_t records_read = 0;
  std::vector<Scorer> scorers;
  std::vector<File> inputs;
  std::optional<File> gold;
  // Of every source: ids of the gold, or without gold those of the records. Records without an id are counted
  // alone.
  std::uint64_t ids = 0;
  std::uint64_t without_id = 0;
  std::string ids_checksum;  // which does not depend on their order
  // The same of pairs of an id and the value expected for it, as it is written; of records without an id
  // their number stands in for it. Records that could not be read have no pair.
  std::uint64_t expected = 0;
  std::string expected_checksum;
  std::vector<Option> options;            // of the run
  std::vector<std::string> group_fields;  // of a manifest that was read: those that lines may have
  // The text of the output before it is compressed, without a trailer.
  std::string format;       // empty: there is no output
  std::uint64_t lines = 0;  // of scores
  std::uint64_t bytes = 0;
  std::string checksum;
};

// Returns what to say where no line of scores has a field that an option names. `known` are the group fields
// of all files.
std::string NoSuchFieldText(std::string_view field, const std::vector<std::string>& known);

// Returns the path of the manifest of an output; empty for standard output ("-") and for none.
std::string ManifestPath(const std::string& output);

// Returns the members of the manifest, all but the checksum over them, as an object on one line.
std::string ProvenanceJson(const Manifest& manifest);

// Returns the manifest as indented JSON with a fixed order of keys and a line break at the end.
std::string ManifestJson(const Manifest& manifest);

// Returns it as one line of JSON, {"manifest": {...}}, with a line break at the end.
std::string ManifestTrailer(const Manifest& manifest);

// How a trailer begins, and no line of scores.
inline constexpr std::string_view kTrailerBegin = "{\"manifest\": ";

// Reads what ManifestJson wrote, or ManifestTrailer. Members that this version does not know are passed over.
// ERRORS: Error(kInput) with `shown` when it is cut or changed, or of a later kind.
Manifest ReadManifest(std::string_view json, const std::string& shown);
Manifest ReadTrailer(std::string_view line, const std::string& shown);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_MANIFEST_H_
