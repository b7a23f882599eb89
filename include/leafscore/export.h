// leafscore/export.h: marks what a shared leafscore exports. All other symbols stay inside it.
#ifndef LEAFSCORE_EXPORT_H_
#define LEAFSCORE_EXPORT_H_

#if defined(__GNUC__)
#define LEAFSCORE_EXPORT __attribute__((visibility("default")))
#else
#define LEAFSCORE_EXPORT
#endif

#endif  // LEAFSCORE_EXPORT_H_
