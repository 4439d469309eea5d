/*
 * What a claim does that is granted while its thread serves a message. Items a < b. Z writes a and
 * asks the presenters X and Y of a, keeping the gate of a. X's main thread waits in a claim C1 of b
 * (H holds b for a while) and serves Z's message: the presenter saves a, past the gate. Y's answer,
 * on a queue of its own, saves a and b in one call. Everything is exclusive.
 *
 * KEEP      rejected: C1 keeps what comes in while its thread serves. Y has a and waits for b, C1
 *           has b and waits for its thread, the thread waits for a
 * KEEPWALK  as KEEP, but a claim that was made while serving counts as nested in the waiting one,
 *           and the walk of the wait-for graph ends it with an error: no deadlock, a failed save
 * GIVEBACK  what was granted first runs first; a claim that is granted while its thread serves
 *           gives gate and node back and starts over when the thread is free again
 *
 * Checked: no deadlock, exclusion.
 */
#include "flock.h"

byte a = FREE, gate_a = FREE, b = FREE, gate_b = FREE;
bool asked, answered_x, answered_y, serving, granted, c1_done, save_failed;
byte in_a = 0, in_b = 0;

#define INSIDE(counter) atomic { counter++; assert(counter == 1) }; counter--

proctype Z() {
  lock_gate(gate_a, 0);
  lock_gate(a, 0);
  unlock_gate(a, 0);
  asked = true;
  answered_x && answered_y;
  lock_gate(a, 0);
  unlock_gate(gate_a, 0);
  INSIDE(in_a);
  unlock_gate(a, 0)
}

proctype H() {
  lock_gate(b, 1);
  INSIDE(in_b);
  unlock_gate(b, 1)
}

/* The thread of ours that waits in the kernel for C1. */
proctype Wait() {
again:
  lock_gate(gate_b, 2);
  lock_gate(b, 2);
  unlock_gate(gate_b, 2);
#ifdef GIVEBACK
  if
  :: atomic { !serving -> granted = true }
  :: serving -> unlock_gate(b, 2); !serving; goto again
  fi
#else
  granted = true
#endif
}

proctype X() {
  do
#ifdef GIVEBACK
  :: atomic { asked && !answered_x && (!granted || c1_done) -> serving = true };
#else
  :: atomic { asked && !answered_x -> serving = true };
#endif
     if
     :: lock_gate(a, 3); INSIDE(in_a); unlock_gate(a, 3)
#ifdef KEEPWALK
     :: a == 4 && b == 2 -> save_failed = true    /* the cycle, after two seconds */
#endif
     fi;
     atomic { answered_x = true; serving = false }
  :: granted && !c1_done ->
     INSIDE(in_b);
     atomic { unlock_gate(b, 2); c1_done = true }
  :: answered_x && c1_done -> break
  od
}

proctype Y() {
  asked;
  lock_gate(a, 4);
  lock_gate(gate_b, 4);
  lock_gate(b, 4);
  unlock_gate(gate_b, 4);
  atomic { in_a++; in_b++; assert(in_a == 1 && in_b == 1) };
  atomic { in_a--; in_b-- };
  unlock_gate(b, 4);
  unlock_gate(a, 4);
  answered_y = true
}

init { atomic { run Z(); run H(); run Wait(); run X(); run Y() } }
