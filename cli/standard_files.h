// cli/standard_files.h: standard input, output and error as the command finds them.
#ifndef LEAFSCORE_CLI_STANDARD_FILES_H_
#define LEAFSCORE_CLI_STANDARD_FILES_H_

namespace leafscore::internal {

// Makes the standard files safe to run with, before any other file is opened.
// One that is closed becomes /dev/null, so that no file of the run gets its number and with it what is meant
// for standard output or error. It is opened the wrong way round, as the C library does for set-user-ID
// programs: to read from it, or to write to it, stays the error (EBADF) that it is of a closed file.
// A broken pipe or a file size limit is from now on an error of the write that meets it, not a signal.
// ERRORS: Error(kOutput) where there is no /dev/null.
void PrepareStandardFiles();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_STANDARD_FILES_H_
