#include "cli/terminal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/cli/pseudo_terminal.h"

namespace leafscore::internal {
namespace {

TEST(Terminal, ColourNeedsACapableTerminalAndNoObjection) {
  PseudoTerminal terminal(80);
  const int fd = terminal.terminal();
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_TRUE(IsInteractive(fd));
  EXPECT_TRUE(UseColour(fd));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(UseColour(fd));
  setenv("NO_COLOR", "0", 1);
  EXPECT_FALSE(UseColour(fd));
  EXPECT_TRUE(IsInteractive(fd));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(UseColour(fd));
  EXPECT_FALSE(IsInteractive(fd));
}

TEST(Terminal, PipesAreNone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_FALSE(IsInteractive(ends[1]));
  EXPECT_FALSE(UseColour(ends[1]));
  EXPECT_EQ(TerminalColumns(ends[1]), 80);
  EXPECT_FALSE(UseColour(-1));
  close(ends[0]);
  close(ends[1]);
}

TEST(Terminal, Columns) {
  EXPECT_EQ(TerminalColumns(PseudoTerminal(123).terminal()), 123);
  EXPECT_EQ(TerminalColumns(PseudoTerminal(0).terminal()), 80);
}

}  // namespace
}  // namespace leafscore::internal
