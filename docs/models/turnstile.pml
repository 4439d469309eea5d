/*
 * The turnstile of one node, with parties 0, 1 (readers) and 2, 3 (writers), each a process of
 * its own that claims for ever. Any of them may be killed at any step: the kernel frees its
 * locks, the mark stays as it was.
 *
 * Checked: exclusion; no deadlock; while somebody waits at the node, each other party enters at
 * most once; with LIVE (no kills, weak fairness) whoever waits at the node gets in.
 *
 * NORECHECK  without the second look at the mark (enough here, not in two-nodes.pml)
 * KILL4      all four may be killed, otherwise 0 and 2
 * NOKILL     nobody is killed
 */
#define ON_WAIT(o) waiting = o; NOBODY_ENTERED
#define ON_GOT(o) waiting = FREE; NOBODY_ENTERED
#define NOBODY_ENTERED entered[0] = 0; entered[1] = 0; entered[2] = 0; entered[3] = 0
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;

byte reading = 0, writing = 0;    /* who is inside its accessor */
byte waiting = FREE;              /* who waits at the node, the mark being set */
byte entered[4];                  /* entries of the others during that wait */
bool killed[4];

inline count_entry(me) {
  if
  :: waiting != FREE && waiting != me -> entered[me]++; assert(entered[me] <= 1)
  :: else
  fi
}

inline clean(me) {
  unlock(node_ex, node_sh, me);
  unlock_gate(gate, me);
  reading = reading & ~BIT(me);
  writing = writing & ~BIT(me);
  if :: waiting == me -> ON_GOT(me) :: else fi
}

proctype Reader(byte me) {
  bit got, waited;
  {
    do
    :: claim_sh(node_ex, node_sh, gate, mark, me, got, waited);
       atomic { reading = reading | BIT(me); assert(writing == 0); count_entry(me) };
       atomic { reading = reading & ~BIT(me); unlock(node_ex, node_sh, me) }
    od
  } unless { killed[me] -> atomic { clean(me) } }
}

proctype Writer(byte me) {
  bit got, waited;
  {
    do
    :: claim_ex(node_ex, node_sh, gate, mark, me, got, waited);
       atomic {
         writing = writing | BIT(me);
         assert(reading == 0 && writing == BIT(me));
         count_entry(me)
       };
       writing = writing & ~BIT(me);
       give_back(node_ex, node_sh, gate, mark, me)
    od
  } unless { killed[me] -> atomic { clean(me) } }
}

proctype Killer(byte victim) {
  if :: killed[victim] = true :: skip fi
}

init {
  atomic {
    run Reader(0); run Reader(1); run Writer(2); run Writer(3);
#ifndef NOKILL
    run Killer(0); run Killer(2);
#ifdef KILL4
    run Killer(1); run Killer(3)
#endif
#endif
  }
}

#ifdef LIVE
ltl writer_enters { [] ((waiting == 2) -> <> (waiting != 2)) }
ltl reader_enters { [] ((waiting == 0) -> <> (waiting != 0)) }
#endif
