#!/bin/bash
#
# Runs the Spin models of this directory and compares what each run finds with what it must find.
# Needs spin and gcc; one search at a time, at most 3 GB and 300 s of processor time each.
#
#   run-all.sh              everything, about ten minutes on one core
#   run-all.sh --quick      what ends within a minute in total
#   run-all.sh NAME...      these runs only
#   run-all.sh --list       names the runs
#   run-all.sh --resume F   notes finished runs in file F and skips those that stand there
#   run-all.sh --trail NAME prints the counterexample of one run
#
# One line per run: name, expected, found, states, seconds of processor time. What can be found:
# `holds`; `assertion` (a checked property is wrong); `stuck` (a deadlock); `starves` (somebody
# waits for ever). The exit status is 0 if every run found what is expected, 1 if one did not, 2 if
# something is missing.

set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2

# name | quick or full | expected | model | definitions | options for the search
table='
turnstile                |full |holds    |turnstile      |                              |
turnstile-nobody-killed  |quick|holds    |turnstile      |-DNOKILL                      |
turnstile-all-killed     |full |holds    |turnstile      |-DKILL4                       |
turnstile-one-look       |full |holds    |turnstile      |-DNORECHECK                   |
turnstile-writer-enters  |full |holds    |turnstile      |-DLIVE -DNOKILL               |-a -f -N writer_enters
turnstile-reader-enters  |full |holds    |turnstile      |-DLIVE -DNOKILL               |-a -f -N reader_enters
turnstile-any-clear      |full |holds    |turnstile      |-DANYCLEAR                    |
turnstile-any-clear-calm |quick|holds    |turnstile      |-DANYCLEAR -DNOKILL           |
turnstile-kept-gate      |full |holds    |turnstile      |-DKEEPGATE                    |
turnstile-kept-gate-clear|full |holds    |turnstile      |-DKEEPGATE -DANYCLEAR         |
turnstile-kept-gate-calm |quick|holds    |turnstile      |-DKEEPGATE -DNOKILL           |
turnstile-kept-writer    |full |holds    |turnstile      |-DKEEPGATE -DLIVE -DNOKILL    |-a -f -N writer_enters
turnstile-kept-reader    |full |holds    |turnstile      |-DKEEPGATE -DLIVE -DNOKILL    |-a -f -N reader_enters
early-gate               |full |holds    |early-gate     |                              |
early-gate-held          |full |holds    |early-gate     |-DHELD                        |
early-gate-barge         |full |assertion|early-gate     |-DBARGE -DENTRIES=3           |
shared-mark              |quick|assertion|shared-mark    |                              |BFS
pass-over-nobody         |full |holds    |pass-over      |-DFOREVER                     |-E
pass-over                |full |holds    |pass-over      |-DPASS -DFOREVER              |-E
pass-over-trust          |full |assertion|pass-over      |-DPASS -DTRUST                |-E
pass-over-order          |full |assertion|pass-over      |-DPASS -DORDER                |-E
two-nodes                |quick|holds    |two-nodes      |                              |
two-nodes-both           |full |holds    |two-nodes      |-DBOTH                        |
two-nodes-kept-gate      |quick|holds    |two-nodes      |-DKEEPGATE                    |
two-nodes-kept-gate-both |full |holds    |two-nodes      |-DKEEPGATE -DBOTH -DANYCLEAR  |
two-nodes-kept-gate-pass |full |holds    |two-nodes      |-DKEEPGATE -DPASS -DPASSALL   |
two-nodes-any-clear      |quick|holds    |two-nodes      |-DANYCLEAR                    |
two-nodes-one-look       |quick|stuck    |two-nodes      |-DNORECHECK                   |
two-nodes-late-gates     |full |stuck    |two-nodes      |-DLATE                        |
two-nodes-pass           |quick|stuck    |two-nodes      |-DPASS                        |
two-nodes-pass-all       |full |holds    |two-nodes      |-DPASS -DPASSALL              |
two-nodes-pass-all-both  |full |holds    |two-nodes      |-DPASS -DPASSALL -DBOTH       |
two-nodes-pass-clear     |full |stuck    |two-nodes      |-DPASS -DPASSALL -DPASSCLEAR  |
retake                   |quick|holds    |retake         |                              |
retake-kept-gate         |quick|holds    |retake         |-DKEEPGATE                    |
retake-keep              |quick|stuck    |retake         |-DKEEP                        |
nesting                  |quick|holds    |nesting        |                              |
nesting-kept-gate        |quick|holds    |nesting        |-DKEEPGATE                    |
nesting-any-clear        |quick|holds    |nesting        |-DANYCLEAR                    |
nesting-tree-first       |full |stuck    |nesting        |-DTREEFIRST                   |
nesting-one-gate         |full |stuck    |nesting        |-DONEGATE                     |
nesting-no-reentry       |quick|stuck    |nesting        |-DNOREENTRY                   |
upgrade                  |full |holds    |upgrade        |                              |
upgrade-convert          |quick|assertion|upgrade        |-DLITERAL                     |
upgrade-pass             |full |assertion|upgrade        |-DPASS                        |
upgrade-pass-generation  |quick|holds    |upgrade        |-DPASS -DGENERATION           |
upgrade-beside           |quick|holds    |upgrade-beside |-DGATE                        |
upgrade-beside-wait      |quick|holds    |upgrade-beside |-DWAIT                        |
upgrade-beside-bare      |quick|assertion|upgrade-beside |-DBARE                        |
upgrade-beside-express   |quick|assertion|upgrade-beside |-DEXPRESS                     |
process-queue            |full |holds    |process-queue  |-DTHREE                       |
process-queue-four       |full |holds    |process-queue  |-DNOKILL                      |
process-queue-four-killed|full |holds    |process-queue  |-DKILL1                       |
process-queue-one-fd     |full |assertion|process-queue  |-DONEFD -DTHREE -DNOKILL      |BFS
join-reader              |quick|holds    |join-reader    |                              |
join-reader-alone        |quick|stuck    |join-reader    |-DALONE                       |
join-reader-look-once    |quick|stuck    |join-reader    |-DLOOKONCE                    |
join-reader-alone-enters |full |holds    |join-reader    |-DLOOP -DALONE                |-a -f -N writer_enters
join-reader-loop         |quick|starves  |join-reader    |-DLOOP                        |-a -f -N writer_enters
join-writer              |quick|holds    |join-writer    |-DRETIRE                      |
join-writer-literal      |full |assertion|join-writer    |-DLITERAL                     |
join-writer-unlock       |full |assertion|join-writer    |-DUNLOCK                      |
join-upgrade             |full |holds    |join-upgrade   |                              |
join-upgrade-free        |full |holds    |join-upgrade   |-DFREE_X                      |
join-upgrade-look-once   |quick|assertion|join-upgrade   |-DLOOKONCE                    |
join-upgrade-wait-on     |quick|assertion|join-upgrade   |-DWAITON                      |
join-upgrade-keep-gate   |full |assertion|join-upgrade   |-DKEEPGATE                    |
join-upgrade-pass        |full |assertion|join-upgrade   |-DPASS                        |
join-upgrade-pass-guard  |full |holds    |join-upgrade   |-DPASS -DGUARD                |
janitor                  |quick|holds    |janitor        |-DDEADFLAG                    |
janitor-stranger         |full |holds    |janitor        |-DDEADFLAG -DNLINK -DOUTSIDE  |
janitor-epoch            |full |assertion|janitor        |                              |
janitor-epoch-process    |full |assertion|janitor        |-DPROC                        |
janitor-epoch-fresh      |full |holds    |janitor        |-DFRESH                       |
janitor-epoch-stranger   |full |assertion|janitor        |-DFRESH -DOUTSIDE             |
moves                    |quick|holds    |moves          |                              |
moves-strict             |quick|assertion|moves          |-DSTRICT                      |
moves-early              |quick|assertion|moves          |-DEARLY                       |
moves-after              |full |assertion|moves          |-DAFTER                       |
moves-late-sample        |full |assertion|moves          |-DLATESAMPLE                  |
moves-look-before        |full |assertion|moves          |-DLOOKBEFORE                  |
moves-resample           |quick|assertion|moves          |-DRESAMPLE                    |
moves-forget             |quick|assertion|moves          |-DFORGET                      |
moves-newest             |quick|assertion|moves          |-DNEWEST                      |
moves-only-old           |quick|assertion|moves          |-DONLYOLD                     |
moves-stop-at-hole       |full |assertion|moves          |-DSTOPATHOLE                  |
moves-directory          |quick|holds    |moves-directory|                              |
moves-directory-ancestor |quick|assertion|moves-directory|-DNOANCESTOR                  |
moves-directory-jump     |full |assertion|moves-directory|-DJUMP                        |
presence                 |full |holds    |presence       |                              |
presence-before          |quick|assertion|presence       |-DBEFORE                      |
presence-add-late        |full |assertion|presence       |-DADDLATE                     |
presence-no-lock         |quick|assertion|presence       |-DNOLOCK                      |
presence-zero-first      |quick|assertion|presence       |-DZEROFIRST                   |
presence-subtract        |full |assertion|presence       |-DSUBTRACT                    |
presence-epoch           |full |holds    |presence-epoch |-DFEWER                       |
presence-epoch-counters  |full |holds    |presence-epoch |-DCOUNTERS                    |
presence-epoch-add-once  |quick|assertion|presence-epoch |-DCOUNTERS -DADDONCE          |
presence-epoch-subtract  |full |assertion|presence-epoch |-DCOUNTERS -DSUBTRACT         |
presence-epoch-store     |full |assertion|presence-epoch |-DCOUNTERS -DSTORE            |
lend-lock                |quick|assertion|lend-lock      |-DNOWATCH                     |-E
lend-lock-stuck          |full |assertion|lend-lock      |                              |-E
lend-lock-check          |full |assertion|lend-lock      |-DCHECK                       |-E
lend-lock-unlock         |full |assertion|lend-lock      |-DCHECK -DUNLOCK              |-E
ask                      |full |holds    |ask            |-DONEP                        |-E
ask-two                  |full |holds    |ask            |-DNORQ -DNOSTOP -DNOQ         |-E
ask-no-permission        |quick|assertion|ask            |-DONEP -DNOPERMIT -DNORQ -DNOQ|-E
ask-queue                |quick|holds    |ask-queue      |-DPAST                        |-E
ask-queue-same-process   |full |holds    |ask-queue      |-DPAST -DSAME                 |-E
ask-queue-line           |quick|assertion|ask-queue      |-DLINE                        |-E
ask-queue-line-same      |full |assertion|ask-queue      |-DLINE -DSAME                 |-E
ask-read                 |quick|holds    |ask-read       |                              |
ask-read-open-gate       |quick|assertion|ask-read       |-DLITERAL                     |
ask-read-open-gate-first |full |assertion|ask-read       |-DLITERAL -DRELFIRST          |
ask-read-release-first   |quick|assertion|ask-read       |-DRELFIRST                    |
ask-read-late            |quick|assertion|ask-read       |-DLATEEOF                     |
ask-read-late-hold       |quick|holds    |ask-read       |-DLATEEOF -DHOLD              |
ask-read-pass            |quick|assertion|ask-read       |-DPASS                        |
ask-read-pass-hold       |quick|holds    |ask-read       |-DPASS -DLATEEOF -DHOLD       |
serve-queue              |quick|holds    |serve-queue    |                              |
serve-queue-same         |quick|holds    |serve-queue    |-DSAME                        |
serve-queue-block        |quick|stuck    |serve-queue    |-DBLOCK                       |
serve-queue-block-same   |full |stuck    |serve-queue    |-DBLOCK -DSAME                |
serve-queue-nested       |quick|stuck    |serve-queue    |-DNESTED                      |
serve-queue-nested-walk  |quick|holds    |serve-queue    |-DNESTED -DWALK               |
serve-queue-nested-same  |full |holds    |serve-queue    |-DNESTED -DWALK -DSAME        |
serve-grant              |quick|holds    |serve-grant    |-DGIVEBACK                    |
serve-grant-keep         |quick|stuck    |serve-grant    |-DKEEP                        |
serve-grant-keep-walk    |quick|holds    |serve-grant    |-DKEEPWALK                    |
'

usage() {
  sed -n '3,17s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

memory=3000 limit=300 quick= resume= trail= names=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --resume) resume=${2:?--resume needs a file}; shift ;;
    --trail) trail=1 ;;
    --list) printf '%s' "$table" | awk -F'|' 'NF > 1 { gsub(/ /, "", $1); print $1 }'; exit 0 ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) names="$names $1 " ;;
  esac
  shift
done

for tool in spin gcc awk; do
  command -v "$tool" >/dev/null || { echo "run-all.sh: $tool is missing" >&2; exit 2; }
done
for name in $names; do
  printf '%s' "$table" | grep -q "^$name " || {
    echo "run-all.sh: no run is called $name" >&2
    exit 2
  }
done

work=$(mktemp -d "${TMPDIR:-/tmp}/models.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# build MODEL DEFINITIONS OPTIONS GROUP-EXPECTED: makes ./pan in the current directory
build() {
  local define=-DSAFETY optimize=-O0    # compiling better takes longer than most searches
  [ "$4" != full-holds ] || optimize=-O2
  case $3 in
    *-a*) define= ;;
    *BFS*) define="-DSAFETY -DBFS" ;;
  esac
  cp "$here"/*.h "$here/$1.pml" . &&
    spin -a $2 "$1.pml" >spin.txt 2>&1 &&
    gcc $optimize -w $define -DCOLLAPSE -DVECTORSZ=2048 -DMEMLIM=$memory -o pan pan.c >gcc.txt 2>&1
}

# processor_time: seconds that the children of this shell have used
processor_time() {
  awk '{ split($1, u, "[ms]"); split($2, s, "[ms]") }
    END { print 60 * (u[1] + s[1]) + u[2] + s[2] }' "$work/times"
}

# note LINE: for --resume
note() {
  [ -z "$resume" ] || (cd "$OLDPWD" && echo "$1" >>"$resume")
}

# verdict: what the search in ./pan.txt has found
verdict() {
  if grep -q '^pan:1: assertion violated' pan.txt; then echo assertion
  elif grep -q '^pan:1: invalid end state' pan.txt; then echo stuck
  elif grep -q '^pan:1: acceptance cycle' pan.txt; then echo starves
  elif grep -q 'reached -DMEMLIM' pan.txt; then echo out-of-memory
  elif grep -q 'max search depth too small' pan.txt; then echo too-deep
  elif grep -q 'errors: 0' pan.txt && ! grep -q 'Search not completed' pan.txt; then echo holds
  else echo unfinished
  fi
}

failed=0 count=0
[ -n "$trail" ] || printf '%-26s %-10s %-13s %10s %8s\n' name expected found states seconds
while IFS='|' read -r name group expected model define options; do
  name=${name// /} group=${group// /} expected=${expected// /} model=${model// /}
  [ -n "$name" ] || continue
  [ -z "$quick" ] || [ "$group" = quick ] || continue
  [ -z "$names" ] || [[ $names == *" $name "* ]] || continue
  count=$((count + 1))
  if [ -e "$resume" ] && line=$(grep "^$name $expected $expected " "$resume"); then
    printf '%-26s %-10s %-13s %10s %8s (earlier)\n' $line
    continue
  fi

  mkdir "$work/run" && cd "$work/run" || exit 2
  times >"$work/times"
  started=$(processor_time)
  if build "$model" "$define" "$options" "$group-$expected"; then
    size="-m200000 -w20"
    [ "$group" = quick ] || size="-m2000000 -w24"
    (ulimit -t "$limit"; exec nice -n 10 ./pan $size ${options/BFS/}) >pan.txt 2>&1 </dev/null
    found=$(verdict)
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.txt)
  else
    cat spin.txt gcc.txt >&2 2>/dev/null
    found=no-build states=
  fi
  times >"$work/times"
  seconds=$(awk -v a="$started" -v b="$(processor_time)" 'BEGIN { printf "%.1f", b - a }')

  if [ -n "$trail" ]; then
    spin -t -p -g $define "$model.pml"
  else
    printf '%-26s %-10s %-13s %10s %8s' "$name" "$expected" "$found" "${states:--}" "$seconds"
    if [ "$found" = "$expected" ]; then
      echo
      note "$name $expected $found ${states:--} $seconds"
    else
      echo "  DIFFERS"
      failed=$((failed + 1))
      [ ! -e pan.txt ] || sed 's/^/    /' pan.txt | head -20 >&2
    fi
  fi
  cd "$OLDPWD" && rm -rf "$work/run"
done <<<"$table"

[ -n "$trail" ] || echo "$count runs, $failed differ"
[ "$failed" = 0 ]
