/*
 * Asking, seen from the first-in-first-out queue of the presenter's process. C writes and asks the
 * presenter; K is a writer of another purpose in the presenter's process; S is what the presenter
 * saves before it answers (its claim may have been made before the question came); Q is a writer
 * in a third process. C and the presenter's process may be killed at any step.
 *
 * Only the head of the process's queue waits in the kernel. Descriptions: 0 C, 1 K, 2 S, 3 Q, 4 the
 * gate wait that S leaves behind when it is permitted while it waits at the gate.
 *
 * LINE  rejected: the permission goes past C's gate and mark, but not past the process's own queue
 * PAST  the permission goes past queue, mark and gate
 * SAME  C belongs to the presenter's process, too: while it asks it stays the head of the queue
 *
 * Checked: exclusion; S is through before the accessor of C runs; nobody is stuck (Watch looks for
 * that; run with -E).
 */
#include "turnstile.h"
#define NONE 255

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
byte line[3] = NONE;
bool message, permitted, answered, orphan, killed_c, killed_p;
bool c_done, k_done, s_done, q_done;
byte inside = NONE;

inline enqueue(o) {
  atomic {
    if
    :: line[0] == NONE -> line[0] = o
    :: line[0] != NONE && line[1] == NONE -> line[1] = o
    :: else -> line[2] = o
    fi
  }
}

inline dequeue(o) {
  atomic {
    if :: line[0] == o -> line[0] = line[1]; line[1] = o :: else fi;
    if :: line[1] == o -> line[1] = line[2]; line[2] = o :: else fi;
    if :: line[2] == o -> line[2] = NONE :: else fi
  }
}

inline write(o) {
  atomic { assert(inside == NONE); inside = o };
  atomic { inside = NONE; unlock(node_ex, node_sh, o) }
}

proctype C() {
  bit waited;
  {
#ifdef SAME
    enqueue(0);
    line[0] == 0;
#endif
    gate_ex(node_ex, node_sh, gate, mark, 0, waited);
    unlock(node_ex, node_sh, 0);
    message = true;
    answered || killed_p;
    lock_ex(node_ex, node_sh, 0);
    open_gate(gate, mark, 0, waited);
#ifdef SAME
    dequeue(0);
#endif
    assert(killed_p || s_done);
    write(0);
    c_done = true
  } unless { killed_c }
}

proctype K() {
  bit got, waited;
  {
    enqueue(1);
    line[0] == 1;
    claim_ex(node_ex, node_sh, gate, mark, 1, got, waited);
    dequeue(1);
    write(1);
    k_done = true
  } unless { killed_p }
}

proctype S() {
  bit got, waited;
  {
#ifdef LINE
    enqueue(2);
    line[0] == 2;
    if
    :: permitted -> lock_ex(node_ex, node_sh, 2)
    :: lock_gate(gate, 2); mark = 1; lock_ex(node_ex, node_sh, 2); unlock_gate(gate, 2)
    fi;
    dequeue(2);
#endif
#ifdef PAST
    enqueue(2);
    if
    :: line[0] == 2
    :: permitted
    fi;
    if
    :: atomic { permitted -> dequeue(2) }; lock_ex(node_ex, node_sh, 2)
    :: atomic { line[0] == 2 && gate == FREE -> gate = 2 };
       mark = 1; lock_ex(node_ex, node_sh, 2); unlock_gate(gate, 2);
       dequeue(2)
    :: atomic { permitted && line[0] == 2 && gate != FREE -> orphan = true; dequeue(2) };
       lock_ex(node_ex, node_sh, 2)
    fi;
#endif
    write(2);
    s_done = true
  } unless { killed_p }
}

proctype Handler() {
  {
    message -> permitted = true;
    atomic { s_done -> permitted = false; answered = true }
  } unless { killed_p || killed_c }
}

proctype Orphan() {
  { orphan -> lock_gate(gate, 4); unlock_gate(gate, 4) } unless { killed_p }
}

proctype Q() {
  bit got, waited;
  claim_ex(node_ex, node_sh, gate, mark, 3, got, waited);
  write(3);
  q_done = true
}

inline wipe(o) {
  if :: inside == o -> inside = NONE :: else fi;
  unlock(node_ex, node_sh, o);
  unlock_gate(gate, o)
}

proctype Kill() {
  if
#ifndef SAME
  :: atomic { killed_c = true; wipe(0) }
  :: atomic { killed_p = true; wipe(1); wipe(2); unlock_gate(gate, 4) }
#else
  :: atomic { killed_p = true; killed_c = true; wipe(0); wipe(1); wipe(2); unlock_gate(gate, 4) }
#endif
  :: skip
  fi
}

proctype Watch() {
  timeout -> assert(
    q_done && (c_done || killed_c) && (killed_p || (k_done && s_done)))
}

init {
  atomic {
    run C(); run K(); run S(); run Handler(); run Orphan(); run Q(); run Kill(); run Watch()
  }
}
