/*
 * A writer beside a read of its own purpose in its own process, not nested in it: R reads (0) and
 * its accessor goes on; the writer V of the same process and purpose gives the readers' shared lock
 * back and takes the node exclusive with a description of its own (1). Q (2) and S (3) are writers
 * in other processes, S as long as it likes at the node without the gate, as a presenter that
 * answers, one that passed over a stopped holder, or an asker that takes its node again.
 *
 * GATE     V gives the lock back only while it holds the gate, and nobody waits at the node without
 *          it (no S)
 * BARE     rejected: GATE with S
 * EXPRESS  rejected: V needs no gate (it answers, or it passed over): no lock, no gate, and Q may
 *          hold that gate and wait at the node
 * WAIT     V waits for the readers to end if it does not hold the gate or somebody may wait at the
 *          node without it
 *
 * Checked: R's accessor never runs beside a write of another purpose; no deadlock.
 */
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
bool reads, suspended, v_writes, others_write;

#define EXCLUSION assert(!(others_write && (reads || v_writes)))

proctype R() {
  bit got, waited;
  claim_sh(node_ex, node_sh, gate, mark, 0, got, waited);
  atomic { reads = true; EXCLUSION };
  atomic { reads = false; if :: !suspended -> unlock(node_ex, node_sh, 0) :: else fi }
}

proctype V() {
#if defined(GATE) || defined(BARE)
  lock_gate(gate, 1);
  mark = 1;
#endif
#ifndef WAIT
  atomic { if :: reads -> suspended = true; unlock(node_ex, node_sh, 0) :: else fi };
#endif
  lock_ex(node_ex, node_sh, 1);
#if defined(GATE) || defined(BARE)
  unlock_gate(gate, 1);
#endif
  atomic { v_writes = true; EXCLUSION };
  /* readers that stay get a shared lock for the exclusive one, without a gap */
  atomic {
    v_writes = false;
    unlock(node_ex, node_sh, 1);
    if :: suspended && reads -> node_sh = node_sh | BIT(0) :: else fi;
    suspended = false
  }
}

inline write(o) {
  atomic { others_write = true; EXCLUSION };
  atomic { others_write = false; unlock(node_ex, node_sh, o) }
}

proctype Q() {
  bit got, waited;
  claim_ex(node_ex, node_sh, gate, mark, 2, got, waited);
  write(2)
}

proctype S() {
  lock_ex(node_ex, node_sh, 3);
  write(3)
}

init {
  atomic {
    run R(); run V(); run Q();
#ifndef GATE
    run S()
#endif
  }
}
