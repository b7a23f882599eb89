// leafscore/export.h: marks what leafscore exports as a shared library. All other symbols stay hidden.
#ifndef LEAFSCORE_EXPORT_H_
#define LEAFSCORE_EXPORT_H_

#if defined(__GNUC__)
#define LEAFSCORE_EXPORT __attribute__((visibility("default")))
#else
#define LEAFSCORE_EXPORT
#endif

#endif  // LEAFSCORE_EXPORT_H_
