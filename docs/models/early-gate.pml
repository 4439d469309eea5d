/*
 * The form before the turnstile: only a waiting writer shuts the gate, readers share it. Kept for
 * the variants that were rejected; two readers (0, 1), two writers (2, 3), each a process of its
 * own that claims for ever and may be killed at any step (the mark stays as it was).
 *
 * (none)  a reader that sees the mark passes the gate shared and clears the mark; the writer holds
 *         the gate exclusive until it has the node. Correct, but slow for readers when measured.
 * BARGE   the same, but a writer tries the node without the gate first
 * HELD    the gate is held for the whole exclusive claim, the fast path looks at the mark twice.
 *         Correct, too, but a writer that comes back at once starves the readers when measured.
 *
 * Checked: exclusion; no deadlock; while a writer waits at the node, the mark being set, each
 * other party enters at most ENTRIES times.
 */
#include "flock.h"
#ifndef ENTRIES
#define ENTRIES 1
#endif

byte node_ex = FREE, node_sh = 0, gate_x = FREE, gate_s = 0;
bit mark = 0;
byte reading = 0, writing = 0, waiting = FREE, entered[4];
bool killed[4];

#define NOBODY_ENTERED entered[0] = 0; entered[1] = 0; entered[2] = 0; entered[3] = 0

inline clean(me) {
  unlock(node_ex, node_sh, me);
  unlock(gate_x, gate_s, me);
  reading = reading & ~BIT(me);
  writing = writing & ~BIT(me);
  if :: waiting == me -> waiting = FREE; NOBODY_ENTERED :: else fi
}

inline count_entry(me) {
  if
  :: waiting != FREE && waiting != me -> entered[me]++; assert(entered[me] <= ENTRIES)
  :: else
  fi
}

proctype Reader(byte me) {
  bit seen;
  {
    do
    :: seen = mark;
#ifdef HELD
       if
       :: !seen ->
          if
          :: lock_sh(node_ex, node_sh, me);
             if :: mark == 1 -> unlock(node_ex, node_sh, me) :: else -> goto inside fi
          :: node_ex != FREE
          fi
       :: else
       fi;
       lock_sh(gate_x, gate_s, me);
       mark = 0;    /* nobody holds the gate exclusive: the mark is stale */
       lock_sh(node_ex, node_sh, me);
       unlock(gate_x, gate_s, me);
#else
       if
       :: seen -> lock_sh(gate_x, gate_s, me); mark = 0; unlock(gate_x, gate_s, me)
       :: else
       fi;
       lock_sh(node_ex, node_sh, me);
#endif
inside:
       atomic { reading = reading | BIT(me); assert(writing == 0); count_entry(me) };
       atomic { reading = reading & ~BIT(me); unlock(node_ex, node_sh, me); seen = 0 }
    od
  } unless { killed[me] -> atomic { clean(me) } }
}

proctype Writer(byte me) {
  bit gated;
  {
    do
    ::
#ifdef BARGE
       if
       :: lock_ex(node_ex, node_sh, me); goto inside
       :: !CAN_EX(node_ex, node_sh, me)
       fi;
#endif
#ifdef HELD
       gated = false;
       if
       :: mark == 0 ->
          if
          :: lock_ex(node_ex, node_sh, me);
             if :: mark == 1 -> unlock(node_ex, node_sh, me) :: else -> goto inside fi
          :: !CAN_EX(node_ex, node_sh, me)
          fi
       :: mark == 1
       fi;
       gated = true;
#endif
       lock_ex(gate_x, gate_s, me);
       atomic { mark = 1; waiting = me; NOBODY_ENTERED };
       atomic { CAN_EX(node_ex, node_sh, me) -> lock_ex(node_ex, node_sh, me);
                waiting = FREE; NOBODY_ENTERED };
#ifdef HELD
       mark = 0;
#else
       unlock(gate_x, gate_s, me);
#endif
inside:
       atomic {
         writing = writing | BIT(me);
         assert(reading == 0 && writing == BIT(me));
         count_entry(me)
       };
       atomic { writing = writing & ~BIT(me); unlock(node_ex, node_sh, me) };
#ifdef HELD
       if :: gated -> unlock(gate_x, gate_s, me) :: else fi
#endif
    od
  } unless { killed[me] -> atomic { clean(me) } }
}

proctype Killer(byte victim) {
  if :: killed[victim] = true :: skip fi
}

init {
  atomic {
    run Reader(0); run Reader(1); run Writer(2); run Writer(3);
    run Killer(0); run Killer(2)
  }
}
