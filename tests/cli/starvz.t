#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# starvz.t: configuration files of StarVZ: panels in its order, what has a counterpart, what has none
. "$(dirname "$0")/lib.sh"
plan 27
cp "$DATA/cholesky.csv" run.csv
{ traceviz plot --help; traceviz help input; help_panels; } >help
traceviz help panels >panels
here() { grep -q "^  $1[ *]" panels; }
has() { grep -q -e "^  --$1 " help; }

# settings: those in force after config.yaml, comments left out; warnings in stderr.
settings() {
	run traceviz plot --config config.yaml --print-config
	grep -v '^ *#' stdout
}

# Every panel on: those that we have, in StarVZ's order, whatever the order in the file; a warning for each other one.
theirs='atree:tree utiltreenode:tree-usage activenodes:open-fronts kiteration:progress summary_nodes:- st:spacetime submitted:submitted
	starpu:states node_events:events ready:ready lackready:starvation gflops:gflops usedmemory:used-memory imbalance:imbalance
	power_imbalance:power-imbalance hete_imbalance:hetero-imbalance utilheatmap:utilization gpubandwidth:gpu-bandwidth mpibandwidth:bandwidth
	mpiconcurrent:in-flight mpiconcurrentout:in-flight mpistate:mpi-states'
want= missing=0 named=0
for pair in $theirs; do
	printf '%s:\n  active: TRUE\n' "${pair%%:*}"
done | awk '{ line[NR] = $0 } END { for (i = NR - 1; i > 0; i -= 2) print line[i] "\n" line[i + 1] }' >config.yaml
settings >got
for pair in $theirs; do
	panel=${pair#*:}
	if here "$panel"; then
		case ,$want, in *,"$panel",*) ;; *) want="$want${want:+,}$panel" ;; esac
	else
		missing=$((missing + 1))
		grep -q "'${pair%%:*}.active'" stderr && named=$((named + 1))
	fi
done
is "$(sed -n 's/^panels: //p' got)" "$want" "panels in StarVZ's order"
is "$named" "$missing" "every other one is named in a warning"
is "$(sed -n '/^in-flight:/{n;p;}' got)" "  show: both" "both panels of concurrent messages are one"

# Panels that StarVZ nests in memory and pmtool, and what belongs to them.
nested() { # SWITCHED-ON KEY TEXT: the warning names KEY, nothing is silent
	printf 'st:\n  active: TRUE\n%b' "$3" >config.yaml
	settings >/dev/null
	like "$1 $(cat stderr)" "$1 *config.yaml:*no counterpart in traceviz: $2; *" "$1 is not ignored without a warning"
}
nested memory.state "'memory.state.select'" 'memory:\n  state: {active: TRUE, select: "Allocating", total: TRUE}\n'
nested pmtool.state "'pmtool.state.active', 'pmtool.kiteration.active' (line 5)" \
	'pmtool:\n  state: {active: TRUE, sched: "dmdas:"}\n  kiteration: {active: TRUE}\n  makespan: TRUE\n'
printf 'st:\n  active: TRUE\nmemory:\n  state: {active: TRUE}\n  combined: TRUE\n  transfers: {active: TRUE, arrow: TRUE}\n' >config.yaml
is "$(settings | tr "\n" " ")" "panels: spacetime,memory-states memory-states:   transfers: all " "memory.combined: the transfers too"
nested memory.stat "'memory.stat.active', 'pmtool.bound.active' (line 4)" 'memory: {stat: {active: TRUE}}\npmtool: {bound: {active: TRUE}}\n'

# The shape of the file: one configuration, several, or none.
printf 'default:\n  ready:\n    active: TRUE\n' >config.yaml
is "$(settings)" "panels: spacetime,ready" "under default"
printf 'ready:\n  active: yes\nst: {active: no}\n' >config.yaml
is "$(settings)" "panels: ready" "without a name; st switched off"
printf 'exp7:\n  ready:\n    active: TRUE\ndefault:\n  submitted:\n    active: TRUE\n' >config.yaml
is "$(settings)" "panels: spacetime,submitted" "default before other names"
is "$(cat stderr)" "traceviz: config.yaml:3: only the configuration 'default' is read" "and that is said"
printf 'exp7:\n  ready:\n    active: TRUE\ndefault:\n  st:\n' >config.yaml
is "$(settings)" "panels: spacetime,ready" "a lone name"

# Values.
cat >config.yaml <<'EOF'
default:
  limits:
    start: 100
    end: 2500
  selected_nodes: ["0"]
  title:
    active: TRUE
    text: A title
  st:
    active: TRUE
    height: 5
  ready:
    active: TRUE
    height: 2
    limit: 50
    step:
  submitted:
    active: FALSE
    height: 3
    limit: 9
EOF
is "$(settings | tr '\n' ' ')" \
	"title: \"A title\" panels: spacetime,ready node: 0 begin: 100 end: 2500 spacetime:   height: 5 ready:   limit: 50   height: 2 " \
	"window, nodes, title, heights, limits; nothing of panels that are off"
is "$(cat stderr)" "" "without a warning"
run traceviz -q run.csv --config config.yaml -o fig.csv
is "$rc $(grep -c '^rect,page,frame,ready' fig.csv)" "0 0" "the figure is drawn"
like "$(grep '^text' fig.csv)" "*A title*ready tasks*" "with its title and panels"
printf 'limits:\n  start: 0\nready:\n  active: TRUE\n  limit: NA\n' >config.yaml
is "$(settings)" "panels: spacetime,ready" "a window from 0 and no limit change nothing"

# Layers of the space-time panel.
layer() { # OPTION TEXT WANT NAME: if the panel has the option, else a warning that it has not
	printf 'st:\n  active: TRUE\n%b' "$2" >config.yaml
	settings >got
	if has "spacetime.$1"; then
		like "$(tr '\n' ' ' <got)" "*$3*" "$4"
	else
		like "$(cat stderr)" "*there is no --st.$1*" "$4 (not here)"
	fi
}
layer bounds '  abe: {active: TRUE}\n  makespan: FALSE\n' 'bounds: abe' "bounds"
layer chains '  tasks: {active: TRUE, levels: 4, list: ["1_30", "1_31"]}\n' 'chains: "id:1_30,1_31"*depth: 4' "chains of tasks"
layer aggregate '  aggregation: {active: TRUE, method: dynamic, step: 50, states: [dgemm, dtrsm]}\n' \
	'aggregate: consecutive*' "aggregation"
layer outliers '  outliers: FALSE\n' 'outliers: "no"' "outliers"
layer idleness '  idleness: FALSE\n' 'idleness: "no"' "idleness"
printf 'st:\n  active: TRUE\n  aggregation: {active: TRUE, method: often}\n' >config.yaml
settings >/dev/null
like "$rc $(cat stderr)" "0 traceviz: config.yaml:3: ignored, no counterpart in traceviz: 'st.aggregation.method'; *" \
	"an unknown way of aggregation"

# A whole file as people have them: with everything that is written in them by habit.
cat >config.yaml <<'EOF'
default:
  base_size: 14
  expand: 0.05
  idleness_factor: 5.5
  idleness_all: TRUE
  guided: {active: TRUE, agg_type_height: 20, node_height: 10}
  title: {active: FALSE, height: 0.6}
  vanilla: {vertical: FALSE, horizontal: FALSE}
  limits: {start: 0}
  app_tasks: {dgemm: {color: "#00ff00", use: TRUE}}
  kiteration: {active: FALSE, legend: TRUE, height: 2, middlelines: [0.5], pernode: FALSE, subite: FALSE}
  st:
    active: TRUE
    alpha: 0.25
    expand: 0.01
    labels: "ALL"
    legend: TRUE
    rect_outline: FALSE
    drop_small: 0.0
    cpb_mpi: {active: FALSE, bandwidth: , theoretical: , tile_size: }
    aggregation: {active: FALSE, method: "static", states: ["dgemm"], step: 1000}
    tasks: {active: FALSE, levels: 10, list: ["600"]}
    abe: {size: 5, bar_color: gray, text: TRUE, label: TRUE}
  summary_nodes: {active: FALSE, legend: FALSE}
  pmtool: {makespan: TRUE, bounds: {active: FALSE, alg: [area, cp]}, state: {active: FALSE, sched: "dmdas:"}}
  memory: {combined: FALSE, state: {active: FALSE, select: "Allocating"}, transfers: {active: FALSE, arrow: TRUE}}
  starpu: {active: FALSE, legend: TRUE}
  lackready: {active: FALSE, aggregation: 10, threshold: }
  power_imbalance: {active: FALSE, task: "dgemm", step: 100}
  vertical_lines: {active: FALSE, x_list: [1, 2], color_list: ["green", "gray"]}
  ready: {active: TRUE, legend: TRUE, limit: , step: 100}
  redy: {active: TRUE}
EOF
settings >got
is "$(cat got)" "panels: spacetime,ready" "a usual file"
is "$(grep 'no counterpart' stderr)" "traceviz: config.yaml:2: ignored, no counterpart in traceviz: 'base_size', 'expand' (line 3), \
'idleness_factor' (line 4), 'app_tasks.dgemm.color' (line 10), 'app_tasks.dgemm.use' (line 10), 'st.alpha' (line 14), \
'st.expand' (line 15), 'st.legend' (line 17), 'ready.legend' (line 31), 'ready.step' (line 31), 'redy.active' (line 32); \
see docs/config.md" "one warning lists all keys without counterpart, with lines"
is "$(wc -l <stderr | tr -d ' ')" 1 "no warning about what is off or has its default"
run traceviz run.csv --config config.yaml --strict -o x.pdf
is "$rc $(ls x.pdf 2>/dev/null)" "1 " "with --strict all that is an error"
