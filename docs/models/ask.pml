/*
 * A claim C that asks presenters in two processes (1, 2) before its accessor. C takes the slow
 * path and keeps the gate and the mark while it asks, but gives the node back; what a presenter
 * claims while it owes C an answer goes past the gate straight to the node. Each presenter has a
 * claim that already waits at the gate and that must run before it answers. Q is a writer, RQ a
 * reader (twice) in other processes. C, 1 and 2 may be killed at any step, 1 may be stopped and
 * continued, C may give up (its time limit) at any time.
 *
 * ONEP    one presenter process
 * NORQ, NOQ, NOSTOP   without the reader, the writer, the stop
 * NOPERMIT  rejected: the presenter's claim waits in line like any other, and C has no time limit
 *
 * Checked: exclusion; C's accessor runs after the presenter's claim if that was answered; nobody
 * is stuck except behind a stopped process that itself holds the node or the gate. Run with -E:
 * a process that is stopped for ever is no end state; Watch looks for stuck ones instead.
 */
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
bool message[3], answered[3], permitted[3], p_done[3], orphan[3], killed[3];
bool c_done, q_done, rq_done, stopped_1;
byte writing = 0;
bool reading;

/* Descriptions: 0 C, 1 2 presenters, 3 Q, 4 RQ; 5 6 the gate waits that 1 2 leave behind. */

inline write(i) {
  atomic { assert(writing == 0 && !reading); writing = BIT(i) };
  atomic { writing = writing & ~BIT(i); unlock(node_ex, node_sh, i) }
}

proctype C() {
  bit waited;
  {
    gate_ex(node_ex, node_sh, gate, mark, 0, waited);
    unlock(node_ex, node_sh, 0);    /* gate and mark stay */
    atomic { message[1] = true; message[2] = true };
    if
    :: answered[1] || killed[1] || (stopped_1 && !answered[1])
#ifndef NOPERMIT
    :: goto out
#endif
    fi;
    if
    :: answered[2] || killed[2]
#ifndef NOPERMIT
    :: goto out
#endif
    fi;
    lock_ex(node_ex, node_sh, 0);
    atomic {
      assert(!answered[1] || p_done[1]);
      assert(!answered[2] || p_done[2]);
      assert(writing == 0 && !reading);
      writing = BIT(0)
    };
    atomic { writing = writing & ~BIT(0); unlock(node_ex, node_sh, 0) };
out:
    open_gate(gate, mark, 0, waited);
    c_done = true
  } unless { killed[0] }
}

inline presenter_claim(i) {
  if
  :: lock_gate(gate, i); mark = 1; lock_ex(node_ex, node_sh, i);
     unlock_gate(gate, i); write(i)
#ifndef NOPERMIT
  :: atomic { permitted[i] -> orphan[i] = true }; lock_ex(node_ex, node_sh, i); write(i)
#endif
  fi;
  p_done[i] = true
}

inline presenter_handler(i) {
  message[i] -> permitted[i] = true;
  atomic { p_done[i] -> permitted[i] = false; answered[i] = true }
}

inline presenter_orphan(i, o) {
  orphan[i] -> lock_gate(gate, o); unlock_gate(gate, o)
}

#define RUNS_1 provided (!stopped_1 || killed[1])
proctype Claim1() RUNS_1 { { presenter_claim(1) } unless { killed[1] } }
proctype Claim2() { { presenter_claim(2) } unless { killed[2] } }
proctype Handler1() RUNS_1 { { presenter_handler(1) } unless { killed[1] } }
proctype Handler2() { { presenter_handler(2) } unless { killed[2] } }
proctype Orphan1() RUNS_1 { { presenter_orphan(1, 5) } unless { killed[1] } }
proctype Orphan2() { { presenter_orphan(2, 6) } unless { killed[2] } }

proctype Q() {
  bit got, waited;
  claim_ex(node_ex, node_sh, gate, mark, 3, got, waited);
  write(3);
  q_done = true
}

proctype RQ() {
  bit got, waited;
  byte k = 0;
  do
  :: k < 2 ->
     claim_sh(node_ex, node_sh, gate, mark, 4, got, waited);
     atomic { assert(writing == 0); reading = true };
     atomic { reading = false; unlock(node_ex, node_sh, 4); k++ }
  :: else -> break
  od;
  rq_done = true
}

proctype Killer(byte i) {
  if
  :: atomic {
       killed[i] = true;
       writing = writing & ~BIT(i);
       unlock(node_ex, node_sh, i);
       unlock_gate(gate, i);
       if :: i > 0 -> unlock_gate(gate, (4 + i)) :: else fi
     }
  :: skip
  fi
}

proctype Stop() {
  if :: stopped_1 = true; if :: stopped_1 = false :: skip fi :: skip fi
}

proctype Watch() {
  timeout -> assert(
    (q_done && rq_done && (c_done || killed[0]) && (p_done[2] || killed[2])
     && (p_done[1] || killed[1] || stopped_1))
    || (stopped_1 && (node_ex == 1 || gate == 1 || gate == 5)))
}

init {
  atomic {
    run C(); run Claim1(); run Handler1(); run Orphan1();
#ifndef ONEP
    run Claim2(); run Handler2(); run Orphan2(); run Killer(2);
#else
    answered[2] = true; p_done[2] = true;
#endif
#ifdef NOQ
    q_done = true;
#else
    run Q();
#endif
#ifdef NORQ
    rq_done = true;
#else
    run RQ();
#endif
    run Killer(0); run Killer(1);
#ifndef NOSTOP
    run Stop();
#endif
    run Watch()
  }
}
