/*
 * A thread that waits in `coordinate` serves its own queue. Two processes (0, 1); each main thread
 * claims, twice, an item that a presenter on the other's main queue presents, and then serves its
 * queue as an idle main thread does. Whoever is asked saves first: it writes the item past the gate
 * of the claim that asks. Process 0 or 1 may die at any step; a process that died has answered.
 *
 * (none)  the two claim different items
 * SAME    both claim the same item, which both present
 * BLOCK   rejected: the waiting thread does not serve its queue
 * NESTED  each claim is nested in an accessor of the thread's own presenter: the queue may not be
 *         served, and each waits for the other's answer. Without WALK: stuck
 * WALK    with NESTED: a nested waiter of a cycle of gates held and answers owed ends with an error
 *
 * Checked: exclusion; the presenter has saved before the accessor runs; no deadlock.
 */
#include "turnstile.h"

byte node_ex[2] = FREE, node_sh[2] = 0, gate[2] = FREE, inside[2] = FREE;
bit mark[2] = 0;
bool asked[2];       /* a message of the other's claim waits in the main queue */
bool answered[2];    /* the claim of this process has its answer */
bool awaits[2];      /* the claim of this process waits for it */
bool killed[2], nested[2];

#ifdef SAME
#define ITEM(i) 0
#else
#define ITEM(i) (1 - (i))    /* what process i claims */
#endif

inline write(item, o) {
  atomic { assert(inside[item] == FREE); inside[item] = o };
  atomic { inside[item] = FREE; unlock(node_ex[item], node_sh[item], o) }
}

/* Descriptions: i the claims of process i, 2 + i what its presenter saves. */
inline serve(i) {
  atomic { asked[i] -> asked[i] = false };
  lock_ex(node_ex[ITEM(1 - i)], node_sh[ITEM(1 - i)], 2 + i);
  write(ITEM(1 - i), 2 + i);
  answered[1 - i] = true
}

#ifdef BLOCK
#define MAY_SERVE(i) false
#else
#define MAY_SERVE(i) (asked[i] && !nested[i])
#endif

proctype Main(byte i) {
  byte k = 0;
  {
    do
    :: k < 2 ->
       k++;
#ifdef NESTED
       nested[i] = true;
#endif
       do
       :: atomic { gate[ITEM(i)] == FREE -> gate[ITEM(i)] = i }; break
       :: MAY_SERVE(i) -> serve(i)
#ifdef WALK
       :: nested[i] && gate[ITEM(i)] == 1 - i && awaits[1 - i] && !answered[1 - i] -> goto failed
#endif
       od;
       mark[ITEM(i)] = 1;
       do
       :: lock_ex(node_ex[ITEM(i)], node_sh[ITEM(i)], i); break
       :: MAY_SERVE(i) -> serve(i)
       od;
       unlock(node_ex[ITEM(i)], node_sh[ITEM(i)], i);
       atomic {
         answered[i] = false;
         if :: !killed[1 - i] -> asked[1 - i] = true; awaits[i] = true :: else fi
       };
       do
       :: atomic { answered[i] || killed[1 - i] -> awaits[i] = false }; break
       :: MAY_SERVE(i) -> serve(i)
#ifdef WALK
       :: atomic {
            nested[i] && awaits[i] && !answered[i] &&
            nested[1 - i] && awaits[1 - i] && !answered[1 - i] -> awaits[i] = false
          };
          goto failed
#endif
       od;
       do
       :: lock_ex(node_ex[ITEM(i)], node_sh[ITEM(i)], i); break
       :: MAY_SERVE(i) -> serve(i)
       od;
       write(ITEM(i), i);
failed:
       atomic { unlock_gate(gate[ITEM(i)], i); nested[i] = false }
    :: else -> break
    od;
end_idle:
    do
    :: asked[i] -> serve(i)
    od
  } unless { killed[i] }
}

proctype Kill(byte i) {
  byte n;
  if
  :: atomic {
       killed[i] = true; nested[i] = false; awaits[i] = false; asked[i] = false;
       for (n : 0 .. 1) {
         unlock(node_ex[n], node_sh[n], i); unlock(node_ex[n], node_sh[n], (2 + i));
         unlock_gate(gate[n], i);
         if :: inside[n] == i || inside[n] == 2 + i -> inside[n] = FREE :: else fi
       }
     }
  :: skip
  fi
}

init { atomic { run Main(0); run Main(1); run Kill(0); run Kill(1) } }
