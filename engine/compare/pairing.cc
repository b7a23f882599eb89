#include "engine/compare/pairing.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "engine/base/checksum.h"

namespace leafscore::internal {
namespace {

struct Place {
  std::uint64_t hash;
  std::uint32_t number;
};

// Returns the rank of each name if all names are sorted by checksum.
std::vector<std::uint32_t> PlacesOf(const NameTable& table) {
  std::vector<Place> places;
  for (std::uint32_t n = 0; n < table.size(); ++n) places.push_back({MultisetHash::HashOf(table[n]), n});
  std::ranges::sort(places, [&](const Place& a, const Place& b) {
    return a.hash != b.hash ? a.hash < b.hash : table[a.number] < table[b.number];
  });
  std::vector<std::uint32_t> place_of(places.size());
  for (std::uint32_t place = 0; place < places.size(); ++place) place_of[places[place].number] = place;
  return place_of;
}

}  // namespace

OrderedIds OrderIds(const ComparedNames& names) {
  OrderedIds ordered{{}, &names};
  std::vector<Place> places;
  places.reserve(names.ids.size());
  for (std::uint32_t id = 0; id < names.ids.size(); ++id) {
    places.push_back({MultisetHash::HashOf(names.KindAndIdOf(id)), id});
  }
  std::ranges::sort(places, {}, &Place::hash);
  // Ids with the same checksum are normally one id in several groups.
  const std::vector<std::uint32_t> group_places = PlacesOf(names.groups);
  const auto by_group = [&](const Place& place) {
    return std::tuple(group_places[names.GroupOf(place.number)], names.KindAndIdOf(place.number));
  };
  for (auto begin = places.begin(); begin != places.end();) {
    const auto end = std::find_if(begin, places.end(), [&](const Place& p) { return p.hash != begin->hash; });
    if (end - begin > 1) std::ranges::sort(begin, end, {}, by_group);
    begin = end;
  }
  if (ordered.clustered()) {
    const std::vector<std::uint32_t> cluster_places = PlacesOf(names.clusters);
    std::ranges::stable_sort(places, {}, [&](const Place& place) {
      const std::uint32_t cluster = names.cluster_of[place.number];
      return cluster < cluster_places.size() ? cluster_places[cluster] : ComparedNames::kNone;
    });
  }
  ordered.ids.reserve(places.size());
  for (const Place& place : places) ordered.ids.push_back(place.number);
  return ordered;
}

}  // namespace leafscore::internal
