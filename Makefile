# SPDX-License-Identifier: GPL-3.0-or-later
# make all        build/traceviz                     make demo       README's first command
# make test       all tests                          make check-san  the tests under the sanitizers
# make check-valgrind  every verb under valgrind
# make fuzz       every reader and parser, TIME=60 seconds each
# make bench      speed against peers                make install    PREFIX, DESTDIR
# make deps       install what is missing (Debian)   make clean

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
BUILD ?= build
# make V=1 shows the commands; WERROR=1 makes warnings errors.
Q = $(if $(V),,@)

# Debian packages: to build and run; and besides those, to test and to measure.
DEPS = gcc make pkg-config libc6-dev libcsv-dev zlib1g-dev libzstd-dev libfxt-dev libglpk-dev libigraph-dev \
	libcairo2-dev libpango1.0-dev libfontconfig-dev libyaml-dev
TEST_DEPS = clang libclang-rt-14-dev libcmocka-dev perl valgrind zstd gzip glpk-utils pajeng recutils \
	poppler-utils librsvg2-bin libxml2-utils time

LAYERS = trace convert dag lp analysis views cli
PKGS = libzstd zlib igraph cairo cairo-pdf pangocairo pangoft2 fontconfig yaml-0.1
WARN = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wvla -Wno-missing-field-initializers $(if $(WERROR),-Werror)
# Bodies of lists are looked up only when something is compiled, so that `make deps` works without pkg-config.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS) | sed 's/-I/-isystem /g'))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
override CPPFLAGS += -I. -D_GNU_SOURCE
LIBS = $(PKG_LIBS) -lfxt -lcsv -lglpk -lm

SOURCES = $(wildcard $(LAYERS:%=%/*.c) $(LAYERS:%=%/*/*.c))
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/data/embed.o
LIBRARY = $(BUILD)/libtraceviz.a
FUZZ = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%.t,$(wildcard tests/unit/test_*.c))

all: $(BUILD)/traceviz $(BUILD)/layers.ok

$(BUILD)/traceviz: $(BUILD)/cli/main.o $(LIBRARY)
	@echo "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIBRARY): $(filter-out $(BUILD)/cli/main.o,$(OBJECTS))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/data/embed.o: data/embed.S data/kernels.csv $(wildcard data/fonts/*.ttf data/fonts/*.otf)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -I. -c -o $@ $<

$(BUILD)/unit/%.t: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LIBS)

$(BUILD)/unit/test_row_limit.t: override LDFLAGS += -Wl,--wrap=tv_table_add_row
$(BUILD)/unit/test_drawing.t: override LDFLAGS += -Wl,--wrap=igraph_layout_sugiyama

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

# Dependencies between folders point downwards only.
$(BUILD)/layers.ok: tests/layers.sh $(SOURCES) $(wildcard $(LAYERS:%=%/*.h) $(LAYERS:%=%/*/*.h))
	@mkdir -p $(@D)
	sh tests/layers.sh
	@touch $@

# Installs the packages of $(1) that dpkg-query does not know as installed; silent when there are none.
install_packages = missing=; for p in $(1); do \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$p"; \
	done; [ -z "$$missing" ] || { echo "installing:$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	$$sudo apt-get update -q && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -q -y --no-install-recommends $$missing; }

deps:
	@$(call install_packages,$(DEPS) $(TEST_DEPS))

deps-build:
	@$(call install_packages,$(DEPS))

demo: deps-build
	$(MAKE) all
	$(BUILD)/traceviz data/cholesky.csv -o report.pdf
	@echo "report.pdf is a picture of the run in data/cholesky.csv"

test: deps
	$(MAKE) all tests

tests: all man $(UNIT) $(FUZZ:%=$(BUILD)/fuzz/%.replay) $(BUILD)/fuzz/thin
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" sh tests/run.sh $(UNIT) tests/cli/*.t

# The tests once more with the address and undefined behaviour sanitizers, by clang.
check-san: deps
	$(MAKE) BUILD=build/san CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer \
		-fsanitize=address,undefined -fno-sanitize-recover=undefined" LDFLAGS="-fsanitize=address,undefined" all tests

check-valgrind: deps
	$(MAKE) all
	TRACEVIZ_BIN="$(CURDIR)/$(BUILD)" sh tests/valgrind.sh

# Each reader and parser, by libFuzzer, for TIME seconds.
TIME ?= 60
fuzz: deps
	$(MAKE) BUILD=build/san-fuzz CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer \
		-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" \
		LDFLAGS="-fsanitize=address,undefined" all $(FUZZ:%=build/san-fuzz/fuzz/%) build/san-fuzz/fuzz/thin
	nice sh tests/fuzz/run.sh build/san-fuzz $(TIME)

bench: deps
	$(MAKE) all
	bash tests/bench/run.sh

# Plants small faults, one at a time, and reports those that no test finds: make mutants SEED=1 COUNT=30
mutants: deps
	$(MAKE) all
	perl tests/mutants.pl $(or $(SEED),1) $(or $(COUNT),30)

install: all man
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/traceviz" \
		"$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/doc/traceviz"
	install -m 755 $(BUILD)/traceviz "$(DESTDIR)$(PREFIX)/bin/traceviz"
	install -m 644 data/*.csv "$(DESTDIR)$(PREFIX)/share/traceviz/"
	install -m 644 $(BUILD)/man/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1/"
	install -m 644 README.md LICENSE "$(DESTDIR)$(PREFIX)/share/doc/traceviz/"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/traceviz"
	rm -rf "$(DESTDIR)$(PREFIX)/share/traceviz" "$(DESTDIR)$(PREFIX)/share/doc/traceviz"
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/traceviz"*.1

# Man pages say what --help says.
man: $(BUILD)/traceviz docs/man.sh
	@mkdir -p $(BUILD)/man
	$(Q)for verb in "" $$($(BUILD)/traceviz --help | sed -n '/^Verbs:/,/^$$/s/^  \([a-z-]*\) .*/\1/p'); do \
		sh docs/man.sh $(BUILD)/traceviz "$$verb" >$(BUILD)/man/traceviz$${verb:+-$$verb}.1 || exit 1; done

clean:
	rm -rf $(BUILD)

.PHONY: all man clean deps deps-build demo test tests check-san check-valgrind fuzz bench mutants install uninstall
-include $(OBJECTS:.o=.d) $(UNIT:.t=.d)
