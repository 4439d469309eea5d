/*
 * A read R that asks a presenter P (relinquish and save), and a write W that asks P, too. P edits
 * whenever it is not relinquished (a naive client: a reacquirer means "mine again"). R or W may be
 * killed at any step; the end of its connection counts as its reacquirer.
 *
 * LITERAL   rejected: gate open while asking, everything given back
 * RELFIRST  rejected: nodes are released before the reacquirers are sent
 * LATEEOF   P's process learns of a death later than the kernel frees the dead one's locks
 * HOLD      P's process keeps back a reacquirer while another access that P has answered has
 *           neither begun nor ended
 * PASS      R's process may be stopped and continued while it asks, and W passes over R's gate
 *
 * Checked: when the accessor of R runs, P is relinquished and has nothing unsaved, when that of W
 * runs, P is relinquished; exclusion; nobody is stuck; every round ends.
 */
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
mtype = { ask_read, end_read, ask_write, end_write };
chan queue = [6] of { mtype };    /* P's serial queue, in order of arrival */
bool relinquished, dirty = true;
bool asked_r, answered_r, began_r, killed_r, r_done;
bool asked_w, answered_w, began_w, killed_w, w_done;
bool stopped_r, held_end_write, held_end_read;
bool reading, writing;

/* Descriptions: 0 R, 1 W, 2 P. */

inline release(o) {
  unlock(node_ex, node_sh, o);
  unlock_gate(gate, o)
}

proctype R() provided (!stopped_r || killed_r) {
  bit waited;
  {
#ifdef LITERAL
    lock_sh(node_ex, node_sh, 0);
#else
    gate_sh(node_ex, node_sh, gate, mark, 0, waited);
#endif
    unlock(node_ex, node_sh, 0);
    atomic { queue ! ask_read; asked_r = true };
    answered_r;
    lock_sh(node_ex, node_sh, 0);
#ifndef LITERAL
    open_gate(gate, mark, 0, waited);
#endif
    atomic { reading = true; began_r = true; assert(!writing); assert(relinquished && !dirty) };
    reading = false;
#ifdef RELFIRST
    release(0);
    atomic { queue ! end_read; asked_r = false; r_done = true }
#else
    atomic { queue ! end_read; asked_r = false };    /* queued at P before the release */
    atomic { release(0); r_done = true }
#endif
  } unless { killed_r }
}

proctype W() {
  bit waited;
  {
#ifdef PASS
    if
    :: gate_ex(node_ex, node_sh, gate, mark, 1, waited)
    :: gate == 0 && stopped_r -> lock_ex(node_ex, node_sh, 1)    /* no gate, no mark */
    fi;
#else
    gate_ex(node_ex, node_sh, gate, mark, 1, waited);
#endif
#ifdef LITERAL
    open_gate(gate, mark, 1, waited);
#else
    unlock(node_ex, node_sh, 1);
#endif
    atomic { queue ! ask_write; asked_w = true };
    answered_w;
#ifndef LITERAL
    lock_ex(node_ex, node_sh, 1);
    if :: gate == 1 -> open_gate(gate, mark, 1, waited) :: else fi;
#endif
    atomic { writing = true; began_w = true; assert(!reading); assert(relinquished) };
    writing = false;
#ifdef RELFIRST
    release(1);
    atomic { queue ! end_write; asked_w = false; w_done = true }
#else
    atomic { queue ! end_write; asked_w = false };
    atomic { release(1); w_done = true }
#endif
  } unless { killed_w }
}

#define OWED_R (answered_r && !began_r && !killed_r)
#define OWED_W (answered_w && !began_w && !killed_w)

proctype P() {
end_p:
  do
  :: atomic { queue ? ask_read -> relinquished = true };
     if
     :: dirty ->
#ifdef LITERAL
        lock_gate(gate, 2); mark = 1; lock_ex(node_ex, node_sh, 2); unlock_gate(gate, 2);
#else
        lock_ex(node_ex, node_sh, 2);    /* permitted: past the gate of R */
#endif
        atomic { assert(!reading && !writing); dirty = false };
        unlock(node_ex, node_sh, 2)
     :: else
     fi;
     answered_r = true
  :: atomic { queue ? ask_write -> relinquished = true }; answered_w = true
#ifdef HOLD
  :: atomic { queue ? end_read ->
              if :: OWED_W -> held_end_read = true :: else -> relinquished = false fi }
  :: atomic { queue ? end_write ->
              if :: OWED_R -> held_end_write = true :: else -> relinquished = false fi }
  :: atomic { held_end_read && !OWED_W ->
              held_end_read = false; relinquished = false }
  :: atomic { held_end_write && !OWED_R -> held_end_write = false; relinquished = false }
#else
  :: atomic { queue ? end_read -> relinquished = false }
  :: atomic { queue ? end_write -> relinquished = false }
#endif
  :: atomic { !relinquished && !dirty && !(r_done || killed_r) -> dirty = true }
  od
}

proctype Kill() {
  if
  :: atomic {
       killed_r = true; release(0); reading = false;
#ifndef LATEEOF
       if :: asked_r -> queue ! end_read; asked_r = false :: else fi
#endif
     }
  :: skip
  fi;
  if
  :: atomic {
       killed_w = true; release(1); writing = false;
#ifndef LATEEOF
       if :: asked_w -> queue ! end_write; asked_w = false :: else fi
#endif
     }
  :: skip
  fi
}

#ifdef LATEEOF
proctype EndOfConnection() {
end_connection:
  do
  :: atomic { killed_r && asked_r -> queue ! end_read; asked_r = false }
  :: atomic { killed_w && asked_w -> queue ! end_write; asked_w = false }
  od
}
#endif

#ifdef PASS
proctype Stop() {
  if :: stopped_r = true; stopped_r = false :: skip fi
}
#endif

init {
  atomic {
    run R(); run W(); run P(); run Kill();
#ifdef LATEEOF
    run EndOfConnection();
#endif
#ifdef PASS
    run Stop()
#endif
  }
}
