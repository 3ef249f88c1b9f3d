# SPDX-License-Identifier: GPL-3.0-or-later
# A Spack recipe, not built here: copy it to a repository of your own as packages/traceviz/package.py, and name the place of
# the tarball that `make dist` makes: spack install traceviz
from spack.package import *


class Traceviz(MakefilePackage):
    """Why was this parallel run slow? Answers from execution traces of task-based programs."""

    license("GPL-3.0-or-later")

    version("0.2.0", url="file:///path/to/traceviz-0.2.0.tar.xz")

    variant("fxt", default=False, description="Read FxT traces by libfxt too, for comparison")
    variant("igraph", default=True, description="Lay out task graphs")
    variant("hwloc", default=True, description="Monitor the machine while recording")
    variant("dw", default=True, description="Name places in recorded programs")
    variant("yaml", default=True, description="Read files of settings")
    variant("yajl", default=True, description="Read Chrome trace events")
    variant("sqlite", default=True, description="Read databases of GPU profilers")
    variant("otf2", default=True, description="Read OTF2 archives")
    variant("subset", default=True, description="Put the font into SVG")
    variant("openmp", default=True, description="Record OpenMP programs")
    variant("starpu", default=False, description="Record StarPU programs")

    depends_on("c", type="build")
    depends_on("gmake@4.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("perl", type="test")
    depends_on("libcsv")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("glpk")
    depends_on("cairo+pdf+ft+fc")
    depends_on("pango")
    depends_on("fontconfig")
    depends_on("expat")
    depends_on("fxt", when="+fxt")
    depends_on("igraph@0.10:", when="+igraph")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("elfutils", when="+dw")
    depends_on("libyaml", when="+yaml")
    depends_on("yajl@2:", when="+yajl")
    depends_on("sqlite@3:", when="+sqlite")
    depends_on("otf2@3:", when="+otf2")
    depends_on("harfbuzz@2.9:", when="+subset")
    depends_on("llvm-openmp", when="+openmp")
    depends_on("starpu@1.3:1.4", when="+starpu")

    @property
    def without(self):
        names = [n for n in ("fxt", "igraph", "hwloc", "dw", "yaml", "yajl", "sqlite", "otf2", "subset") if not self.spec.satisfies("+" + n)]
        return "WITHOUT=" + " ".join(n.upper() for n in names)

    @property
    def build_targets(self):
        return ["all", "man", "completions", self.without]

    @property
    def install_targets(self):
        return ["install", "PREFIX=" + self.prefix, self.without]

    def check(self):
        make("check-quick", self.without)
