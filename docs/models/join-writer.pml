/*
 * A writer joins an exclusive claim of its own purpose in another process by a duplicate of the
 * locked descriptor. X: a writer of purpose a, afterwards one of purpose c on the same node.
 * Y: a writer of purpose a that joins X's if it finds its purpose among the holders, else waits
 * itself. Z: a writer of purpose b. X and Y may be killed at any step.
 *
 * Descriptions: 0 X's, 1 Z's, 2 X's second one, 3 Y's own.
 *
 * LITERAL  rejected: X goes on using its cached description
 * UNLOCK   rejected: X ends with LOCK_UN
 * RETIRE   a description that was ever sent is retired: its owner only closes it. The request is
 *          answered under the node's mutex, only while the claim really holds; the kernel wait of
 *          the asker goes on meanwhile.
 *
 * Checked: exclusion between purposes, nobody is stuck, no lock stays behind.
 */
#include "flock.h"

byte node = FREE;
bool ref_x, in_flight, ref_y, asked, x_holds, shared;
bool killed_x, killed_y, x_done, y_done, z_done;
bool x_a, y_a, z_b, x_c;    /* who is inside its accessor */

#define EXCLUSION assert(!(z_b && (x_a || y_a || x_c)) && !(x_c && (x_a || y_a)))

inline drop() {
  if :: node == 0 && !ref_x && !in_flight && !ref_y -> node = FREE :: else fi
}

proctype X() {
  {
    atomic { node == FREE -> node = 0; ref_x = true; x_holds = true };
    atomic { x_a = true; EXCLUSION };
    x_a = false;
    atomic {
      x_holds = false;
#ifdef UNLOCK
      node = FREE
#endif
#ifdef LITERAL
      if :: shared :: else -> node = FREE fi
#endif
#ifdef RETIRE
      if :: shared -> ref_x = false; drop() :: else -> node = FREE fi
#endif
    };
#ifdef RETIRE
    if
    :: shared -> atomic { node == FREE -> node = 2 }
    :: else -> atomic { node == FREE -> node = 0 }
    fi;
#else
    atomic { node == FREE || node == 0 -> node = 0 };
#endif
    atomic { x_c = true; EXCLUSION };
    x_c = false;
    atomic { if :: node == 2 || !shared -> node = FREE :: else -> ref_x = false; drop() fi };
    x_done = true
  } unless { killed_x }
}

proctype XLink() {
  {
end:
    do
    :: atomic { asked && x_holds && !in_flight && !ref_y && !killed_y ->
                shared = true; in_flight = true; asked = false }
    :: atomic { asked && (!x_holds || killed_y) -> asked = false }
    od
  } unless { killed_x }
}

proctype Y() {
  {
    if :: x_holds -> asked = true :: skip fi;
    if
    :: atomic { in_flight -> in_flight = false; ref_y = true };
       atomic { y_a = true; EXCLUSION };
       y_a = false;
       atomic { ref_y = false; drop() }
    :: atomic { node == FREE -> node = 3 };
       atomic { y_a = true; EXCLUSION };
       y_a = false;
       node = FREE;
       if
       :: in_flight -> atomic { in_flight = false; drop() }
       :: asked == false && !in_flight
       :: killed_x
       fi
    fi;
    y_done = true
  } unless { killed_y }
}

/* A duplicate that arrives after Y got in by itself is closed on arrival. */
proctype YLink() {
  {
end:
    do
    :: atomic { y_done && in_flight -> in_flight = false; drop() }
    od
  } unless { killed_y }
}

proctype Z() {
  atomic { node == FREE -> node = 1 };
  atomic { z_b = true; EXCLUSION };
  z_b = false;
  node = FREE;
  z_done = true
}

proctype KillX() {
  if
  :: atomic {
       killed_x = true; x_a = false; x_c = false; x_holds = false; ref_x = false;
       if :: node == 2 || (node == 0 && !shared) -> node = FREE :: else fi;
       drop()
     }
  :: skip
  fi
}

proctype KillY() {
  if
  :: atomic {
       killed_y = true; y_a = false; ref_y = false; in_flight = false;
       if :: node == 3 -> node = FREE :: else fi;
       drop()
     }
  :: skip
  fi
}

proctype Watch() {
  timeout -> assert(z_done && (x_done || killed_x) && (y_done || killed_y) && node == FREE)
}

init {
  atomic {
    run X(); run XLink(); run Y(); run YLink(); run Z(); run KillX(); run KillY(); run Watch()
  }
}
