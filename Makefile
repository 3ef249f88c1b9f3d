# SPDX-License-Identifier: GPL-3.0-or-later
# make all             build/traceviz               make demo      draw a sample trace, README's first command
# make check           the tests; installs nothing  make test      install what they need, then the tests
# make check-long      tests of more than ten seconds each
# make test-browser    the interactive report in headless Chromium, TEST=word: those tests
# make check-san       the tests under sanitizers   make check-valgrind  every verb under valgrind
# make lint            format, cppcheck, shellcheck make format    clang-format on all C files
# make coverage        lines and branches by folder make mutants   faults that no test finds
# make fuzz            every reader and parser, TIME=60 seconds each
# make bench           speed against peers          make install   PREFIX, DESTDIR
# make examples        programs to record: OpenMP (examples/openmp), by gcc and clang; MPI (examples/mpi); walkers of lists (examples/placement);
#                      measurements between cores (examples/bandwidth)
# make deps            install all of that (Debian) make clean
# demo, test, test-browser, check-san, check-valgrind, lint, coverage, fuzz, bench and mutants install missing Debian packages;
# they print which before they do.

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
BUILD ?= build
# make V=1 shows the commands; WERROR=1 makes warnings errors.
Q = $(if $(V),,@)

# Debian packages: to build, with which traces are read, analyzed and drawn; and by target, what it needs besides.
DEPS = gcc make pkg-config libc6-dev libcsv-dev zlib1g-dev libzstd-dev libfxt-dev libglpk-dev libigraph-dev \
	libcairo2-dev libpango1.0-dev libfontconfig-dev libyaml-dev libexpat1-dev libyajl-dev libsqlite3-dev
TEST_DEPS = libcmocka-dev r-base-core hwloc-nox perl zstd gzip glpk-utils pajeng recutils poppler-utils librsvg2-bin libxml2-utils time mawk \
	graphviz clang libomp-dev libopenblas-dev liblapacke-dev libdw-dev g++ libsimgrid-dev \
	libopenmpi-dev openmpi-bin libmpich-dev mpich gfortran libstarpu-dev starpu-examples gdb libhwloc-dev strace
SAN_DEPS = clang libclang-rt-14-dev
VALGRIND_DEPS = valgrind
LINT_DEPS = clang-format cppcheck shellcheck
COVERAGE_DEPS = gcovr
BROWSER_DEPS = python3 python3-selenium chromium chromium-driver librsvg2-bin poppler-utils

LAYERS = trace monitor convert dag lp sim analysis views cli
PKGS = libzstd zlib glib-2.0 igraph cairo cairo-pdf pangocairo pangoft2 fontconfig yaml-0.1 expat
WARN = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wvla -Wno-missing-field-initializers $(if $(WERROR),-Werror)
# Bodies of lists are looked up only when something is compiled, so that `make deps` works without pkg-config.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS) | sed 's/-I/-isystem /g'))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(filter-out igraph,$(PKGS))))$(PKG_LIBS)
# igraph from its archive, where that is there: the shared one loads BLAS, whose threads take 0.1 s of CPU time of each command,
# and a dozen libraries, none of which is used.
IGRAPH_LIBS = $(eval IGRAPH_LIBS := $$(filter /%,$$(shell $(CC) -print-file-name=libigraph.a)))$(or $(IGRAPH_LIBS),$(shell pkg-config --libs igraph))
override CPPFLAGS += -I. -D_GNU_SOURCE
# libdw, which names the places of constructs in recorded programs, may be absent.
DW_CFLAGS = $(eval DW_CFLAGS := $$(shell pkg-config --exists libdw && echo -DTV_HAVE_LIBDW && pkg-config --cflags libdw))$(DW_CFLAGS)
DW_LIBS = $(eval DW_LIBS := $$(shell pkg-config --silence-errors --libs libdw))$(DW_LIBS)
# The same of hwloc 2, which knows the objects of this machine for `record --monitor`.
HWLOC_CFLAGS = $(eval HWLOC_CFLAGS := $$(shell pkg-config --exists 'hwloc >= 2.0' && echo -DTV_HAVE_HWLOC && pkg-config --cflags hwloc))$(HWLOC_CFLAGS)
HWLOC_LIBS = $(eval HWLOC_LIBS := $$(shell pkg-config --exists 'hwloc >= 2.0' && pkg-config --libs hwloc))$(HWLOC_LIBS)
# The same of the libraries of formats: without one its format is recognized, and the message names the package.
YAJL_CFLAGS = $(eval YAJL_CFLAGS := $$(shell pkg-config --exists yajl && echo -DTV_HAVE_YAJL && pkg-config --cflags-only-other yajl))$(YAJL_CFLAGS)
YAJL_LIBS = $(eval YAJL_LIBS := $$(shell pkg-config --silence-errors --libs yajl))$(YAJL_LIBS)
SQLITE_CFLAGS = $(eval SQLITE_CFLAGS := $$(shell pkg-config --exists sqlite3 && echo -DTV_HAVE_SQLITE && pkg-config --cflags sqlite3))$(SQLITE_CFLAGS)
SQLITE_LIBS = $(eval SQLITE_LIBS := $$(shell pkg-config --silence-errors --libs sqlite3))$(SQLITE_LIBS)
LIBS = $(IGRAPH_LIBS) $(PKG_LIBS) $(DW_LIBS) $(HWLOC_LIBS) $(YAJL_LIBS) $(SQLITE_LIBS) -lfxt -lcsv -lglpk -lm -lpthread

# Of record/, what is part of the program itself: tool/, and of loaded/, which is loaded into recorded programs, what both share.
RECORD = $(filter-out record/loaded/core.c,$(wildcard record/loaded/*.c)) $(wildcard record/tool/*.c record/tool/monitor/*.c)
SOURCES = $(RECORD) $(wildcard $(LAYERS:%=%/*.c) $(LAYERS:%=%/*/*.c) $(LAYERS:%=%/*/*/*.c))
HEADERS = $(wildcard record/loaded/*.h record/tool/*.h record/tool/monitor/*.h) $(wildcard $(LAYERS:%=%/*.h) $(LAYERS:%=%/*/*.h) $(LAYERS:%=%/*/*/*.h))
# The OpenMP probe needs the header of an OpenMP runtime, which Debian puts into the folders of LLVM.
OMP_TOOLS = $(firstword $(wildcard $(sort $(wildcard /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h)) /usr/include/omp-tools.h))
# That of StarPU needs the headers of the version that is to be recorded.
STARPU = $(firstword $(foreach version,1.4 1.3,$(shell pkg-config --exists starpu-$(version) 2>/dev/null && echo starpu-$(version))))
PROBES = $(filter-out mpi $(if $(OMP_TOOLS),,openmp) $(if $(STARPU),,starpu),$(patsubst record/loaded/%/,%,$(sort $(dir $(wildcard record/loaded/*/*.c)))))
PROBE_CFLAGS_openmp = -idirafter $(dir $(OMP_TOOLS))
PROBE_CFLAGS_starpu = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(STARPU)))
# That of MPI is compiled for each MPI library whose compiler is there; load.c chooses. It has jumps in assembler.
MPI_OF = $(if $(filter x86_64 aarch64,$(shell uname -m)),$(if $(shell command -v mpicc.$(1)),$(1)))
MPIS := $(call MPI_OF,openmpi) $(call MPI_OF,mpich)
LOADED = $(BUILD)/record/libtraceviz-record.so $(PROBES:%=$(BUILD)/record/libtraceviz-%.so) \
	$(if $(strip $(MPIS)),$(BUILD)/record/libtraceviz-mpi.so) $(MPIS:%=$(BUILD)/record/libtraceviz-mpi-%.so)
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/data/embed.o
LIBRARY = $(BUILD)/libtraceviz.a
FUZZ = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%.t,$(wildcard tests/unit/*/test_*.c))

all: $(BUILD)/traceviz $(LOADED) $(BUILD)/layers.ok
	$(Q)$(if $(OMP_TOOLS),,echo "  SKIP  the OpenMP probe: no omp-tools.h (Debian: libomp-dev)")
	$(Q)$(if $(STARPU),,echo "  SKIP  the StarPU probe: no starpu-1.4 or starpu-1.3 (Debian: libstarpu-dev)")
	$(Q)$(if $(filter openmpi,$(MPIS)),,echo "  SKIP  the probe of Open MPI: no mpicc.openmpi (Debian: libopenmpi-dev)")
	$(Q)$(if $(filter mpich,$(MPIS)),,echo "  SKIP  the probe of MPICH: no mpicc.mpich (Debian: libmpich-dev)")

$(BUILD)/traceviz: $(BUILD)/cli/main.o $(LIBRARY)
	@echo "  LD    $@"
	$(Q)[ -n "$(DW_LIBS)" ] || echo "  without libdw (Debian: libdw-dev), so 'traceviz record' cannot name places in programs"
	$(Q)[ -n "$(HWLOC_LIBS)" ] || echo "  without hwloc 2 (Debian: libhwloc-dev), so 'traceviz record' has no --monitor"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIBRARY): $(filter-out $(BUILD)/cli/main.o,$(OBJECTS))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# What uses libdw or hwloc is compiled again when it comes or goes, as between `make demo` and `make test`.
$(BUILD)/record/tool/resolve.o: override CPPFLAGS += $(DW_CFLAGS)
$(BUILD)/record/tool/resolve.o: $(BUILD)/libdw
$(BUILD)/record/tool/monitor/hardware.o: override CPPFLAGS += $(HWLOC_CFLAGS)
$(BUILD)/record/tool/monitor/hardware.o: $(BUILD)/hwloc
$(BUILD)/convert/chrome/parse.o: override CPPFLAGS += $(YAJL_CFLAGS)
$(BUILD)/convert/chrome/parse.o: $(BUILD)/yajl
$(BUILD)/convert/sqlite/db.o: override CPPFLAGS += $(SQLITE_CFLAGS)
$(BUILD)/convert/sqlite/db.o: $(BUILD)/sqlite
$(BUILD)/sqlite: FORCE
	@mkdir -p $(@D)
	@echo '$(SQLITE_CFLAGS) $(SQLITE_LIBS)' | cmp -s - $@ || echo '$(SQLITE_CFLAGS) $(SQLITE_LIBS)' >$@
$(BUILD)/yajl: FORCE
	@mkdir -p $(@D)
	@echo '$(YAJL_CFLAGS) $(YAJL_LIBS)' | cmp -s - $@ || echo '$(YAJL_CFLAGS) $(YAJL_LIBS)' >$@
$(BUILD)/libdw: FORCE
	@mkdir -p $(@D)
	@echo '$(DW_CFLAGS) $(DW_LIBS)' | cmp -s - $@ || echo '$(DW_CFLAGS) $(DW_LIBS)' >$@
$(BUILD)/hwloc: FORCE
	@mkdir -p $(@D)
	@echo '$(HWLOC_CFLAGS) $(HWLOC_LIBS)' | cmp -s - $@ || echo '$(HWLOC_CFLAGS) $(HWLOC_LIBS)' >$@
FORCE:

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c -o $@ $<

# Libraries that are loaded into recorded programs: never with a sanitizer, which those programs do not have. A probe is
# the files of its folder, linked to the core; PROBE_CFLAGS_NAME and PROBE_LIBS_NAME are its own.
LOADED_FLAGS = -fPIC -fvisibility=hidden -ftls-model=initial-exec $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS))
LOADED_LINK = -shared -Wl,-z,now -Wl,-z,defs -Wl,-z,nodelete $(filter-out -fsanitize%,$(LDFLAGS))

$(BUILD)/loaded/%.o: record/loaded/%.c
	@mkdir -p $(@D)
	@echo "  CC    $< (loaded)"
	$(Q)$(CC) $(CPPFLAGS) $(PROBE_CFLAGS_$(*D)) $(WARN) $(LOADED_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/record/libtraceviz-record.so: $(patsubst %,$(BUILD)/loaded/%.o,core log modules counters job)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(LOADED_LINK) -Wl,-soname,$(@F) -o $@ $^ -ldl -lpthread

define probe_rule
$$(BUILD)/record/libtraceviz-$(1).so: $$(patsubst record/loaded/%.c,$$(BUILD)/loaded/%.o,$$(wildcard record/loaded/$(1)/*.c)) \
		$$(BUILD)/record/libtraceviz-record.so
	@echo "  LD    $$@"
	$$(Q)$$(CC) $$(LOADED_LINK) -Wl,-soname,$$(@F) -Wl,-rpath,'$$$$ORIGIN' -o $$@ $$^ $$(PROBE_LIBS_$(1)) -ldl -lpthread
endef
$(foreach probe,$(PROBES),$(eval $(call probe_rule,$(probe))))

# No MPI is linked to its probe, so the program's own is used; and load.c chooses it.
define mpi_rules
$$(BUILD)/loaded/mpi-$(1)/%.o: record/loaded/mpi/%.c
	@mkdir -p $$(@D)
	@echo "  CC    $$< ($(1))"
	$$(Q)$$(CC) $$(CPPFLAGS) $$(patsubst -I%,-isystem %,$$(filter -I%,$$(shell mpicc.$(1) -show))) $$(WARN) $$(LOADED_FLAGS) -MMD -MP -c -o $$@ $$<
$$(BUILD)/record/libtraceviz-mpi-$(1).so: $$(patsubst record/loaded/mpi/%.c,$$(BUILD)/loaded/mpi-$(1)/%.o,$$(filter-out %/load.c,$$(wildcard record/loaded/mpi/*.c))) \
		$$(BUILD)/record/libtraceviz-record.so
	@echo "  LD    $$@"
	$$(Q)$$(CC) $$(LOADED_LINK) -Wl,-z,undefs -Wl,-soname,$$(@F) -Wl,-rpath,'$$$$ORIGIN' -o $$@ $$^ -ldl -lpthread
endef
$(foreach mpi,$(MPIS),$(eval $(call mpi_rules,$(mpi))))

$(BUILD)/record/libtraceviz-mpi.so: $(BUILD)/loaded/mpi/load.o $(BUILD)/record/libtraceviz-record.so
	@echo "  LD    $@"
	$(Q)$(CC) $(LOADED_LINK) -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -o $@ $^ -ldl -lpthread

$(BUILD)/data/embed.o: data/embed.S data/kernels.csv $(wildcard data/platforms/*.xml) $(wildcard data/fonts/*.ttf data/fonts/*.otf) \
		$(BUILD)/data/viewer.js $(BUILD)/data/viewer.css
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -I. -Wa,-I$(BUILD) -c -o $@ $<

# The viewer of HTML reports, in the order of the names of its files.
define viewer_rule
$$(BUILD)/data/viewer.$(1): $$(sort $$(wildcard views/backends/html/*.$(1)))
	@mkdir -p $$(@D)
	@echo "  CAT   $$@"
	$$(Q)cat $$^ >$$@
endef
$(foreach kind,js css,$(eval $(call viewer_rule,$(kind))))

$(BUILD)/unit/%.t: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LIBS)

$(BUILD)/unit/dag/test_drawing.t: override LDFLAGS += -Wl,--wrap=igraph_layout_sugiyama

# The fuzz targets, with libFuzzer (make fuzz) or with replay.c.
$(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(BUILD)/fuzz/%.replay: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.c tests/fuzz/replay.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/fuzz/thin: tests/fuzz/thin.c $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Programs to record, in build/examples/COMPILER/: by each compiler that has OpenMP; the tiled ones need OpenBLAS and LAPACKE.
EXAMPLES = fib sort nqueens stencil tasks
# Programs of the tests, built beside them.
OPENMP_TESTS = constructs
TILED_EXAMPLES = cholesky qr lu lu_pivot
EXAMPLE_FLAGS = -O2 -g -fopenmp -Wall -Wextra $(if $(WERROR),-Werror)
define example_rules
$(BUILD)/examples/$(1)/%: examples/openmp/%.c examples/openmp/common.c $(wildcard examples/openmp/*.h)
	$$(call compile_example,$(1))
$(BUILD)/examples/$(1)/%: tests/openmp/%.c
	$$(call compile_example,$(1))
$(TILED_EXAMPLES:%=$(BUILD)/examples/$(1)/%): examples/openmp/tiles.c
$(TILED_EXAMPLES:%=$(BUILD)/examples/$(1)/%): EXAMPLE_LIBS = $$$$(pkg-config --cflags --libs lapacke openblas)
endef
define compile_example
	@mkdir -p $(@D)
	@echo "  CC    $< ($(1))"
	$(Q)$(1) $(EXAMPLE_FLAGS) -o $@ $(filter %.c,$^) $(EXAMPLE_LIBS) -lm
endef
$(foreach compiler,gcc clang,$(eval $(call example_rules,$(compiler))))

examples:
	@mkdir -p $(BUILD)/examples
	@programs="$(EXAMPLES) $(OPENMP_TESTS)"; \
	if pkg-config --exists lapacke openblas; then programs="$$programs $(TILED_EXAMPLES)"; \
	else echo "  SKIP  examples $(TILED_EXAMPLES): no lapacke, openblas"; fi; \
	targets=; for compiler in gcc clang; do \
		if printf '#include <omp.h>\nint main(void) { return omp_get_num_threads() - 1; }\n' | \
			$$compiler -fopenmp -x c -o $(BUILD)/examples/probe - 2>$(BUILD)/examples/probe.log; then \
			for p in $$programs; do targets="$$targets $(BUILD)/examples/$$compiler/$$p"; done; \
		else echo "  SKIP  examples by $$compiler: no OpenMP ($(BUILD)/examples/probe.log)"; fi; \
	done; rm -f $(BUILD)/examples/probe; \
	for mpi in openmpi mpich; do \
		if command -v mpicc.$$mpi >/dev/null; then targets="$$targets $(BUILD)/examples/mpi/nbc-$$mpi"; \
		else echo "  SKIP  examples by $$mpi: no mpicc.$$mpi"; fi; \
	done; \
	targets="$$targets $(PTHREAD_EXAMPLES:%=$(BUILD)/examples/%)"; \
	$(MAKE) --no-print-directory $(if $(V),,-s) $$targets

# Programs with threads of their own.
PTHREAD_EXAMPLES = placement/walk bandwidth/bandwidth
$(PTHREAD_EXAMPLES:%=$(BUILD)/examples/%): $(BUILD)/examples/%: examples/%.c record/loaded/traceviz.h
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -O2 -g $(WARN) -o $@ $< -lpthread

# The MPI benchmark in build/examples/mpi/, by each MPI that is installed; with OpenBLAS where that is.
NBC = $(wildcard examples/mpi/*.c)
$(BUILD)/examples/mpi/nbc-%: $(NBC) examples/mpi/nbc.h
	@mkdir -p $(@D)
	@echo "  CC    examples/mpi/nbc.c ($*)"
	$(Q)mpicc.$* $(EXAMPLE_FLAGS) -D_GNU_SOURCE -o $@ $(NBC) \
		$$(pkg-config --exists openblas && echo -DHAVE_OPENBLAS && pkg-config --cflags --libs openblas) -lm -lpthread

# What the tasks of the tiled ones must be, for tests.
$(BUILD)/oracle/tile-tasks: tests/oracle/tile-tasks.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) -o $@ $<

# Flows and tasks on platforms by SimGrid, for tests, which skip what needs them where it is not installed.
$(BUILD)/oracle/simgrid-%: tests/oracle/simgrid-%.cpp tests/oracle/simgrid.hpp
	@mkdir -p $(@D)
	@echo "  CXX   $<"
	$(Q)$(CXX) -O1 -Wall -Wextra -o $@ $< -lsimgrid
SIMGRID = $(if $(wildcard /usr/include/simgrid/s4u.hpp),$(BUILD)/oracle/simgrid-flows $(BUILD)/oracle/simgrid-tasks)

# Dependencies between folders point downwards only; all headers can be included together, so no name has two meanings.
$(BUILD)/layers.ok: tests/layers.sh $(SOURCES) $(HEADERS)
	@mkdir -p $(@D)
	sh tests/layers.sh
	$(Q)printf '#include "%s"\n' $(HEADERS) | $(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) -fsyntax-only -x c -
	@touch $@

# Sets $missing to those packages of $(1) that are not installed; to none where Debian's tools are not.
find_missing = missing=; for p in $(1); do ! command -v dpkg-query >/dev/null || \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$p"; done
# Installs the packages of $(1) that are missing, and prints them before; prints nothing when there are none.
install_packages = $(call find_missing,$(1)); [ -z "$$missing" ] || { \
	if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	echo "These Debian packages are missing; they will be installed now, by $${sudo:+$$sudo }apt-get:"; \
	echo " $$missing" | fold -s -w 100; \
	$$sudo apt-get update -q && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -q -y --no-install-recommends $$missing; }

deps:
	@$(call install_packages,$(DEPS) $(TEST_DEPS) $(SAN_DEPS) $(VALGRIND_DEPS) $(LINT_DEPS) $(COVERAGE_DEPS) $(BROWSER_DEPS))
deps-build:
	@$(call install_packages,$(DEPS))
deps-test:
	@$(call install_packages,$(DEPS) $(TEST_DEPS))
deps-san:
	@$(call install_packages,$(DEPS) $(TEST_DEPS) $(SAN_DEPS))
deps-valgrind:
	@$(call install_packages,$(DEPS) $(VALGRIND_DEPS))
deps-lint:
	@$(call install_packages,$(LINT_DEPS))
deps-browser:
	@$(call install_packages,$(DEPS) $(BROWSER_DEPS))
deps-coverage:
	@$(call install_packages,$(DEPS) $(TEST_DEPS) $(COVERAGE_DEPS))

demo: deps-build
	$(MAKE) all
	$(BUILD)/traceviz data/cholesky.csv -o report.pdf
	@echo "report.pdf is a picture of the run in data/cholesky.csv"

test: deps-test
	$(MAKE) all tests

# Debian's python3, whatever other one is first in the path; screenshots of what failed are in build/browser.
test-browser: deps-browser
	$(MAKE) all
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" SHOTS="$(CURDIR)/$(BUILD)/browser" /usr/bin/python3 tests/browser/run.py $(TEST)

# The tests with what is installed; the others are counted as skipped.
check:
	@$(call find_missing,$(DEPS) $(TEST_DEPS)); [ -z "$$missing" ] || { \
		echo "Not installed, so tests that need it are skipped (make deps-test installs it):"; echo " $$missing"; }
	$(MAKE) tests $(shell pkg-config --exists cmocka || echo UNIT=)

tests: all man completions examples $(BUILD)/oracle/tile-tasks $(SIMGRID) $(UNIT) $(FUZZ:%=$(BUILD)/fuzz/%.replay) $(BUILD)/fuzz/thin
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" sh tests/run.sh $(UNIT) tests/cases/*/*.test tests/cli/*.t

# Comparisons with independent programs on hundreds of cases, of which the tests above run a few.
check-long: all examples $(SIMGRID)
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" sh tests/run.sh $(wildcard tests/long/*.t)

# The tests once more with the address and undefined behavior sanitizers, by clang.
check-san: deps-san
	$(MAKE) BUILD=build/san CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer \
		-fsanitize=address,undefined -fno-sanitize-recover=undefined" LDFLAGS="-fsanitize=address,undefined" all tests

check-valgrind: deps-valgrind
	$(MAKE) all
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" sh tests/valgrind.sh

lint: deps-lint
	sh tests/lint.sh

format: deps-lint
	git ls-files '*.c' '*.h' | xargs clang-format -i

# Lines and branches that the tests reach, by folder; build/coverage/html/index.html shows them.
coverage: deps-coverage
	$(MAKE) BUILD=build/coverage CFLAGS="-O0 -g --coverage" LDFLAGS="--coverage" all
	find build/coverage -name '*.gcda' -delete
	$(MAKE) BUILD=build/coverage CFLAGS="-O0 -g --coverage" LDFLAGS="--coverage" tests
	sh tests/coverage.sh build/coverage record $(LAYERS)

# Each reader and parser, by libFuzzer, for TIME seconds.
TIME ?= 60
fuzz: deps-san
	$(MAKE) BUILD=build/san-fuzz CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer \
		-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" \
		LDFLAGS="-fsanitize=address,undefined" all $(FUZZ:%=build/san-fuzz/fuzz/%) build/san-fuzz/fuzz/thin
	nice sh tests/fuzz/run.sh build/san-fuzz $(TIME)

bench: deps-test
	$(MAKE) all
	BASELINE="$(CURDIR)/$(BUILD)/bench.json" TABLE="$(CURDIR)/$(BUILD)/bench.md" bash tests/bench/run.sh

# Puts the table of the last bench into README.md.
bench-readme:
	sed -i -e '/^<!-- bench -->/,/^<!-- end -->/{/^<!-- bench -->/r $(BUILD)/bench.md' -e '/^|/d}' README.md

# Plants small faults, one at a time, and reports those that no test finds: make mutants SEED=1 COUNT=30
mutants: deps-test
	$(MAKE) all
	perl tests/mutants.pl $(or $(SEED),1) $(or $(COUNT),30)

SHARE = $(DESTDIR)$(PREFIX)/share
COMPLETIONS = bash-completion/completions/traceviz zsh/site-functions/_traceviz fish/vendor_completions.d/traceviz.fish

install: all man completions
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/traceviz" "$(SHARE)/man/man1" "$(SHARE)/doc/traceviz"
	install -m 755 $(BUILD)/traceviz "$(DESTDIR)$(PREFIX)/bin/traceviz"
	install -d "$(DESTDIR)$(PREFIX)/lib/traceviz" "$(DESTDIR)$(PREFIX)/include"
	install -m 644 $(LOADED) "$(DESTDIR)$(PREFIX)/lib/traceviz/"
	install -m 644 record/loaded/traceviz.h "$(DESTDIR)$(PREFIX)/include/"
	install -m 644 data/*.csv data/platforms/*.xml "$(SHARE)/traceviz/"
	install -m 644 $(BUILD)/man/*.1 "$(SHARE)/man/man1/"
	install -m 644 README.md CHANGELOG.md LICENSE "$(SHARE)/doc/traceviz/"
	for file in $(COMPLETIONS); do install -D -m 644 $(BUILD)/share/$$file "$(SHARE)/$$file" || exit 1; done

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/traceviz" "$(DESTDIR)$(PREFIX)/include/traceviz.h"
	rm -rf "$(DESTDIR)$(PREFIX)/lib/traceviz"
	rm -rf "$(SHARE)/traceviz" "$(SHARE)/doc/traceviz"
	rm -f "$(SHARE)/man/man1/traceviz"*.1 $(COMPLETIONS:%="$(SHARE)/%")

# Man pages and completions are made from --help.
man: $(BUILD)/man/traceviz.1
$(BUILD)/man/traceviz.1: $(BUILD)/traceviz docs/man.sh
	@rm -rf $(@D) && mkdir -p $(@D)
	$(Q)for verb in $$($(BUILD)/traceviz help verbs); do \
		sh docs/man.sh $(BUILD)/traceviz $$verb >$(@D)/traceviz-$$verb.1 || exit 1; done
	$(Q)sh docs/man.sh $(BUILD)/traceviz "" >$@

completions: $(COMPLETIONS:%=$(BUILD)/share/%)
$(BUILD)/share/bash-completion/%: SHELL_NAME = bash
$(BUILD)/share/zsh/%: SHELL_NAME = zsh
$(BUILD)/share/fish/%: SHELL_NAME = fish
$(COMPLETIONS:%=$(BUILD)/share/%): $(BUILD)/traceviz docs/completion.sh
	@mkdir -p $(@D)
	$(Q)sh docs/completion.sh $(SHELL_NAME) $(BUILD)/traceviz >$@ || { rm -f $@; exit 1; }

clean:
	rm -rf $(BUILD)

.PHONY: all bench-readme man completions examples clean deps deps-build deps-test deps-san deps-valgrind deps-lint deps-coverage deps-browser demo test test-browser check \
	check-long tests check-san check-valgrind lint format coverage fuzz bench mutants install uninstall
-include $(OBJECTS:.o=.d) $(UNIT:.t=.d) $(wildcard $(BUILD)/loaded/*.d $(BUILD)/loaded/*/*.d)
