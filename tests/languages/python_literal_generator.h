// tests/languages/python_literal_generator.h: random texts that are Python literals, or nearly so.
#ifndef LEAFSCORE_TESTS_LANGUAGES_PYTHON_LITERAL_GENERATOR_H_
#define LEAFSCORE_TESTS_LANGUAGES_PYTHON_LITERAL_GENERATOR_H_

#include <cstdint>
#include <string>

#include "corpus/random.h"

namespace leafscore::internal {

// Returns a literal of at most a few hundred bytes, with every form of token; most are valid in Python.
std::string RandomPythonLiteral(corpus::Random& random);

// Returns `text` with a few bytes of ASCII replaced, removed, doubled or inserted.
std::string DamagedPythonLiteral(std::string text, corpus::Random& random);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_LANGUAGES_PYTHON_LITERAL_GENERATOR_H_
