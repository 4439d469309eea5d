/*
 * A write nested in one's own read of the same item (same purpose). Two such claimants (0, 1), a
 * plain writer (2), a plain reader (3, twice); each may be killed. `generation` counts the writes:
 * what the nested writer has read must still be true when it writes.
 *
 * LITERAL     rejected: flock(LOCK_EX) on the description that holds the lock shared
 * (none)      the gate is tried without waiting, else EDEADLK; then the conversion; the gate is
 *             opened when the node is in
 * PASS        claimant 0 may be stopped and continued, the writer passes over the gate of a stopped
 *             process; no reader 3, only claimant 0 is killed
 * GENERATION  with PASS: the nested writer compares the generation afterwards and ends with an
 *             error if somebody wrote
 * KILL4       all four may be killed, otherwise 0 and 2
 *
 * While it converts, the nested writer's own read is suspended: its thread is in the framework.
 *
 * Checked: exclusion; nothing was written between the read and the nested write; no deadlock.
 */
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
byte generation = 0, reading = 0, writing = 0;
bool killed[4], is_stopped[2], ended[4];

inline clean(me) {
  unlock(node_ex, node_sh, me);
  unlock_gate(gate, me);
  reading = reading & ~BIT(me);
  writing = writing & ~BIT(me)
}

inline leave(me) {
  atomic { reading = reading & ~BIT(me); unlock(node_ex, node_sh, me) }
}

#ifdef PASS
#define RUNS provided (!is_stopped[me] || killed[me])
#else
#define RUNS
#endif

proctype Upgrader(byte me) RUNS {
  bit got, waited;
  byte seen;
  {
    claim_sh(node_ex, node_sh, gate, mark, me, got, waited);
    atomic { reading = reading | BIT(me); assert(writing == 0); seen = generation };
    reading = reading & ~BIT(me);    /* suspended */
#ifndef LITERAL
    if
    :: lock_gate(gate, me)
    :: gate != FREE -> goto read_on
    fi;
    mark = 1;
#endif
    node_sh = node_sh & ~BIT(me);    /* the conversion: the shared lock is gone for a moment */
    if
    :: lock_ex(node_ex, node_sh, me)
    :: !CAN_EX(node_ex, node_sh, me) -> waited = 1; lock_ex(node_ex, node_sh, me)
    fi;
#ifndef LITERAL
    open_gate(gate, mark, me, waited);
#endif
#ifdef GENERATION
    if
    :: generation != seen ->
       /* EDEADLK for the nested write; the read that goes on knows what happened */
       atomic { unlock(node_ex, node_sh, me); node_sh = node_sh | BIT(me); seen = 0 };
       goto read_on
    :: else
    fi;
#endif
    atomic {
      writing = writing | BIT(me);
      assert(writing == BIT(me) && reading == 0);
      assert(generation == seen);
      generation++;
      seen = 0
    };
    /* exclusive to shared is atomic in the kernel: measured */
    atomic { writing = writing & ~BIT(me); node_ex = FREE; node_sh = node_sh | BIT(me) };
read_on:
    atomic { reading = reading | BIT(me); assert(writing == 0); seen = 0; waited = 0 };
    leave(me);
    ended[me] = true
  } unless { killed[me] -> atomic { clean(me); ended[me] = true } }
}

proctype Writer(byte me) {
  bit got, waited;
  {
    fast_ex(node_ex, node_sh, mark, me, got);
    if
    :: got -> got = 0
    :: else ->
#ifdef PASS
       if
       :: slow_ex(node_ex, node_sh, gate, mark, me, waited)
       :: gate < 2 && is_stopped[gate] -> lock_ex(node_ex, node_sh, me)
       fi
#else
       slow_ex(node_ex, node_sh, gate, mark, me, waited)
#endif
    fi;
    atomic {
      writing = writing | BIT(me);
      assert(reading == 0 && writing == BIT(me));
      generation++
    };
    atomic { writing = writing & ~BIT(me); unlock(node_ex, node_sh, me) };
    ended[me] = true
  } unless { killed[me] -> atomic { clean(me); ended[me] = true } }
}

proctype Reader(byte me) {
  bit got, waited;
  byte k = 0;
  {
    do
    :: k < 2 ->
       claim_sh(node_ex, node_sh, gate, mark, me, got, waited);
       atomic { reading = reading | BIT(me); assert(writing == 0) };
       atomic { leave(me); k++ }
    :: else -> break
    od;
    ended[me] = true
  } unless { killed[me] -> atomic { clean(me); ended[me] = true } }
}

proctype Killer(byte i) {
  if :: killed[i] = true :: skip fi
}

#ifdef PASS
proctype Stop(byte i) {
  if :: is_stopped[i] = true; is_stopped[i] = false :: skip fi
}
#endif

init {
  atomic {
    run Upgrader(0); run Upgrader(1); run Writer(2);
#ifdef PASS
    run Stop(0); run Killer(0);
#else
    run Reader(3); run Killer(0); run Killer(2);
#ifdef KILL4
    run Killer(1); run Killer(3);
#endif
#endif
  }
}
