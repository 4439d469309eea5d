/*
 * A reader joins readers of its own purpose in another process: it takes the node shared without
 * looking at the mark. X and Y read for purpose a, X's accessor waits until Y's read is over (that
 * is what joining is for); W is a writer, R a reader of purpose b. X or Y may be killed at any
 * step. A holder is listed in the header after it has the lock until before it gives it back; what
 * a killed process has listed stays.
 *
 * ALONE     rejected: nobody joins; Y waits behind W, W for X, X for Y
 * LOOKONCE  rejected: a claim looks for its purpose only before it waits
 * (none)    a waiting claim looks again
 * LOOP      members of purpose a come back for ever and join each other: W starves. A documented
 *           limit; run with -a -f and the formula writer_enters
 *
 * Checked: exclusion; nobody is stuck.
 */
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
bool listed[2], killed[2], ended[4];
byte reading = 0;
bool writing, w_waits;

#define OTHER (1 - me)
#ifdef ALONE
#define SEES_ITS_PURPOSE false
#else
#define SEES_ITS_PURPOSE listed[OTHER]
#endif
#ifdef LOOKONCE
#define SEES_IT_LATER false
#else
#define SEES_IT_LATER SEES_ITS_PURPOSE
#endif

/* Past the mark; if the node is not to be had, the claim goes on waiting. */
inline join(me, got) {
  if
  :: lock_sh(node_ex, node_sh, me); got = 1
  :: !CAN_SH(node_ex, node_sh, me)
  fi
}

proctype Member(byte me) {
  bit got, waited;
  {
    skip;
again:
    if
    :: SEES_ITS_PURPOSE -> join(me, got)
    :: else
    fi;
    if
    :: got
    :: !got -> fast_sh(node_ex, node_sh, mark, me, got)
    fi;
    if
    :: got
    :: !got ->
       do
       :: lock_gate(gate, me);
          mark = 1;
          lock_sh(node_ex, node_sh, me);
          unlock_gate(gate, me);
          break
       :: gate != FREE && SEES_IT_LATER && CAN_SH(node_ex, node_sh, me) ->
          join(me, got);
          if :: got -> break :: else fi
       od
    fi;
    atomic { got = 0; reading = reading | BIT(me); assert(!writing) };
    listed[me] = true;
#ifdef LOOP
    listed[me] = false;
    atomic { reading = reading & ~BIT(me); unlock(node_ex, node_sh, me) };
    goto again;
#else
    if :: me == 0 -> ended[1] || killed[1] :: else fi;
    listed[me] = false;
    atomic { reading = reading & ~BIT(me); unlock(node_ex, node_sh, me); ended[me] = true }
#endif
  } unless { killed[me] ->
    atomic {
      reading = reading & ~BIT(me);
      unlock(node_ex, node_sh, me);
      unlock_gate(gate, me)
    }
  }
}

proctype W() {
  bit got, waited;
  fast_ex(node_ex, node_sh, mark, 2, got);
  if
  :: got -> got = 0
  :: else ->
     if
     :: atomic { gate == FREE -> gate = 2 }
     :: gate != FREE -> atomic { gate == FREE -> gate = 2; waited = 1 }
     fi;
     atomic { mark = 1; w_waits = true };
     atomic { CAN_EX(node_ex, node_sh, 2) -> lock_ex(node_ex, node_sh, 2); w_waits = false };
     unlock_gate(gate, 2)
  fi;
  atomic { writing = true; assert(reading == 0) };
  atomic { writing = false; unlock(node_ex, node_sh, 2); ended[2] = true }
}

proctype R() {
  bit got, waited;
  claim_sh(node_ex, node_sh, gate, mark, 3, got, waited);
  atomic { reading = reading | BIT(3); assert(!writing) };
  atomic { reading = reading & ~BIT(3); unlock(node_ex, node_sh, 3); ended[3] = true }
}

proctype Killer(byte v) {
  if :: killed[v] = true :: skip fi
}

init {
  atomic {
    run Member(0); run Member(1); run W();
#ifndef LOOP
    run R(); run Killer(0); run Killer(1)
#endif
  }
}

#ifdef LOOP
ltl writer_enters { [] (w_waits -> <> !w_waits) }
#endif
