/*
 * The first-in-first-out queue inside a process on top of the turnstile: 2 processes with 2 claims
 * each; claims 0, 1 belong to process 0, claims 2, 3 to process 1. Each claim loops and chooses
 * read or write. A waiting claim 0 may be cancelled any number of times, at the gate or at the
 * node. Each process may be killed at any step.
 *
 * Descriptions: 0, 1 the readers of each process (only ever locked shared without waiting, or
 * unlocked); 2 + c the one claim c waits and writes with; 6 what a cancelled wait of claim 0
 * leaves behind.
 *
 * ONEFD  rejected: one description per process for everything, also for waiting
 * THREE  without claim 3
 * KILL1  only process 0 may be killed
 * NOKILL nobody is killed
 *
 * Checked: exclusion; no deadlock; while a claim waits at the node, each other claim enters at
 * most once.
 */
#include "flock.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
byte granted[2];                             /* read claims the process has let in */
bool writer_in[2];                           /* a write claim of the process is in */
byte first[2] = FREE, second[2] = FREE;      /* the queue */
byte reading = 0, writing = 0, waiting = FREE, entered[4];
bool node_orphan, gate_orphan, killed[2];

#define P(c) ((c) / 2)
#ifdef ONEFD
#define OWN(c) P(c)
#define ORPHAN 0
#else
#define OWN(c) (2 + c)
#define ORPHAN 6
#endif
#define NOBODY_ENTERED entered[0] = 0; entered[1] = 0; entered[2] = 0; entered[3] = 0
/* what the process itself knows; with ONEFD the kernel does not tell its claims apart */
#define MAY_READ(c) (!writer_in[P(c)])
#define MAY_WRITE(c) (!writer_in[P(c)] && granted[P(c)] == 0)

inline enqueue(c) {
  atomic { if :: first[P(c)] == FREE -> first[P(c)] = c :: else -> second[P(c)] = c fi }
}

inline dequeue(c) {
  if
  :: first[P(c)] == c -> first[P(c)] = second[P(c)]; second[P(c)] = FREE
  :: second[P(c)] == c -> second[P(c)] = FREE
  :: else
  fi
}

inline count_entry(c) {
  if
  :: waiting != FREE && waiting != c -> entered[c]++; assert(entered[c] <= 1)
  :: else
  fi
}

inline let_reader_in(c) {
  lock_sh(node_ex, node_sh, P(c));
  granted[P(c)] = granted[P(c)] | BIT(c)
}

inline reader_leaves(c) {
  granted[P(c)] = granted[P(c)] & ~BIT(c);
  if :: granted[P(c)] == 0 -> unlock(node_ex, node_sh, P(c)) :: else fi
}

proctype Claim(byte c) {
  bit waited;
  {
    do
    :: enqueue(c);
       first[P(c)] == c;
       if
       :: /* read */
          if
          :: mark == 0 ->
             if
             :: atomic {
                  MAY_READ(c) && (granted[P(c)] != 0 || CAN_SH(node_ex, node_sh, P(c))) ->
                  let_reader_in(c)
                };
                if
                :: atomic { mark == 1 -> reader_leaves(c) }
                :: else -> goto reads
                fi
             :: !(MAY_READ(c) && (granted[P(c)] != 0 || CAN_SH(node_ex, node_sh, P(c))))
             fi
          :: mark == 1
          fi;
          if
          :: atomic { gate == FREE -> gate = c }
          :: gate != FREE -> atomic { gate == FREE -> gate = c; waited = 1 }
          fi;
          atomic { mark = 1; waiting = c; NOBODY_ENTERED };
#ifdef ONEFD
          atomic { MAY_READ(c) && CAN_SH(node_ex, node_sh, OWN(c)) ->
                   let_reader_in(c); waiting = FREE; NOBODY_ENTERED };
#else
          if
          :: atomic { CAN_SH(node_ex, node_sh, OWN(c)) ->
                      lock_sh(node_ex, node_sh, OWN(c)); waiting = FREE; NOBODY_ENTERED }
          :: !CAN_SH(node_ex, node_sh, OWN(c)) ->
             atomic { CAN_SH(node_ex, node_sh, OWN(c)) ->
                      lock_sh(node_ex, node_sh, OWN(c)); waited = 1; waiting = FREE;
                      NOBODY_ENTERED }
          fi;
          /* cannot fail: the shared lock just got keeps every writer out */
          atomic { assert(CAN_SH(node_ex, node_sh, P(c))); let_reader_in(c) };
          unlock(node_ex, node_sh, OWN(c));
#endif
          if :: !waited -> mark = 0 :: else fi;
          atomic { unlock_gate(gate, c); waited = 0 };
reads:
          atomic { dequeue(c); reading = reading | BIT(c); assert(writing == 0); count_entry(c) };
          atomic { reading = reading & ~BIT(c); reader_leaves(c) }
       :: /* write */
          if
          :: mark == 0 ->
             if
             :: atomic { MAY_WRITE(c) && CAN_EX(node_ex, node_sh, OWN(c)) ->
                         lock_ex(node_ex, node_sh, OWN(c)); writer_in[P(c)] = true };
                if
                :: atomic { mark == 1 ->
                            unlock(node_ex, node_sh, OWN(c)); writer_in[P(c)] = false }
                :: else -> goto writes
                fi
             :: !(MAY_WRITE(c) && CAN_EX(node_ex, node_sh, OWN(c)))
             fi
          :: mark == 1
          fi;
          if
          :: atomic { gate == FREE -> gate = c }
          :: gate != FREE ->
             if
             :: atomic { gate == FREE -> gate = c; waited = 1 }
             :: atomic { c == 0 && !gate_orphan && gate != FREE ->    /* cancelled at the gate */
                         gate_orphan = true; dequeue(c); goto next }
             fi
          fi;
          atomic { mark = 1; waiting = c; NOBODY_ENTERED };
#ifdef ONEFD
          MAY_WRITE(c);
#endif
          if
          :: atomic { CAN_EX(node_ex, node_sh, OWN(c)) -> lock_ex(node_ex, node_sh, OWN(c));
                      writer_in[P(c)] = true; waiting = FREE; NOBODY_ENTERED }
          :: !CAN_EX(node_ex, node_sh, OWN(c)) -> waited = 1;
             if
             :: atomic { CAN_EX(node_ex, node_sh, OWN(c)) -> lock_ex(node_ex, node_sh, OWN(c));
                         writer_in[P(c)] = true; waiting = FREE; NOBODY_ENTERED }
             :: atomic { c == 0 && !node_orphan && !CAN_EX(node_ex, node_sh, OWN(c)) ->
                         node_orphan = true; waiting = FREE; NOBODY_ENTERED };    /* cancelled */
                atomic { unlock_gate(gate, c); waited = 0 };
                atomic { dequeue(c); goto next }
             fi
          fi;
          if :: !waited -> mark = 0 :: else fi;
          atomic { unlock_gate(gate, c); waited = 0 };
writes:
          atomic {
            dequeue(c);
            writing = writing | BIT(c);
            assert(reading == 0 && writing == BIT(c));
            count_entry(c)
          };
          atomic { writing = writing & ~BIT(c); unlock(node_ex, node_sh, OWN(c));
                   writer_in[P(c)] = false }
       fi;
next:  skip
    od
  } unless { killed[P(c)] }
}

/* The threads that cancelled waits of claim 0 leave behind in flock(2). */
proctype NodeOrphan() {
  {
end_node:
    do
    :: node_orphan -> lock_ex(node_ex, node_sh, ORPHAN);
       atomic { unlock(node_ex, node_sh, ORPHAN); node_orphan = false }
    od
  } unless { killed[0] }
}

proctype GateOrphan() {
  {
end_gate:
    do
    :: gate_orphan -> lock_gate(gate, 6);
       atomic { unlock_gate(gate, 6); gate_orphan = false }
    od
  } unless { killed[0] }
}

inline wipe(c) {
  unlock(node_ex, node_sh, (2 + c));
  unlock_gate(gate, c);
  reading = reading & ~BIT(c);
  writing = writing & ~BIT(c);
  if :: waiting == c -> waiting = FREE; NOBODY_ENTERED :: else fi
}

/* The kernel frees everything of the process in one go. */
proctype Killer(byte v) {
  if
  :: atomic {
       killed[v] = true;
       unlock(node_ex, node_sh, v);
       wipe((2 * v));
       wipe((2 * v + 1));
       if
       :: v == 0 ->
          unlock(node_ex, node_sh, 6);
          unlock_gate(gate, 6);
          node_orphan = false; gate_orphan = false
       :: else
       fi;
       granted[v] = 0; writer_in[v] = false; first[v] = FREE; second[v] = FREE
     }
  :: skip
  fi
}

init {
  atomic {
    run Claim(0); run Claim(1); run Claim(2);
#ifndef THREE
    run Claim(3);
#endif
    run NodeOrphan(); run GateOrphan();
#ifndef NOKILL
    run Killer(0);
#ifndef KILL1
    run Killer(1)
#endif
#endif
  }
}
