/*
 * Passing over a stopped holder's gate. One reader (0) and two writers (1, 2), each a process of
 * its own that claims twice. 0 and 1 may be stopped and continued, 1 may be killed, at any step.
 * Who finds the holder of the gate stopped goes to the node without the gate and without touching
 * the mark.
 *
 * (none)  nobody is passed over
 * PASS    the gate of a stopped process is passed over
 * FOREVER a stopped process may stay stopped
 * TRUST   rejected: with PASS, who passed over takes a free try at the node for a grant that
 *         needs no lock
 * ORDER   with PASS, overtaking is checked: fails, order is what passing over costs
 *
 * Checked: exclusion; nobody is stuck except behind a stopped process that holds the node or,
 * without PASS, the gate.
 */
#define ON_WAIT(o) waiting = o; NOBODY_ENTERED
#define ON_GOT(o) if :: waiting == o -> waiting = FREE; NOBODY_ENTERED :: else fi
#define NOBODY_ENTERED entered[0] = 0; entered[1] = 0; entered[2] = 0
#include "turnstile.h"

byte node_ex = FREE, node_sh = 0, gate = FREE;
bit mark = 0;
byte reading = 0, writing = 0, waiting = FREE, entered[3];
bool is_stopped[3], killed[3], ended[3];

inline count_entry(me) {
#ifdef ORDER
  if
  :: waiting != FREE && waiting != me -> entered[me]++; assert(entered[me] <= 1)
  :: else
  fi
#else
  skip
#endif
}

inline clean(me) {
  unlock(node_ex, node_sh, me);
  unlock_gate(gate, me);
  reading = reading & ~BIT(me);
  writing = writing & ~BIT(me);
  if :: waiting == me -> waiting = FREE; NOBODY_ENTERED :: else fi;
  ended[me] = true
}

#define RUNS provided (!is_stopped[me] || killed[me])
#define HOLDER_STOPPED (gate < 3 && gate != me && is_stopped[gate])

/* through the gate or past it; who waits for it looks again and again whether its holder stands */
inline to_gate(me, waited, passed) {
  if
  :: atomic { gate == FREE -> gate = me; waited = 0 }
  :: gate != FREE ->
     if
     :: atomic { gate == FREE -> gate = me; waited = 1 }
#ifdef PASS
     :: HOLDER_STOPPED -> passed = 1
#endif
     fi
  fi
}

inline past_gate_sh(me, waited, passed) {
  if
  :: passed ->
#ifdef TRUST
     CAN_SH(node_ex, node_sh, me);
#else
     lock_sh(node_ex, node_sh, me);
#endif
     passed = 0
  :: else ->
     atomic { mark = 1; ON_WAIT(me) };
     if
     :: atomic { CAN_SH(node_ex, node_sh, me) -> lock_sh(node_ex, node_sh, me); ON_GOT(me) }
     :: !CAN_SH(node_ex, node_sh, me) ->
        atomic { CAN_SH(node_ex, node_sh, me) ->
                 lock_sh(node_ex, node_sh, me); waited = 1; ON_GOT(me) }
     fi;
     open_gate(gate, mark, me, waited)
  fi
}

inline past_gate_ex(me, waited, passed) {
  if
  :: passed ->
#ifdef TRUST
     CAN_EX(node_ex, node_sh, me);
#else
     lock_ex(node_ex, node_sh, me);
#endif
     passed = 0
  :: else ->
     atomic { mark = 1; ON_WAIT(me) };
     if
     :: atomic { CAN_EX(node_ex, node_sh, me) -> lock_ex(node_ex, node_sh, me); ON_GOT(me) }
     :: !CAN_EX(node_ex, node_sh, me) ->
        atomic { CAN_EX(node_ex, node_sh, me) ->
                 lock_ex(node_ex, node_sh, me); waited = 1; ON_GOT(me) }
     fi;
     open_gate(gate, mark, me, waited)
  fi
}

proctype Reader(byte me) RUNS {
  bit got, waited, passed;
  byte k = 0;
  {
    do
    :: k < 2 ->
       k++;
       fast_sh(node_ex, node_sh, mark, me, got);
       if
       :: got -> got = 0
       :: else ->
          to_gate(me, waited, passed);
          past_gate_sh(me, waited, passed)
       fi;
       atomic { reading = reading | BIT(me); assert(writing == 0); count_entry(me) };
       atomic { reading = reading & ~BIT(me); unlock(node_ex, node_sh, me) }
    :: else -> break
    od;
    ended[me] = true
  } unless { killed[me] -> atomic { clean(me) } }
}

proctype Writer(byte me) RUNS {
  bit got, waited, passed;
  byte k = 0;
  {
    do
    :: k < 2 ->
       k++;
       fast_ex(node_ex, node_sh, mark, me, got);
       if
       :: got -> got = 0
       :: else ->
          to_gate(me, waited, passed);
          past_gate_ex(me, waited, passed)
       fi;
       atomic {
         writing = writing | BIT(me);
         assert(reading == 0 && writing == BIT(me));
         count_entry(me)
       };
       atomic { writing = writing & ~BIT(me); unlock(node_ex, node_sh, me) }
    :: else -> break
    od;
    ended[me] = true
  } unless { killed[me] -> atomic { clean(me) } }
}

proctype Stop(byte i) {
  if
  :: is_stopped[i] = true;
#ifdef FOREVER
     if :: is_stopped[i] = false :: skip fi
#else
     is_stopped[i] = false
#endif
  :: skip
  fi
}

proctype Killer(byte i) {
  if :: killed[i] = true :: skip fi
}

#define HOLDS_NODE(i) (node_ex == i || (node_sh & BIT(i)) != 0)
#ifdef PASS
#define IN_THE_WAY(i) (is_stopped[i] && HOLDS_NODE(i))
#else
#define IN_THE_WAY(i) (is_stopped[i] && (HOLDS_NODE(i) || gate == i))
#endif

proctype Watch() {
  timeout -> assert(
    ((ended[0] || is_stopped[0]) && (ended[1] || is_stopped[1]) && ended[2]) ||
    IN_THE_WAY(0) || IN_THE_WAY(1))
}

init {
  atomic {
    run Reader(0); run Writer(1); run Writer(2); run Stop(0); run Stop(1); run Killer(1);
    run Watch()
  }
}
