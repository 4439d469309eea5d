/*
 * The turnstile of one node: node lock (x, s), gate g, mark m; `o` is the claimant's description.
 * `got` and `waited` are local bits of the caller; both are 0 again afterwards, which keeps the
 * number of states down.
 *
 * Fast path: the mark is 0, the node is had without blocking, the mark still is 0.
 * Slow path, reader and writer alike: gate, mark := 1, node; a pass that waited neither for the
 * gate nor for the node clears the mark; gate open.
 *
 * ON_WAIT and ON_GOT are hooks for models that count who overtakes a waiter at the node.
 * KEEPGATE has a writer keep its gate until it gives the node back, node first (`give_back`).
 * NORECHECK leaves the second look at the mark out. ANYCLEAR lets whoever passes clear the mark or
 * not, whatever it waited for: then no hint about who stands in line can do harm.
 */
#include "flock.h"
#ifndef ON_WAIT
#define ON_WAIT(o) skip
#define ON_GOT(o) skip
#endif
#ifdef NORECHECK
#define SECOND_LOOK(m) false
#else
#define SECOND_LOOK(m) (m == 1)
#endif

inline fast_ex(x, s, m, o, got) {
  if
  :: m == 0 ->
     if
     :: atomic { CAN_EX(x, s, o) -> lock_ex(x, s, o); got = 1 };
        if
        :: atomic { SECOND_LOOK(m) -> unlock(x, s, o); got = 0 }
        :: else
        fi
     :: !CAN_EX(x, s, o)
     fi
  :: m == 1
  fi
}

inline fast_sh(x, s, m, o, got) {
  if
  :: m == 0 ->
     if
     :: atomic { CAN_SH(x, s, o) -> lock_sh(x, s, o); got = 1 };
        if
        :: atomic { SECOND_LOOK(m) -> unlock(x, s, o); got = 0 }
        :: else
        fi
     :: !CAN_SH(x, s, o)
     fi
  :: m == 1
  fi
}

/* Through the gate up to the node; the gate stays shut. */
inline gate_ex(x, s, g, m, o, waited) {
  if
  :: atomic { g == FREE -> g = o; waited = 0 }
  :: g != FREE -> atomic { g == FREE -> g = o; waited = 1 }
  fi;
  atomic { m = 1; ON_WAIT(o) };
  if
  :: atomic { CAN_EX(x, s, o) -> lock_ex(x, s, o); ON_GOT(o) }
  :: !CAN_EX(x, s, o) ->
     atomic { CAN_EX(x, s, o) -> lock_ex(x, s, o); waited = 1; ON_GOT(o) }
  fi
}

inline gate_sh(x, s, g, m, o, waited) {
  if
  :: atomic { g == FREE -> g = o; waited = 0 }
  :: g != FREE -> atomic { g == FREE -> g = o; waited = 1 }
  fi;
  atomic { m = 1; ON_WAIT(o) };
  if
  :: atomic { CAN_SH(x, s, o) -> lock_sh(x, s, o); ON_GOT(o) }
  :: !CAN_SH(x, s, o) ->
     atomic { CAN_SH(x, s, o) -> lock_sh(x, s, o); waited = 1; ON_GOT(o) }
  fi
}

inline open_gate(g, m, o, waited) {
#ifdef ANYCLEAR
  if :: m = 0 :: skip fi;
#else
  if :: !waited -> m = 0 :: else fi;
#endif
  atomic { unlock_gate(g, o); waited = 0 }
}

/* After the pass: an exclusive one may keep the gate shut. */
inline pass_ex(g, m, o, waited) {
#ifdef KEEPGATE
#ifdef ANYCLEAR
  if :: m = 0 :: skip fi;
#else
  if :: !waited -> m = 0 :: else fi;
#endif
  waited = 0
#else
  open_gate(g, m, o, waited)
#endif
}

/* Ends an exclusive claim; whoever stands in line is marked again before. */
inline give_back(x, s, g, m, o) {
#ifdef KEEPGATE
  if :: g == o -> if :: m = 1 :: skip fi :: else fi;
#endif
  unlock(x, s, o);
#ifdef KEEPGATE
  unlock_gate(g, o)
#endif
}

inline slow_ex(x, s, g, m, o, waited) {
  gate_ex(x, s, g, m, o, waited);
  pass_ex(g, m, o, waited)
}

inline slow_sh(x, s, g, m, o, waited) {
  gate_sh(x, s, g, m, o, waited);
  open_gate(g, m, o, waited)
}

/* A whole claim of one node. */
inline claim_ex(x, s, g, m, o, got, waited) {
  fast_ex(x, s, m, o, got);
  if :: got -> got = 0 :: else -> slow_ex(x, s, g, m, o, waited) fi
}

inline claim_sh(x, s, g, m, o, got, waited) {
  fast_sh(x, s, m, o, got);
  if :: got -> got = 0 :: else -> slow_sh(x, s, g, m, o, waited) fi
}
