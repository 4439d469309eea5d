/*
 * Two nodes N1 < N2. C writes both and asks a presenter meanwhile: gates and marks kept, nodes
 * given back, nodes taken again. Two readers read both in one call, twice; a writer W writes both
 * in one call; the presenter answers by writing N1, and with BOTH N2 as well, past the gates.
 *
 * NORECHECK  rejected: a claim does not look at the mark again after its fast try succeeded
 * PASS       C's process may be stopped and continued while it asks, and W passes over the gate of
 *            a stopped process, gate by gate: rejected
 * PASSALL    with PASS: who has passed over one gate waits at no further gate in this attempt
 * PASSCLEAR  rejected: with PASS and PASSALL, who passes over clears the mark
 * LATE       rejected: C reads the presence counters after a fast grant and then goes for the
 *            gates while it holds the nodes
 *
 * Checked: no deadlock, exclusion on N1.
 */
#include "turnstile.h"

byte n1 = FREE, s1 = 0, g1 = FREE, n2 = FREE, s2 = 0, g2 = FREE;
bit m1 = 0, m2 = 0;
bool message, answered, stopped_c;
byte reading = 0, writing = 0;

/* Descriptions: 0 C, 1 the presenter, 2 3 readers, 4 W. */

#define INSIDE_W(o) atomic { writing++; assert(writing == 1 && reading == 0) }; writing--
#define INSIDE_R(o) atomic { reading++; assert(writing == 0) }; reading--

proctype C() provided (!stopped_c) {
  bit w1, w2;
#ifdef LATE
  lock_ex(n1, s1, 0);
  lock_ex(n2, s2, 0);
  lock_gate(g1, 0); m1 = 1;
  lock_gate(g2, 0); m2 = 1;
#else
  gate_ex(n1, s1, g1, m1, 0, w1);
  gate_ex(n2, s2, g2, m2, 0, w2);
#endif
  unlock(n2, s2, 0);
  unlock(n1, s1, 0);
  message = true;
  answered;
  lock_ex(n1, s1, 0);
  lock_ex(n2, s2, 0);
  pass_ex(g1, m1, 0, w1);
  pass_ex(g2, m2, 0, w2);
  INSIDE_W(0);
  give_back(n2, s2, g2, m2, 0);
  give_back(n1, s1, g1, m1, 0)
}

proctype Presenter() {
  message;
  lock_ex(n1, s1, 1);
#ifdef BOTH
  lock_ex(n2, s2, 1);
#endif
  INSIDE_W(1);
#ifdef BOTH
  unlock(n2, s2, 1);
#endif
  unlock(n1, s1, 1);
  answered = true
}

proctype Reader(byte o) {
  bit got, waited;
  byte k = 0;
  do
  :: k < 2 ->
     claim_sh(n1, s1, g1, m1, o, got, waited);
     claim_sh(n2, s2, g2, m2, o, got, waited);
     INSIDE_R(o);
     unlock(n2, s2, o);
     unlock(n1, s1, o);
     k++
  :: else -> break
  od
}

#ifdef PASS
inline claim_or_pass(x, s, g, m, o, got, waited, passed) {
  fast_ex(x, s, m, o, got);
  if
  :: got -> got = 0
  :: else ->
     if
#ifdef PASSALL
     :: !passed -> slow_ex(x, s, g, m, o, waited)
     :: passed || (g == 0 && stopped_c) ->
#else
     :: slow_ex(x, s, g, m, o, waited)
     :: g == 0 && stopped_c ->
#endif
        passed = 1;
        lock_ex(x, s, o);
#ifdef PASSCLEAR
        m = 0
#endif
     fi
  fi
}
#else
#define claim_or_pass(x, s, g, m, o, got, waited, passed) claim_ex(x, s, g, m, o, got, waited)
#endif

proctype W(byte o) {
  bit got, waited, passed;
  claim_or_pass(n1, s1, g1, m1, o, got, waited, passed);
  claim_or_pass(n2, s2, g2, m2, o, got, waited, passed);
  INSIDE_W(o);
  give_back(n2, s2, g2, m2, o);
  give_back(n1, s1, g1, m1, o)
}

#ifdef PASS
proctype Stop() {
  if :: stopped_c = true; stopped_c = false :: skip fi
}
#endif

init {
  atomic {
    run C(); run Presenter(); run Reader(2); run Reader(3); run W(4);
#ifdef PASS
    run Stop()
#endif
  }
}
