/*
 * A writer Y whose purpose a reads in one other process X asks X to upgrade and joins. X's link
 * thread tries the gate without waiting (else it refuses), sets the mark, gives the shared lock
 * back and takes a fresh description exclusive, opens the gate and sends Y a duplicate. X's read
 * goes on all the while and waits until Y is through (needs it), so a refused Y must end with an
 * error. Z is a writer, R a reader of purpose b. X and Y may be killed at any step.
 *
 * Descriptions: 0 X's readers, 1 Z, 2 R, 3 Y's own, 4 the one that is sent.
 *
 * (none)     Y asks as soon as it finds its purpose among the holders, before or while it waits,
 *            and holds nothing meanwhile: gate and wait are given back first
 * FREE_X     X does not need Y: a refused Y waits in line
 * LOOKONCE   rejected: Y looks for its purpose only before it waits
 * WAITON     rejected: Y keeps the gate, X goes past it, Y's kernel wait at the node goes on
 * KEEPGATE   rejected: Y keeps the gate, X goes past it; Y's death opens the gate too early
 * PASS       rejected: Z has passed over a stopped holder's gate and waits at the node without it
 * GUARD      with PASS: who passes over says so in the header and does not pass an upgrade, and an
 *            upgrade is refused while somebody says so
 *
 * Checked: exclusion between the purposes, nobody is stuck, no lock stays behind.
 */
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
bool x_listed, x_reads, converting, upgraded;
bool asked, refused, in_flight, ref_x, ref_y;
bool y_writes, y_done, z_writes, z_done, r_reads, r_done, x_done;
bool killed_x, killed_y, passing, upgrading;

#define EXCLUSION assert(!(z_writes && (x_reads || y_writes || r_reads)) && !(y_writes && r_reads))

inline drop() {
  if
  :: node_ex == 4 && !ref_x && !in_flight && !ref_y && !converting -> node_ex = FREE
  :: else
  fi
}

proctype X() {
  bit got, waited;
  {
    claim_sh(node_ex, node_sh, gate, mark, 0, got, waited);
    atomic { x_reads = true; x_listed = true; EXCLUSION };
#ifndef FREE_X
    y_done || killed_y;
#endif
    atomic {
      x_reads = false; x_listed = false;
      if
      :: upgraded -> ref_x = false; drop()
      :: !upgraded && !converting -> unlock(node_ex, node_sh, 0)
      :: else
      fi;
      x_done = true
    }
  } unless { killed_x }
}

#if defined(WAITON) || defined(KEEPGATE)
#define PAST_ASKERS_GATE (gate == 3)
#else
#define PAST_ASKERS_GATE false
#endif

proctype XLink() {
  bit waited;
  {
end:
    do
    :: atomic { asked && !x_reads -> asked = false; refused = true }
    :: asked && x_reads ->
       if
       :: lock_gate(gate, 0)
       :: gate != FREE && !PAST_ASKERS_GATE ->
          atomic { asked = false; refused = true };
          goto end
       :: PAST_ASKERS_GATE
       fi;
#ifdef GUARD
       upgrading = true;
       if
       :: passing ->
          upgrading = false;
          atomic { unlock_gate(gate, 0); asked = false; refused = true };
          goto end
       :: else
       fi;
#endif
       mark = 1;
       atomic {
         if
         :: x_reads -> converting = true; unlock(node_ex, node_sh, 0)
         :: else -> unlock_gate(gate, 0); upgrading = false; asked = false; refused = true;
            goto end
         fi
       };
       lock_ex(node_ex, node_sh, 4);
       atomic {
         asked = false; converting = false; upgraded = true;
         ref_x = x_reads; in_flight = !killed_y; drop()
       };
       upgrading = false;
       unlock_gate(gate, 0)
    od
  } unless { killed_x }
}

inline y_write() {
  atomic { y_writes = true; EXCLUSION };
  atomic { y_writes = false }
}

#define FOUND (x_listed && !killed_x && !tried)
#ifdef LOOKONCE
#define FOUND_LATER false
#else
#define FOUND_LATER FOUND
#endif

inline ask() {
  atomic { asked = !killed_x; tried = true };
#ifdef WAITON
  if :: gate == 3 -> goto at_node :: else fi;    /* whatever comes first, node or answer */
#endif
  if
  :: in_flight -> goto joined
  :: atomic { refused -> refused = false };
#ifndef FREE_X
     goto failed
#else
     goto again
#endif
  :: killed_x && !in_flight -> goto again
  fi
}

proctype Y() {
  bit got, waited;
  bool tried;
  {
    skip;
again:
    if
    :: FOUND -> atomic { unlock_gate(gate, 3) }; ask()
    :: else
    fi;
    fast_ex(node_ex, node_sh, mark, 3, got);
    if :: got -> goto own :: else fi;
    do
    :: gate == 3 -> break
    :: lock_gate(gate, 3)
    :: gate != 3 && FOUND_LATER -> ask()
    od;
    mark = 1;
at_node:
    do
    :: lock_ex(node_ex, node_sh, 3); unlock_gate(gate, 3); goto own
    :: FOUND_LATER ->
#if !defined(WAITON) && !defined(KEEPGATE)
       unlock_gate(gate, 3);
#endif
       ask()
#ifdef WAITON
    :: in_flight -> goto joined
    :: refused -> goto failed
#endif
    od;
own:
    y_write();
    atomic { got = 0; unlock(node_ex, node_sh, 3); y_done = true };
    goto out;
joined:
    atomic { in_flight = false; ref_y = true };
    unlock_gate(gate, 3);
    y_write();
    atomic { ref_y = false; y_done = true; drop() };
    goto out;
failed:    /* EDEADLK */
    atomic { unlock_gate(gate, 3); y_done = true };
out:
    skip
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
  bit got, waited;
#ifdef PASS
  if
  :: true -> goto wait_in_line
  :: true ->
     passing = true;
#ifdef GUARD
     if
     :: upgrading -> passing = false; goto wait_in_line
     :: else
     fi;
#endif
     lock_ex(node_ex, node_sh, 1);
     passing = false;
     goto inside
  fi;
#endif
wait_in_line:
  claim_ex(node_ex, node_sh, gate, mark, 1, got, waited);
inside:
  atomic { z_writes = true; EXCLUSION };
  atomic { z_writes = false; unlock(node_ex, node_sh, 1); z_done = true }
}

proctype R() {
  bit got, waited;
  claim_sh(node_ex, node_sh, gate, mark, 2, got, waited);
  atomic { r_reads = true; EXCLUSION };
  atomic { r_reads = false; unlock(node_ex, node_sh, 2); r_done = true }
}

proctype KillX() {
  if
  :: atomic {
       killed_x = true; x_reads = false; ref_x = false; converting = false; asked = false;
       unlock(node_ex, node_sh, 0);
       unlock_gate(gate, 0);
       drop()
     }
  :: skip
  fi
}

proctype KillY() {
  if
  :: atomic {
       killed_y = true; y_writes = false; ref_y = false; in_flight = false; asked = false;
       unlock(node_ex, node_sh, 3);
       unlock_gate(gate, 3);
       drop()
     }
  :: skip
  fi
}

proctype Watch() {
  timeout -> assert(
    z_done && r_done && (x_done || killed_x) && (y_done || killed_y) && node_ex == FREE)
}

init {
  atomic {
    run X(); run XLink(); run Y(); run YLink(); run Z(); run R(); run KillX(); run KillY();
    run Watch()
  }
}
