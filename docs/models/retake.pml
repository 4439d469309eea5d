/*
 * Two items N1 < N2 and, between them, the tree T of a directory that holds N2. C writes both items and
 * asks a presenter meanwhile: both gates are kept, the three nodes given back, and taken again past
 * the gate of T. The presenter writes N1 past the gate, answers, and only then, inside that write, goes
 * for N2 like anybody else. M takes the directory as a whole and N2 in one call, a reader reads N2.
 *
 * KEEP       rejected: C keeps the gate of N2 while it waits for N1 or T
 *
 * Checked: no deadlock, exclusion on N2.
 */
#include "turnstile.h"

byte n1 = FREE, s1 = 0, g1 = FREE, t = FREE, st = 0, gt = FREE, n2 = FREE, s2 = 0, g2 = FREE;
bit m1 = 0, mt = 0, m2 = 0;
bool message, answered;
byte reading = 0, writing = 0;

/* Descriptions: 0 C, 1 the presenter, 2 the reader, 3 M. */

#define INSIDE_W(o) atomic { writing++; assert(writing == 1 && reading == 0) }; writing--
#define INSIDE_R(o) atomic { reading++; assert(writing == 0) }; reading--

inline open_later() {
#ifndef KEEP
  if :: kept -> atomic { kept = false; unlock_gate(g2, 0) } :: else fi
#else
  skip
#endif
}

proctype C() {
  bit got, w1, wt, w2;
  bool kept = true;
  gate_ex(n1, s1, g1, m1, 0, w1);
  claim_sh(t, st, gt, mt, 0, got, wt);
  gate_ex(n2, s2, g2, m2, 0, w2);
  unlock(n2, s2, 0);
  unlock(t, st, 0);
  unlock(n1, s1, 0);
  message = true;
  answered;
  if
  :: atomic { CAN_EX(n1, s1, 0) -> lock_ex(n1, s1, 0) }
  :: !CAN_EX(n1, s1, 0) -> open_later(); lock_ex(n1, s1, 0)
  fi;
  if
  :: atomic { CAN_SH(t, st, 0) -> lock_sh(t, st, 0) }
  :: !CAN_SH(t, st, 0) -> open_later(); lock_sh(t, st, 0)
  fi;
  if
  :: kept -> lock_ex(n2, s2, 0)
  :: !kept -> gate_ex(n2, s2, g2, m2, 0, w2)
  fi;
  pass_ex(g1, m1, 0, w1);
  pass_ex(g2, m2, 0, w2);
  INSIDE_W(0);
  give_back(n2, s2, g2, m2, 0);
  unlock(t, st, 0);
  give_back(n1, s1, g1, m1, 0)
}

proctype Presenter() {
  bit got, waited;
  message;
  lock_ex(n1, s1, 1);
  answered = true;
  claim_ex(n2, s2, g2, m2, 1, got, waited);
  INSIDE_W(1);
  give_back(n2, s2, g2, m2, 1);
  unlock(n1, s1, 1)
}

proctype Reader(byte o) {
  bit got, waited;
  claim_sh(t, st, gt, mt, o, got, waited);
  claim_sh(n2, s2, g2, m2, o, got, waited);
  INSIDE_R(o);
  unlock(n2, s2, o);
  unlock(t, st, o)
}

proctype M(byte o) {
  bit got, waited;
  claim_ex(t, st, gt, mt, o, got, waited);
  claim_ex(n2, s2, g2, m2, o, got, waited);
  INSIDE_W(o);
  give_back(n2, s2, g2, m2, o);
  give_back(t, st, gt, mt, o)
}

init { atomic { run C(); run Presenter(); run Reader(2); run M(3) } }
