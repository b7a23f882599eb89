// What GitHub Flavored Markdown makes of a text was looked up with cmark-gfm, GitHub's own; the rest is as
// GitHub's documentation says: mentions, references, emoji and formulas are looked for outside of Markdown.
#include "engine/render/markup.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

std::string Cell(std::string_view text) {
  std::string out;
  AppendMarkdownCell(out, text);
  return out;
}

std::string Line(std::string_view text) {
  std::string out;
  AppendMarkdownLine(out, text);
  return out;
}

std::string LatexCell(std::string_view text) {
  std::string out;
  AppendLatexCell(out, text);
  return out;
}

// GitHub Flavored Markdown 4.10 and CommonMark 2.4: a backslash makes punctuation plain, a bar within it too.
TEST(MarkdownCell, HoldsNoMarkup) {
  EXPECT_EQ(Cell("a|b"), "a\\|b");
  EXPECT_EQ(Cell("a\\|b"), "a\\\\\\|b");
  EXPECT_EQ(Cell("<img src=x> [a](b) `c` *d* _e_ ~f~ #g !h &lt;"),
            "\\<img src=x\\> \\[a\\](b) \\`c\\` \\*d\\* \\_e\\_ \\~f\\~ \\#g \\!h \\&lt;");
  EXPECT_EQ(Cell("a\r\nb"), "a  b");
  EXPECT_EQ(Cell("größe 0.5"), "größe 0.5");
}

TEST(MarkdownCell, OrdinaryNamesStayReadable) {
  for (const std::string name :
       {"model/name-1.5", "a@b", "x @ y", "items.price: 1.0000 to 0.5", "gpt-4o:latest", "12:30", "w.ww",
        "-0.1000", "a=b", "1. place", "C:/x", "95% from", "50€"}) {
    EXPECT_EQ(Cell(name), name);
  }
}

// Extended autolinks, GitHub Flavored Markdown 6.9.
TEST(MarkdownCell, HoldsNoLinks) {
  EXPECT_EQ(Cell("http://a.b"), "http<span>:</span>//a.b");
  EXPECT_EQ(Cell("(https://a.b/c"), "(https<span>:</span>//a.b/c");
  EXPECT_EQ(Cell("www.a.b"), "www<span>.</span>a.b");
  EXPECT_EQ(Cell("a@b.c"), "a<span>@</span>b.c");
  EXPECT_EQ(Cell("mailto:a+x@b-c.d_e"), "mailto:a+x<span>@</span>b-c.d\\_e");
}

TEST(MarkdownCell, HoldsNoFormulasMentionsReferencesOrEmoji) {
  EXPECT_EQ(Cell("$x$ $`y`$"), "<span>$</span>x<span>$</span> <span>$</span>\\`y\\`<span>$</span>");
  EXPECT_EQ(Cell("@user, (@org/team"), "<span>@</span>user, (<span>@</span>org/team");
  EXPECT_EQ(Cell("#12 a/b#7 #x"), "<span>#</span>12 a/b<span>#</span>7 \\#x");
  EXPECT_EQ(Cell(":tada: a:b:c :+1: a::b"), "<span>:</span>tada: a<span>:</span>b:c <span>:</span>+1: a::b");
}

TEST(MarkdownCell, HoldsNoNoncharacters) {
  EXPECT_EQ(Cell("a\uFFFE\uFFFF\uFFFD"), "a\\\\uFFFE\\\\uFFFF\uFFFD");
}

TEST(MarkdownLine, BeginsNoBlock) {
  EXPECT_EQ(Line("- a"), "\\- a");
  EXPECT_EQ(Line("---"), "\\---");
  EXPECT_EQ(Line("+ a"), "\\+ a");
  EXPECT_EQ(Line("==="), "\\===");
  EXPECT_EQ(Line("1. a"), "1\\. a");
  EXPECT_EQ(Line("12) a"), "12\\) a");
  EXPECT_EQ(Line("    a"), "&#32;   a");
  EXPECT_EQ(Line("\t# a"), "&#32;\\# a");
  EXPECT_EQ(Line("> # ``` ~~~"), "\\> \\# \\`\\`\\` \\~\\~\\~");
  EXPECT_EQ(Line("a - 1. @b"), "a - 1. <span>@</span>b");
  EXPECT_EQ(Line(""), "");
}

// The ten special characters of LaTeX, and those that fonts in its first encoding, OT1, lack.
TEST(LatexCell, HoldsNoMarkup) {
  EXPECT_EQ(LatexCell("a_b & 5% $x #1 {y}"), "a\\_b \\& 5\\% \\$x \\#1 \\{y\\}");
  EXPECT_EQ(LatexCell("\\input~^"), "\\textbackslash{}input\\textasciitilde{}\\textasciicircum{}");
  EXPECT_EQ(LatexCell("<a|b>`"), "\\textless{}a\\textbar{}b\\textgreater{}\\textasciigrave{}");
  EXPECT_EQ(LatexCell("größe 模型 0.5"), "größe 模型 0.5");
  EXPECT_EQ(LatexCell(""), "");
}

TEST(LatexCell, MakesNoLigature) {
  EXPECT_EQ(LatexCell("a---b-c"), "a-{}-{}-b-c");
  EXPECT_EQ(LatexCell("''a'b,,"), "'{}'a'b,{},");
}

// \\ looks past spaces and line ends for a star and an argument in brackets.
TEST(LatexCell, IsNoArgumentOfTheRowBefore) {
  EXPECT_EQ(LatexCell("[1em]"), "{[}1em]");
  EXPECT_EQ(LatexCell("*a*[b]"), "{*}a*[b]");
}

TEST(LatexCell, HoldsNoControlCharacters) {
  EXPECT_EQ(LatexCell("a\x1b[2J\u202E"), "a\\textbackslash{}u001B[2J\\textbackslash{}u202E");
  EXPECT_EQ(LatexCell("a\tb\r\nc"), "a b  c");
}

}  // namespace
}  // namespace leafscore::internal
