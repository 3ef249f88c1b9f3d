# SPDX-License-Identifier: GPL-3.0-or-later
# make all        build/traceviz                     make demo       README's first command
# make test       all tests                          make check-san  the tests under the sanitizers
# make bench      speed against peers                make install    PREFIX, DESTDIR
# make deps       install what is missing (Debian)   make clean

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
BUILD ?= build
PYTHON =

# Debian packages: to build and run; and besides those, to test and to measure.
DEPS = gcc make pkg-config libc6-dev libcsv-dev zlib1g-dev libzstd-dev libglpk-dev libigraph-dev \
	libcairo2-dev libpango1.0-dev libfontconfig-dev
TEST_DEPS = clang libclang-rt-14-dev libcmocka-dev perl valgrind zstd gzip glpk-utils pajeng recutils \
	poppler-utils librsvg2-bin libxml2-utils

LAYERS = trace convert dag lp analysis views cli
PKGS = libzstd zlib igraph cairo cairo-pdf pangocairo pangoft2 fontconfig
WARN = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wvla -Werror
# Bodies of lists are looked up only when something is compiled, so that `make deps` works without pkg-config.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS) | sed 's/-I/-isystem /g'))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
override CPPFLAGS += -I. -D_GNU_SOURCE
LIBS = $(PKG_LIBS) -lcsv -lglpk -lm

SOURCES = $(wildcard $(LAYERS:%=%/*.c))
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/data/embed.o
LIBRARY = $(BUILD)/libtraceviz.a
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%.t,$(wildcard tests/unit/test_*.c))

all: $(BUILD)/traceviz $(BUILD)/layers.ok

$(BUILD)/traceviz: $(BUILD)/cli/main.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIBRARY): $(filter-out $(BUILD)/cli/main.o,$(OBJECTS))
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/data/embed.o: data/embed.S data/kernels.csv $(wildcard data/fonts/*.ttf data/fonts/*.otf)
	@mkdir -p $(@D)
	$(CC) -I. -c -o $@ $<

$(BUILD)/unit/%.t: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(WARN) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LIBS)

# Dependencies between folders point downwards only.
$(BUILD)/layers.ok: tests/layers.sh $(SOURCES) $(wildcard $(LAYERS:%=%/*.h))
	@mkdir -p $(@D)
	sh tests/layers.sh
	@touch $@

clean:
	rm -rf $(BUILD)

.PHONY: all clean
-include $(OBJECTS:.o=.d) $(UNIT:.t=.d)
