// cli/standard_files.h: standard input, output and error as the command finds them.
#ifndef LEAFSCORE_CLI_STANDARD_FILES_H_
#define LEAFSCORE_CLI_STANDARD_FILES_H_

namespace leafscore::internal {

// Makes the standard files safe, before any other file is opened. A closed standard file becomes /dev/null.
// Otherwise, a file of the run could get its descriptor, and with it the text for standard output or error.
// /dev/null is opened for the wrong direction, as the C library does for set-user-ID programs: reading or
// writing still fails with EBADF, as for a closed file. From now on, a broken pipe or a file size limit is an
// error of the write, not a signal.
// ERRORS: Error(kOutput) if /dev/null cannot be opened.
void PrepareStandardFiles();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_STANDARD_FILES_H_
