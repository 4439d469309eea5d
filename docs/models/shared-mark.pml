/*
 * Rejected: one mark byte for two nodes N and M whose hashes collide. Readers 0 and 1 and writer 2
 * use N, reader 3 uses M. Reader 3 clears the mark that writer 2 has set, and the readers of N
 * overtake the writer more than once each. Every node therefore has a header of its own.
 */
#include "flock.h"

byte n_ex = FREE, n_sh = 0, n_gate_x = FREE, n_gate_s = 0;
byte m_ex = FREE, m_sh = 0, m_gate_x = FREE, m_gate_s = 0;
bit mark = 0;
byte waiting = FREE, entered[2];

inline read(x, s, gx, gs, me, seen) {
  seen = mark;
  if :: seen -> lock_sh(gx, gs, me); mark = 0; unlock(gx, gs, me) :: else fi;
  lock_sh(x, s, me)
}

proctype ReaderN(byte me) {
  bit seen;
  do
  :: read(n_ex, n_sh, n_gate_x, n_gate_s, me, seen);
     atomic { if :: waiting != FREE -> entered[me]++; assert(entered[me] <= 1) :: else fi };
     unlock(n_ex, n_sh, me)
  od
}

proctype ReaderM(byte me) {
  bit seen;
  do
  :: read(m_ex, m_sh, m_gate_x, m_gate_s, me, seen);
     unlock(m_ex, m_sh, me)
  od
}

proctype WriterN(byte me) {
  do
  :: lock_ex(n_gate_x, n_gate_s, me);
     atomic { mark = 1; waiting = me; entered[0] = 0; entered[1] = 0 };
     atomic { CAN_EX(n_ex, n_sh, me) -> lock_ex(n_ex, n_sh, me); waiting = FREE };
     unlock(n_gate_x, n_gate_s, me);
     unlock(n_ex, n_sh, me)
  od
}

init { atomic { run ReaderN(0); run ReaderN(1); run WriterN(2); run ReaderM(3) } }
