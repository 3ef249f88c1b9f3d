# SPDX-License-Identifier: GPL-3.0-or-later
# make mpi             build/traceviz-mpi-openmpi and -mpich, for several processes (docs/cluster.md)
# make all             build/traceviz               make demo      draw a sample trace, README's first command
# make check-quick     does it work? below a minute make record-deps   install what recording needs
# make check           the tests; installs nothing  make test      install what they need, then the tests
# make check-long      tests of more than ten seconds each
# make test-browser    the interactive report in headless Chromium, TEST=word: those tests
# make check-san       the tests under sanitizers   make check-valgrind  every verb under valgrind
# make lint            format, cppcheck, shellcheck make format    clang-format on all C files
# make coverage        lines and branches by folder make mutants   faults that no test finds
# make fuzz            every reader and parser, TIME=60 seconds each
# make bench           speed against peers          make install   PREFIX, LIBDIR, DESTDIR
# make examples        programs to record: OpenMP (examples/openmp), by gcc and clang; MPI (examples/mpi); walkers of lists (examples/placement);
#                      measurements between cores (examples/bandwidth)
# make install-python  the Python package, too     make deps      install all of that (Debian)
# make site            the documentation as a web site that needs no server: build/site/html/index.html
# make clean
# make dist            the source as a tarball     make bundle, make deb   archive, Debian packages (packaging/README.md)
# demo, test, test-browser, check-san, check-valgrind, lint, coverage, fuzz, bench, mutants, site and deb install missing Debian packages;
# they print which before they do.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
CFLAGS ?= -O2 -g
BUILD ?= build
PKG_CONFIG ?= pkg-config
comma = ,
# make V=1 shows the commands; WERROR=1 makes warnings errors.
Q = $(if $(V),,@)

# Debian packages: to build, with which traces are read, analyzed and drawn; and by target, what it needs besides.
DEPS = gcc make perl pkg-config libc6-dev libcsv-dev zlib1g-dev libzstd-dev libfxt-dev libglpk-dev libigraph-dev \
	libcairo2-dev libpango1.0-dev libfontconfig-dev libyaml-dev libexpat1-dev libyajl-dev libsqlite3-dev \
	libopen-trace-format2-dev libharfbuzz-dev
RECORD_DEPS = libomp-dev libdw-dev libhwloc-dev libopenmpi-dev openmpi-bin libmpich-dev mpich libstarpu-dev
TEST_DEPS = $(RECORD_DEPS) libcmocka-dev r-base-core hwloc-nox zstd gzip glpk-utils pajeng recutils poppler-utils librsvg2-bin libxml2-utils time mawk \
	graphviz clang libopenblas-dev liblapacke-dev g++ libsimgrid-dev gfortran starpu-examples gdb strace sqlite3 otf2-tools python3-otf2 \
	eztrace python3 python3-six jq
SAN_DEPS = clang libclang-rt-14-dev
VALGRIND_DEPS = valgrind
LINT_DEPS = clang-format cppcheck shellcheck
COVERAGE_DEPS = gcovr
DEB_DEPS = build-essential debhelper dh-python python3
SITE_DEPS = perl mkdocs mkdocs-material
BROWSER_DEPS = python3 python3-selenium chromium chromium-driver librsvg2-bin poppler-utils $(SITE_DEPS)

LAYERS = trace monitor sql convert dag lp sim analysis views cli lib
PKGS = libzstd zlib glib-2.0 cairo cairo-pdf pangocairo pangoft2 fontconfig expat
# Libraries that may be absent: NAME:PACKAGE:VERSION, a package of pkg-config and its min version. What uses one is compiled
# with TV_HAVE_NAME. make WITHOUT="IGRAPH FXT" builds as if these were not there.
OPTIONAL = DW:libdw:0 HWLOC:hwloc:2 FXT:fxt:0 IGRAPH:igraph:0.10 YAML:yaml-0.1:0 YAJL:yajl:2 SQLITE:sqlite3:3 OTF2:otf2:3 \
	SUBSET:harfbuzz-subset:2.9
# What is missing then.
LACK_DW = libdw: 'traceviz record' cannot name places in programs (Debian: libdw-dev)
LACK_HWLOC = hwloc 2: 'traceviz record' has no --monitor (Debian: libhwloc-dev)
LACK_FXT = FxT: no format fxt-libfxt (Debian: libfxt-dev)
LACK_IGRAPH = igraph: no panel dag (Debian: libigraph-dev)
LACK_YAJL = yajl: no Chrome trace events (Debian: libyajl-dev)
LACK_SQLITE = SQLite: no databases, no verb sql (Debian: libsqlite3-dev)
LACK_OTF2 = OTF2 3: no archives of Score-P, EZTrace, TAU (Debian: libopen-trace-format2-dev)
LACK_YAML = libyaml: no files of settings (Debian: libyaml-dev)
LACK_SUBSET = harfbuzz-subset 2.9: SVG names its font, but does not contain it (Debian: libharfbuzz-dev)
part = $(word $(1),$(subst :, ,$(2)))
PRESENT = $(eval PRESENT := $(foreach one,$(OPTIONAL),$(if $(filter $(call part,1,$(one)),$(WITHOUT)),,$$(shell $(PKG_CONFIG) \
	--atleast-version=$(call part,3,$(one)) $(call part,2,$(one)) 2>/dev/null && echo $(one)))))$(PRESENT)
HAVE = $(foreach one,$(PRESENT),$(call part,1,$(one)))
LACKING = $(foreach one,$(filter-out $(PRESENT),$(OPTIONAL)),$(call part,1,$(one)))
PRESENT_PKGS = $(foreach one,$(PRESENT),$(call part,2,$(one)))
OPTIONAL_CFLAGS = $(HAVE:%=-DTV_HAVE_%) -DTV_BUILT_WITH='"$(or $(strip $(PRESENT_PKGS)),no optional library)"' \
	$(if $(PRESENT_PKGS),$(shell $(PKG_CONFIG) --cflags $(PRESENT_PKGS) | sed 's/-I/-isystem /g'))
OPTIONAL_LIBS = $(eval OPTIONAL_LIBS := $$(if $$(PRESENT_PKGS),$$(shell $(PKG_CONFIG) --libs $$(filter-out igraph,$$(PRESENT_PKGS)))))$(OPTIONAL_LIBS)
# A product and a sum are rounded each, as on machines without fused operations: the same bytes everywhere.
WARN = -std=c11 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wvla -Wno-missing-field-initializers $(if $(WERROR),-Werror)
# Bodies of lists are looked up only when something is compiled, so that `make deps` works without pkg-config.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell $(PKG_CONFIG) --cflags $(PKGS) | sed 's/-I/-isystem /g'))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell $(PKG_CONFIG) --libs $(PKGS)))$(PKG_LIBS)
# igraph from its archive, where that is there: the shared one loads BLAS, whose threads take 0.1 s of CPU time of each command,
# and a dozen libraries, none of which is used.
IGRAPH_LIBS = $(eval IGRAPH_LIBS := $$(filter /%,$$(shell $(CC) -print-file-name=libigraph.a 2>/dev/null)))$(or $(IGRAPH_LIBS),$(shell $(PKG_CONFIG) --libs igraph))
override CPPFLAGS += -I. -D_GNU_SOURCE
OTHER_LIBS = $(OPTIONAL_LIBS) $(PKG_LIBS) -lcsv -lglpk -lm -lpthread
LIBS = $(if $(filter IGRAPH,$(HAVE)),$(IGRAPH_LIBS)) $(OTHER_LIBS)

# Of record/, what is part of the program itself: tool/, and of loaded/, which is loaded into recorded programs, what both share.
RECORD = $(filter-out record/loaded/core.c record/loaded/task_counters.c,$(wildcard record/loaded/*.c)) $(wildcard record/tool/*.c record/tool/monitor/*.c)
SOURCES = $(filter-out $(if $(filter FXT,$(LACKING)),convert/fxt/lib.c) $(if $(filter SQLITE,$(LACKING)),sql/% cli/cmd_sql_%),$(RECORD) $(wildcard $(LAYERS:%=%/*.c) $(LAYERS:%=%/*/*.c) $(LAYERS:%=%/*/*/*.c)))
HEADERS = $(wildcard record/loaded/*.h record/tool/*.h record/tool/monitor/*.h) $(wildcard $(LAYERS:%=%/*.h) $(LAYERS:%=%/*/*.h) $(LAYERS:%=%/*/*/*.h))
# The OpenMP probe needs the header of an OpenMP runtime, which Debian puts into the folders of LLVM.
OMP_TOOLS = $(firstword $(wildcard $(sort $(wildcard /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h)) /usr/include/omp-tools.h))
# That of StarPU needs the headers of the version that is to be recorded.
STARPU = $(firstword $(foreach version,1.4 1.3,$(shell $(PKG_CONFIG) --exists starpu-$(version) 2>/dev/null && echo starpu-$(version))))
PROBES = $(filter-out mpi $(if $(OMP_TOOLS),,openmp) $(if $(STARPU),,starpu),$(patsubst record/loaded/%/,%,$(sort $(dir $(wildcard record/loaded/*/*.c)))))
PROBE_CFLAGS_openmp = -idirafter $(dir $(OMP_TOOLS))
PROBE_CFLAGS_starpu = $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(STARPU)))
# That of MPI is compiled for each MPI library whose compiler is there; load.c chooses. It has jumps in assembler.
MPI_OF = $(if $(filter x86_64-% aarch64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),$(if $(shell command -v mpicc.$(1)),$(1)))
MPIS := $(call MPI_OF,openmpi) $(call MPI_OF,mpich)
LOADED = $(BUILD)/record/libtraceviz-record.so $(PROBES:%=$(BUILD)/record/libtraceviz-%.so) \
	$(if $(strip $(MPIS)),$(BUILD)/record/libtraceviz-mpi.so) $(MPIS:%=$(BUILD)/record/libtraceviz-mpi-%.so)
# traceviz-mpi, by each of them.
CLUSTER = $(MPIS:%=$(BUILD)/traceviz-mpi-%)
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/data/embed.o
# All of it but main.c, for the command and the tests.
LIBRARY = $(BUILD)/objects.a
SONAME = libtraceviz.so.0
SHARED = $(BUILD)/$(SONAME)
STATIC = $(BUILD)/libtraceviz.a
# Where the program is called. EMULATOR=qemu-aarch64 runs one that was built for another processor.
BIN = $(if $(EMULATOR),$(BUILD)/emulated,$(BUILD))
FUZZ = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
# Tests that use such a library themselves.
UNIT_OF_IGRAPH = dag/test_dag dag/test_drawing
UNIT_OF_FXT = convert/test_fxt_file
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%.t,$(filter-out $(foreach name,$(LACKING),$(UNIT_OF_$(name):%=tests/unit/%.c)),$(wildcard tests/unit/*/test_*.c)))

all: $(BUILD)/traceviz $(LOADED) $(SHARED) $(STATIC) $(BUILD)/layers.ok
	$(Q)$(if $(OMP_TOOLS),,echo "  SKIP  the OpenMP probe: no omp-tools.h (Debian: libomp-dev)")
	$(Q)$(if $(STARPU),,echo "  SKIP  the StarPU probe: no starpu-1.4 or starpu-1.3 (Debian: libstarpu-dev)")
	$(Q)$(if $(filter openmpi,$(MPIS)),,echo "  SKIP  the probe of Open MPI: no mpicc.openmpi (Debian: libopenmpi-dev)")
	$(Q)$(if $(filter mpich,$(MPIS)),,echo "  SKIP  the probe of MPICH: no mpicc.mpich (Debian: libmpich-dev)")

$(BUILD)/traceviz: $(BUILD)/cli/main.o $(LIBRARY)
	@echo "  LD    $@"
	$(Q)$(foreach name,$(LACKING),echo "  LACK  $(LACK_$(name))";)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

ifdef EMULATOR
$(BIN)/traceviz: $(BUILD)/traceviz
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s %s "$$@"\n' "$(EMULATOR)" "$(abspath $<)" >$@ && chmod 755 $@ && ln -sfn ../man $(BIN)/man
endif

$(LIBRARY): $(filter-out $(BUILD)/cli/main.o,$(OBJECTS))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# Both export what include/traceviz marks. Debian's archive of igraph is not made for shared ones. Clang's sanitizers are of the program.
$(SHARED): $(filter-out $(BUILD)/cli/main.o,$(OBJECTS)) lib/exports.map
	@echo "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) $(if $(findstring -fsanitize,$(LDFLAGS)),,-Wl$(comma)-z$(comma)defs) -Wl,--version-script=lib/exports.map -o $@ $(filter %.o,$^) $(if $(filter IGRAPH,$(HAVE)),$(shell $(PKG_CONFIG) --libs igraph)) $(OTHER_LIBS)
	$(Q)ln -sf $(SONAME) $(BUILD)/libtraceviz.so

# One object, so that nothing else has a name for others.
$(STATIC): $(filter-out $(BUILD)/cli/main.o,$(OBJECTS))
	@echo "  AR    $@"
	$(Q)$(CC) -r -nostdlib -o $(BUILD)/libtraceviz.o $^
	$(Q)$$($(CC) -print-prog-name=objcopy) -w --strip-debug --keep-global-symbol='traceviz_*' $(BUILD)/libtraceviz.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(BUILD)/libtraceviz.o && rm $(BUILD)/libtraceviz.o

# What uses them is compiled again when one comes or goes, as between `make demo` and `make test`.
USES_OPTIONAL = cli/command cli/cmd_sql cli/yaml convert/formats convert/fxt/lib convert/chrome/parse convert/json convert/sqlite/db convert/sqlite/write convert/otf2/library dag/drawing record/tool/resolve \
	record/tool/monitor/hardware views/backends/font_face
$(USES_OPTIONAL:%=$(BUILD)/%.o): override CPPFLAGS += $(OPTIONAL_CFLAGS)
$(USES_OPTIONAL:%=$(BUILD)/%.o): $(BUILD)/optional
$(BUILD)/optional: FORCE
	@mkdir -p $(@D)
	@echo '$(PRESENT)' | cmp -s - $@ || echo '$(PRESENT)' >$@
FORCE:

# The same objects are the program and the library, which exports only what its headers mark.
OBJECT_FLAGS = -fPIC -fvisibility=hidden $(CFLAGS)
# Until the program is built, all that it needs and that is not found is named at once, before anything is compiled.
$(BUILD)/flags: FORCE
	@[ -e $(BUILD)/traceviz ] || { lacking=$$($(CC) --version >/dev/null 2>&1 || echo '$(CC)'; \
		$(PKG_CONFIG) --version >/dev/null 2>&1 || echo '$(PKG_CONFIG)'; \
		for one in $(PKGS); do $(PKG_CONFIG) --exists $$one 2>/dev/null || echo $$one; done; \
		for one in csv.h glpk.h; do echo "#include <$$one>" | $(CC) $(CPPFLAGS) -E -o /dev/null - 2>/dev/null || echo $$one; done); \
		[ -z "$$lacking" ] || { echo "Not found, and needed to build traceviz:" $$lacking; \
		echo "On Debian, make deps-build installs what is missing; names elsewhere are in packaging/README.md."; exit 1; }; }
	@mkdir -p $(@D)
	@echo '$(OBJECT_FLAGS)' | cmp -s - $@ || echo '$(OBJECT_FLAGS)' >$@
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(OBJECT_FLAGS) -MMD -MP -c -o $@ $<

# Libraries that are loaded into recorded programs: never with a sanitizer, which those programs do not have. A probe is
# the files of its folder, linked to the core; PROBE_CFLAGS_NAME and PROBE_LIBS_NAME are its own.
LOADED_FLAGS = -include record/loaded/glibc.h -fPIC -fvisibility=hidden -ftls-model=initial-exec $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS))
LOADED_LINK = -shared -Wl,-z,now -Wl,-z,defs -Wl,-z,nodelete $(filter-out -fsanitize%,$(LDFLAGS))
# Where glibc is older than 2.34, functions that it has in one library today are in these.
OLD_LIBS := $(if $(filter /%,$(shell $(CC) -print-file-name=libdl.so.2 2>/dev/null)),-Wl$(comma)--no-as-needed -l:libdl.so.2 -l:libpthread.so.0,-ldl -lpthread)

$(BUILD)/loaded/%.o: record/loaded/%.c
	@mkdir -p $(@D)
	@echo "  CC    $< (loaded)"
	$(Q)$(CC) $(CPPFLAGS) $(PROBE_CFLAGS_$(*D)) $(WARN) $(LOADED_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/record/libtraceviz-record.so: $(patsubst %,$(BUILD)/loaded/%.o,core cpu log modules counters task_counters job)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(LOADED_LINK) -Wl,-soname,$(@F) -o $@ $^ $(OLD_LIBS)

define probe_rule
$$(BUILD)/record/libtraceviz-$(1).so: $$(patsubst record/loaded/%.c,$$(BUILD)/loaded/%.o,$$(wildcard record/loaded/$(1)/*.c)) \
		$$(BUILD)/record/libtraceviz-record.so
	@echo "  LD    $$@"
	$$(Q)$$(CC) $$(LOADED_LINK) -Wl,-soname,$$(@F) -Wl,-rpath,'$$$$ORIGIN' -o $$@ $$^ $$(PROBE_LIBS_$(1)) $(OLD_LIBS)
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
	$$(Q)$$(CC) $$(LOADED_LINK) -Wl,-z,undefs -Wl,-soname,$$(@F) -Wl,-rpath,'$$$$ORIGIN' -o $$@ $$^ $(OLD_LIBS)
endef
$(foreach mpi,$(MPIS),$(eval $(call mpi_rules,$(mpi))))

# The same objects with another main and MPI.
mpi: $(CLUSTER)
	$(Q)$(if $(filter openmpi,$(MPIS)),,echo "  SKIP  traceviz-mpi by Open MPI: no mpicc.openmpi (Debian: libopenmpi-dev)")
	$(Q)$(if $(filter mpich,$(MPIS)),,echo "  SKIP  traceviz-mpi by MPICH: no mpicc.mpich (Debian: libmpich-dev)")

define cluster_rules
$$(BUILD)/cluster-$(1)/%.o: cluster/%.c $$(BUILD)/flags
	@mkdir -p $$(@D)
	@echo "  CC    $$< ($(1))"
	$$(Q)$$(CC) $$(CPPFLAGS) $$(patsubst -I%,-isystem %,$$(filter -I%,$$(shell mpicc.$(1) -show))) $$(WARN) $$(OBJECT_FLAGS) -MMD -MP -c -o $$@ $$<
$$(BUILD)/traceviz-mpi-$(1): $$(patsubst cluster/%.c,$$(BUILD)/cluster-$(1)/%.o,$$(wildcard cluster/*.c)) $$(LIBRARY)
	@echo "  LD    $$@"
	$$(Q)$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(LIBS) $$(filter -L% -l% -Wl%,$$(shell mpicc.$(1) -show))
endef
$(foreach mpi,$(MPIS),$(eval $(call cluster_rules,$(mpi))))

$(BUILD)/record/libtraceviz-mpi.so: $(BUILD)/loaded/mpi/load.o $(BUILD)/record/libtraceviz-record.so
	@echo "  LD    $@"
	$(Q)$(CC) $(LOADED_LINK) -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -o $@ $^ $(OLD_LIBS)

$(BUILD)/data/embed.o: data/embed.S data/kernels.csv docs/glossary.md docs/formats/table.md $(wildcard data/platforms/*.xml) $(wildcard data/fonts/*.ttf data/fonts/*.otf) \
		$(BUILD)/data/viewer.js $(BUILD)/data/viewer.css
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -I. -Wa,-I$(BUILD) -c -o $@ $<

# The viewer of HTML reports, in the order of the names of its files, without indentation and comments on lines of their own.
define viewer_rule
$$(BUILD)/data/viewer.$(1): $$(sort $$(wildcard views/backends/html/*.$(1)))
	@mkdir -p $$(@D)
	@echo "  CAT   $$@"
	$$(Q)sed 's/^[[:blank:]]*//; /^\/\//d' $$^ >$$@
endef
$(foreach kind,js css,$(eval $(call viewer_rule,$(kind))))

$(BUILD)/unit/%.t: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LIBS)

$(BUILD)/unit/dag/test_drawing.t $(BUILD)/unit/dag/test_dag.t: override CPPFLAGS += $(OPTIONAL_CFLAGS)
$(BUILD)/unit/dag/test_drawing.t: override LDFLAGS += -Wl,--wrap=igraph_layout_sugiyama

# They contain the command line.
$(FUZZ:%=$(BUILD)/fuzz/%) $(FUZZ:%=$(BUILD)/fuzz/%.replay) $(BUILD)/fuzz/thin: override CPPFLAGS += $(OPTIONAL_CFLAGS)
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
EXAMPLES = fib sort nqueens stencil tasks loop
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
$(TILED_EXAMPLES:%=$(BUILD)/examples/$(1)/%): EXAMPLE_LIBS = $$$$($(PKG_CONFIG) --cflags --libs lapacke openblas)
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
	if $(PKG_CONFIG) --exists lapacke openblas; then programs="$$programs $(TILED_EXAMPLES)"; \
	else echo "  SKIP  examples $(TILED_EXAMPLES): no lapacke, openblas"; fi; \
	targets=; for compiler in gcc clang; do \
		if printf '#include <omp.h>\nint main(void) { return omp_get_num_threads() - 1; }\n' | \
			$$compiler -fopenmp -x c -o $(BUILD)/examples/probe - 2>$(BUILD)/examples/probe.log; then \
			for p in $$programs; do targets="$$targets $(BUILD)/examples/$$compiler/$$p"; done; \
		else echo "  SKIP  examples by $$compiler: no OpenMP ($(BUILD)/examples/probe.log)"; fi; \
	done; rm -f $(BUILD)/examples/probe; \
	for mpi in openmpi mpich; do \
		if command -v mpicc.$$mpi >/dev/null; then targets="$$targets $(BUILD)/examples/mpi/nbc-$$mpi $(BUILD)/examples/halo/halo-$$mpi"; \
		else echo "  SKIP  examples by $$mpi: no mpicc.$$mpi"; fi; \
	done; \
	targets="$$targets $(PTHREAD_EXAMPLES:%=$(BUILD)/examples/%) $(LIB_EXAMPLES:%=$(BUILD)/examples/%)"; \
	$(MAKE) --no-print-directory $(if $(V),,-s) $$targets

# Programs with threads of their own.
PTHREAD_EXAMPLES = placement/walk bandwidth/bandwidth
$(PTHREAD_EXAMPLES:%=$(BUILD)/examples/%): $(BUILD)/examples/%: examples/%.c record/loaded/traceviz.h
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -O2 -g $(WARN) -o $@ $< -lpthread

# Programs that use the library.
LIB_EXAMPLES = lib/causes lib/arrow
$(LIB_EXAMPLES:%=$(BUILD)/examples/%): $(BUILD)/examples/%: examples/%.c $(SHARED) $(wildcard include/traceviz/*.h)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iinclude $(WARN) $(CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -ltraceviz -Wl,-rpath,'$$ORIGIN/../..'

# The MPI benchmark in build/examples/mpi/, by each MPI that is installed; with OpenBLAS where that is.
NBC = $(wildcard examples/mpi/*.c)
$(BUILD)/examples/mpi/nbc-%: $(NBC) examples/mpi/nbc.h
	@mkdir -p $(@D)
	@echo "  CC    examples/mpi/nbc.c ($*)"
	$(Q)mpicc.$* $(EXAMPLE_FLAGS) -D_GNU_SOURCE -o $@ $(NBC) \
		$$($(PKG_CONFIG) --exists openblas && echo -DHAVE_OPENBLAS && $(PKG_CONFIG) --cflags --libs openblas) -lm -lpthread

$(BUILD)/examples/halo/halo-%: examples/halo/halo.c
	@mkdir -p $(@D)
	@echo "  CC    $< ($*)"
	$(Q)mpicc.$* $(EXAMPLE_FLAGS) -o $@ $<

# What the tasks of the tiled ones must be, for tests.
$(BUILD)/oracle/tile-tasks: tests/oracle/tile-tasks.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) -o $@ $<

# Traces in Parquet with small groups of rows, for tests.
$(BUILD)/oracle/row-groups: tests/oracle/row-groups.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

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
	$$sudo apt-get update -q && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; }

deps:
	@$(call install_packages,$(DEPS) $(TEST_DEPS) $(SAN_DEPS) $(VALGRIND_DEPS) $(LINT_DEPS) $(COVERAGE_DEPS) $(BROWSER_DEPS) $(SITE_DEPS))
deps-build:
	@$(call install_packages,$(DEPS))
record-deps:
	@$(call install_packages,$(DEPS) $(RECORD_DEPS))
	@echo "Now make all: it builds the recorders."
deps-test:
	@$(call install_packages,$(DEPS) $(TEST_DEPS))
deps-san:
	@$(call install_packages,$(DEPS) $(TEST_DEPS) $(SAN_DEPS))
deps-valgrind:
	@$(call install_packages,$(DEPS) $(VALGRIND_DEPS))
deps-lint:
	@$(call install_packages,$(DEPS) $(LINT_DEPS))
deps-browser:
	@$(call install_packages,$(DEPS) $(BROWSER_DEPS))
deps-site:
	@$(call install_packages,$(SITE_DEPS))
deps-deb:
	@$(call install_packages,$(DEPS) $(RECORD_DEPS) $(DEB_DEPS))
deps-coverage:
	@$(call install_packages,$(DEPS) $(TEST_DEPS) $(COVERAGE_DEPS))

demo: deps-build
	$(MAKE) all
	$(BUILD)/traceviz data/cholesky.csv -o report.pdf
	@echo "report.pdf is a picture of the run in data/cholesky.csv"
	@echo "To call traceviz from any folder: export PATH=\"$(CURDIR)/$(BUILD):\$$PATH\" or, as root, make install"

test: deps-test
	$(MAKE) all tests

# Debian's python3, whatever other one is first in the path; screenshots of what failed are in build/browser.
test-browser: deps-browser
	$(MAKE) all
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" SHOTS="$(CURDIR)/$(BUILD)/browser" /usr/bin/python3 tests/browser/run.py $(TEST)

# The tests with what is installed; the others are counted as skipped.
check:
	@$(call find_missing,$(DEPS) $(TEST_DEPS)); [ -z "$$missing" ] || { \
		echo "Not installed, so what needs it is left out, and its tests are skipped (make deps-test installs it):"; echo " $$missing"; }
	$(MAKE) tests $(shell $(PKG_CONFIG) --exists cmocka || echo UNIT=)

tests: all mpi man completions examples $(BUILD)/oracle/tile-tasks $(BUILD)/oracle/row-groups $(SIMGRID) $(UNIT) $(FUZZ:%=$(BUILD)/fuzz/%.replay) $(BUILD)/fuzz/thin
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" sh tests/run.sh $(UNIT) tests/cases/*/*.test tests/cli/*.t

# Whether it works here, with no package but those of `make demo`.
QUICK = $(wildcard tests/cases/*/*.test) $(addprefix tests/cli/,usage.t pipes.t curve-panels.t platform-picture.t select.t wait-states.t)
check-quick: all man
	TRACEVIZ_BIN="$(abspath $(BIN))" sh tests/run.sh $(QUICK)

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

lint: deps-lint $(LOADED)
	sh tests/lint.sh
	sh tests/glibc.sh $(LOADED)

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

# What a program is linked with that contains objects.a.
libraries:
	@echo $(LIBS)

# Puts the table of the last bench into docs/speed.md.
bench-readme:
	sed -i -e '/^<!-- bench -->/,/^<!-- end -->/{/^<!-- bench -->/r $(BUILD)/bench.md' -e '/^|/d}' docs/speed.md

# Plants small faults, one at a time, and reports those that no test finds: make mutants SEED=1 COUNT=30
mutants: deps-test
	$(MAKE) all
	perl tests/mutants.pl $(or $(SEED),1) $(or $(COUNT),30)

SHARE = $(DESTDIR)$(PREFIX)/share
COMPLETIONS = bash-completion/completions/traceviz zsh/site-functions/_traceviz fish/vendor_completions.d/traceviz.fish

install: all man completions
	@$(MAKE) --no-print-directory install-built

# What is built, whatever it was built with.
install-built:
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/traceviz" "$(SHARE)/doc/traceviz"
	install -m 755 $(BUILD)/traceviz "$(DESTDIR)$(PREFIX)/bin/traceviz"
	@# Of those that 'make mpi' has built, the first one is traceviz-mpi.
	@for file in $(wildcard $(CLUSTER)); do install -m 755 $$file "$(DESTDIR)$(PREFIX)/bin/$${file##*/}" || exit 1; done
	@$(if $(wildcard $(CLUSTER)),ln -sf $(notdir $(firstword $(wildcard $(CLUSTER)))) "$(DESTDIR)$(PREFIX)/bin/traceviz-mpi",:)
	install -d "$(DESTDIR)$(PREFIX)/lib/traceviz" "$(DESTDIR)$(PREFIX)/include"
	install -m 644 $(LOADED) "$(DESTDIR)$(PREFIX)/lib/traceviz/"
	install -m 644 record/loaded/traceviz.h "$(DESTDIR)$(PREFIX)/include/"
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/include/traceviz" include/traceviz/*.h
	install -D -m 644 -t "$(DESTDIR)$(LIBDIR)" $(SHARED) $(STATIC)
	ln -sf $(SONAME) "$(DESTDIR)$(LIBDIR)/libtraceviz.so"
	install -d "$(DESTDIR)$(LIBDIR)/pkgconfig"
	sed -e 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(VERSION),; s,@LIBS@,$(LIBS),' packaging/traceviz.pc.in \
		>"$(DESTDIR)$(LIBDIR)/pkgconfig/traceviz.pc"
	install -m 644 data/*.csv data/platforms/*.xml r/traceviz.R "$(SHARE)/traceviz/"
	for n in 1 5 7; do install -D -m 644 -t "$(SHARE)/man/man$$n" $(BUILD)/man/*.$$n || exit 1; done
	install -m 644 README.md CHANGELOG.md LICENSE "$(SHARE)/doc/traceviz/"
	for file in $(COMPLETIONS); do install -D -m 644 $(BUILD)/share/$$file "$(SHARE)/$$file" || exit 1; done
	@# So that programs find the library at once.
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig 2>/dev/null || :

# Beside the library of that prefix, where python3 looks, if it looks there; Debian's own packages have no version in that folder.
PYTHONDIR ?= $(or $(filter $(PREFIX)/lib/%,$(shell python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))' 2>/dev/null)),$(PREFIX)/lib/python3/dist-packages)
install-python:
	install -D -m 644 -t "$(DESTDIR)$(PYTHONDIR)/traceviz" python/traceviz/*.py

# The version is that of cli/cli.h; all below have names with it and are in build/dist/.
VERSION = $(shell sed -n 's/^.define TV_VERSION "\(.*\)"/\1/p' cli/cli.h)
DIST = $(BUILD)/dist
TARBALL = $(DIST)/traceviz-$(VERSION).tar.xz

# The source: builds, tests and installs without git.
dist:
	@mkdir -p $(DIST)
	git archive --prefix=traceviz-$(VERSION)/ HEAD | xz -T1 >$(TARBALL)
	@du -k $(TARBALL)

# An archive for any Linux of this processor, without root.
bundle: all man completions
	@rm -rf $(DIST)/root
	@$(MAKE) --no-print-directory install DESTDIR="$(abspath $(DIST)/root)" PREFIX=
	sh packaging/bundle.sh $(DIST)/root traceviz-$(VERSION)-$(firstword $(subst -, ,$(shell $(CC) -dumpmachine))) $(DIST)

# Debian packages, of the tarball.
deb: deps-deb dist
	rm -rf $(DIST)/deb && mkdir -p $(DIST)/deb
	tar -C $(DIST)/deb -xf $(TARBALL)
	cp $(TARBALL) $(DIST)/deb/traceviz_$(VERSION).orig.tar.xz
	cp -R packaging/debian $(DIST)/deb/traceviz-$(VERSION)/debian
	cd $(DIST)/deb/traceviz-$(VERSION) && dpkg-buildpackage -us -uc

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/traceviz-mpi" $(CLUSTER:$(BUILD)/%="$(DESTDIR)$(PREFIX)/bin/%")
	rm -f "$(DESTDIR)$(PREFIX)/bin/traceviz" "$(DESTDIR)$(PREFIX)/include/traceviz.h"
	rm -rf "$(DESTDIR)$(PYTHONDIR)/traceviz"
	rm -f "$(DESTDIR)$(LIBDIR)/libtraceviz."* "$(DESTDIR)$(LIBDIR)/pkgconfig/traceviz.pc"
	rm -rf "$(DESTDIR)$(PREFIX)/lib/traceviz" "$(DESTDIR)$(PREFIX)/include/traceviz"
	rm -rf "$(SHARE)/traceviz" "$(SHARE)/doc/traceviz"
	rm -f "$(SHARE)/man/man1/traceviz"*.1 "$(SHARE)/man/man5/traceviz-formats.5" "$(SHARE)/man/man7/traceviz-glossary.7" $(COMPLETIONS:%="$(SHARE)/%")

# Man pages, completions and the tables in docs/ are made from this.
$(BUILD)/help.json: $(BIN)/traceviz
	$(Q)$(BIN)/traceviz help --json >$@ || { rm -f $@; exit 1; }

man: $(BUILD)/man/traceviz.1
$(BUILD)/man/traceviz.1: $(BUILD)/help.json docs/man.pl docs/man_pages.sh
	@rm -rf $(@D) && mkdir -p $(@D)
	$(Q)perl docs/man.pl $(BUILD)/help.json $(@D) || { rm -f $@; exit 1; }
	$(Q)sh docs/man_pages.sh formats $(BIN)/traceviz >$(@D)/traceviz-formats.5
	$(Q)sh docs/man_pages.sh glossary $(BIN)/traceviz >$(@D)/traceviz-glossary.7

completions: $(COMPLETIONS:%=$(BUILD)/share/%)
$(BUILD)/share/bash-completion/%: SHELL_NAME = bash
$(BUILD)/share/zsh/%: SHELL_NAME = zsh
$(BUILD)/share/fish/%: SHELL_NAME = fish
$(COMPLETIONS:%=$(BUILD)/share/%): $(BUILD)/help.json docs/completion.pl
	@mkdir -p $(@D)
	$(Q)perl docs/completion.pl $(SHELL_NAME) $(BUILD)/help.json >$@ || { rm -f $@; exit 1; }

# Writes the tables of options and columns in docs/; tests/cli/docs.t checks that they are current.
docs: $(BUILD)/help.json
	perl docs/tables.pl $(BUILD)/help.json docs/*.md docs/*/*.md

# The pages of docs/ and what they link to; the index of the search also as a script, for pages that are opened as files.
SITE = $(BUILD)/site
site: deps-site
	@$(MAKE) --no-print-directory site-built
	@echo "$(SITE)/html/index.html is the documentation"

site-built:
	rm -rf $(SITE) && mkdir -p $(SITE)
	perl docs/site/pages.pl $(SITE)
	cp -R docs/site/theme $(SITE)/
	cd $(SITE) && mkdocs build -q
	@cd $(SITE)/html/search && { printf 'var __search = { index: Promise.resolve('; cat search_index.json; echo ') };'; } >search_index.js

clean:
	rm -rf $(BUILD)

.PHONY: all mpi libraries bench-readme man completions docs examples clean deps deps-build deps-test deps-san deps-valgrind deps-lint deps-coverage deps-browser deps-site deps-deb site site-built demo test test-browser check \
	check-quick record-deps dist bundle deb check-long tests check-san check-valgrind lint format coverage fuzz bench mutants install install-built install-python uninstall
-include $(OBJECTS:.o=.d) $(UNIT:.t=.d) $(wildcard $(BUILD)/loaded/*.d $(BUILD)/loaded/*/*.d $(BUILD)/cluster-*/*.d)
