#include "engine/render/figures.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

struct Part {
  double mean = 0;
  std::optional<double> error = {};
};

struct Model {
  std::string name = {};
  std::uint64_t asked = 0;
  Part all = {};
  std::optional<Part> again = {};
  std::vector<std::string> ties = {};
  bool verified = false;
  std::optional<Interval> interval = {};
  std::uint64_t twice_asked() const { return 2 * asked; }
};

FigureList<Model> ModelFigures() {
  return {{"", "name", "model", At<&Model::name>},
          {"", "asked", "asked", At<&Model::asked>},
          {"all", "mean", "mean", At<&Model::all, &Part::mean>},
          {"all", "error", "±se", At<&Model::all, &Part::error>, Column::kIfAny},
          {"", "again", "again", At<&Model::again, &Part::mean>, Column::kPercent},
          {"", "ties", "", At<&Model::ties>},
          {"", "verified", "", At<&Model::verified>, Column::kAlways, In::kJson},
          {"", "twice", "", At<&Model::twice_asked>, Column::kAlways, In::kCsv},
          {"", "", "tied with", At<&Model::ties>, Column::kTextsIfAny, In::kTable}};
}

const std::vector<Model> kModels = {
    {.name = "=a,b", .asked = 1200, .all = {.mean = 0.25}, .again = Part{.mean = 0.5}, .ties = {"x", "y"}},
    {.name = "b\xff", .asked = 3, .all = {.mean = std::numeric_limits<double>::infinity()}}};

TEST(Figures, OneDescriptionMakesJsonWithGroups) {
  std::string text;
  JsonWriter json(text);
  WriteLines(ModelFigures(), kModels, json);
  EXPECT_EQ(text, R"([{"name": "=a,b", "asked": 1200, "all": {"mean": 0.25, "error": null}, "again": 0.5, )"
                  R"("ties": ["x", "y"], "verified": false}, )"
                  "{\"name\": \"b\uFFFD\", \"asked\": 3, \"all\": {\"mean\": null, \"error\": null}, "
                  R"("again": null, "ties": [], "verified": false}])");
}

TEST(Figures, OneDescriptionMakesCsvWithPrefixes) {
  EXPECT_EQ(CsvOf(ModelFigures(), kModels),
            "name,asked,all_mean,all_error,again,ties,twice\n"
            "\"'=a,b\",1200,0.25,,0.5,x; y,2400\n"
            "b\uFFFD,3,,,,,6\n");
}

TEST(Figures, NoPValueIsShownAsZero) {
  EXPECT_EQ(CellOf(0.00004, Column::kPIfAny), "<0.0001");
  EXPECT_EQ(CellOf(0.0001, Column::kPIfAny), "0.0001");
  EXPECT_EQ(CellOf(0.00004, Column::kIfAny), "0.0000");
}

TEST(Figures, OneDescriptionMakesTables) {
  const std::vector<TextRow> rows = {{"model", "asked", "mean", "again", "tied with"},
                                     {"=a,b", "1,200", "0.2500", "50.00%", "x; y"},
                                     {"b", "3", "-", "-", "-"}};
  std::vector<Model> models = kModels;
  models[1].name = "b";
  EXPECT_EQ(TableOf(ModelFigures(), models).rows, rows);
}

TEST(Figures, AColumnIsLeftOutWhereNothingIsInIt) {
  const auto shown = [](const Value& value, Column column) {
    return IsShown(std::vector{Value(), value}, column);
  };
  EXPECT_TRUE(shown(Value(), Column::kAlways));
  EXPECT_TRUE(shown(Value(), Column::kPercent));
  EXPECT_FALSE(shown(Value(), Column::kIfAny));
  EXPECT_TRUE(shown(std::uint64_t{0}, Column::kIfAny));
  EXPECT_FALSE(shown(Value(), Column::kPIfAny));
  EXPECT_TRUE(shown(0.0, Column::kPIfAny));
  EXPECT_FALSE(shown(std::uint64_t{0}, Column::kIfNotZero));
  EXPECT_TRUE(shown(std::uint64_t{1}, Column::kIfNotZero));
  EXPECT_FALSE(shown(std::string(), Column::kTextsIfAny));
  EXPECT_TRUE(shown(std::string("a"), Column::kTextsIfAny));
}

TEST(Figures, ThoseOfAPartAreThoseOfTheRow) {
  const FigureList<Part> of_part = {{"", "mean", "", At<&Part::mean>},
                                    {"deep", "error", "", At<&Part::error>}};
  FigureList<Model> figures = {{"", "name", "", At<&Model::name>}};
  AddPartFigures(
      "all_", of_part, [](const Model& model) { return &model.all; }, figures);
  AddPartFigures(
      "", of_part, [](const Model& model) -> const auto& { return model.again; }, figures);
  EXPECT_EQ(CsvOf(figures, std::vector<Model>{{.name = "a", .all = {.mean = 1, .error = 2}}}),
            "name,all_mean,all_deep_error,mean,deep_error\n"
            "a,1,2,,\n");
}

TEST(CsvTable, RowsOfOtherKindsLeaveColumnsEmpty) {
  CsvTable table({"kind", "name", "mean", "error"});
  const FigureList<Model> models = {{"", "name", "", At<&Model::name>}};
  const FigureList<Part> parts = {{"", "error", "", At<&Part::error>}, {"", "mean", "", At<&Part::mean>}};
  table.Add(models, Model{.name = "a"});
  table.Add(parts, Part{.mean = 1, .error = 2});
  EXPECT_EQ(table.text(), "kind,name,mean,error\n,a,,\n,,1,2\n");
}

TEST(Value, AnIntervalIsAnObjectOfItsEnds) {
  const Value value = AsValue(std::optional(Interval{0.25, 0.5}));
  std::string text;
  JsonWriter json(text);
  WriteValue(value, json);
  EXPECT_EQ(text, R"({"low": 0.25, "high": 0.5})");
  EXPECT_EQ(CellOf(value, Column::kAlways), "0.2500 to 0.5000");
  EXPECT_EQ(CsvOf(FigureList<Model>{{"", "interval", "", At<&Model::interval>}},
                  std::vector<Model>{{.interval = Interval{0.25, 0.5}}, {}}),
            "interval\n0.25 to 0.5\n\n");
}

}  // namespace
}  // namespace leafscore::internal
