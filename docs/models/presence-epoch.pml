/*
 * Presence counters without a lock. One item, one counter per table; a table counts for one epoch.
 * The state word holds the epoch and a generation of all lists.
 *   add      + 1 in the table of the epoch; list; generation + 1, which tells the epoch of that
 *            moment: if another, + 1 there, too, and so on
 *   remove   notes the epoch; list; generation + 1; - 1 only if the epoch still is the noted one
 *   recount  notes epoch and generation; a fresh table from the lists of the living; makes it count
 *            by one compare-and-swap, which fails if a list changed meanwhile; one at a time
 *   look     the counter; 0 is believed only if the epoch is the same afterwards
 * Presenters 0 and 1 add themselves, read the item in a coordinated way, re-read it when a notice
 * comes; 0 removes and adds itself once more. W writes once, as in presence.pml. Recounts are made
 * twice. Presenter 1 and the first recount may be killed at any step.
 *
 * ADDONCE   rejected: who adds does not look at the epoch afterwards
 * SUBTRACT  rejected: who removes subtracts in the table that counts now, whatever it was before
 * STORE     rejected: a recount makes its table count without comparing
 * COUNTERS  without reads and writes: the counters alone
 * FEWER     with reads and writes, but nobody is killed, 0 adds itself once, one recount
 *
 * Checked: when a write is over, every living presenter that has read the item knows the new
 * content or has a notice waiting; the counter that counts is never below the number of presenters
 * that have added themselves.
 */
#include "flock.h"
#define EPOCHS 3
#ifdef FEWER
#define MAY_LEAVE (i == 0)
#define TIMES 1
#else
#define MAY_LEAVE (i == 0 && k < 2)
#define TIMES 2
#endif

byte node_ex = FREE, node_sh = 0, registry = FREE;
byte content = 0, epoch = 0, generation = 0, counter[EPOCHS];
bool listed[2], present[2], alive[2] = true, has_read[2], notice[2], recount_killed;
byte cached[2];

#define ENOUGH assert(counter[epoch] >= (present[0] && alive[0]) + (present[1] && alive[1]))
#define KNOWS(i) (!has_read[i] || !alive[i] || notice[i] || cached[i] == content)

inline read(i) {
#ifdef COUNTERS
  skip
#else
  lock_sh(node_ex, node_sh, i);
  atomic { cached[i] = content; has_read[i] = true };
  unlock(node_ex, node_sh, i)
#endif
}

inline add(i, e, now) {
  e = epoch;
  counter[e]++;
  listed[i] = true;
  do
  :: atomic { generation++; now = epoch };
     if
#ifdef ADDONCE
     :: true -> break
#else
     :: now == e -> break
     :: else -> e = now; counter[e]++
#endif
     fi
  od;
  atomic { e = 0; now = 0; present[i] = true; ENOUGH }
}

inline remove(i, e, now) {
  atomic { has_read[i] = false; notice[i] = false; present[i] = false };
  e = epoch;
  listed[i] = false;
  atomic { generation++; now = epoch };
  if
#ifdef SUBTRACT
  :: counter[now] > 0 -> counter[now]--
#else
  :: now == e -> counter[now]--
#endif
  :: else
  fi;
  atomic { e = 0; now = 0; ENOUGH }
}

proctype Presenter(byte i) {
  byte e, now, k = 0;
  {
    do
    :: k < TIMES ->
       k++;
       add(i, e, now);
       read(i);
end_present:
       do
       :: atomic { notice[i] -> notice[i] = false; has_read[i] = false }; read(i)
       :: MAY_LEAVE -> break
       od;
       remove(i, e, now)
    :: k >= TIMES -> break
    od
  } unless { !alive[i] ->
    atomic { has_read[i] = false; present[i] = false; unlock(node_ex, node_sh, i) }
  }
}

inline inform(i) {
  atomic { if :: listed[i] && alive[i] -> notice[i] = true :: else fi }
}

proctype W() {
  byte e;
  bool maybe;
  lock_ex(node_ex, node_sh, 2);
  do
  :: e = epoch;
     if
     :: counter[e] > 0 -> maybe = true; break
     :: counter[e] == 0 -> if :: epoch == e -> break :: else fi
     fi
  od;
  content++;
  if
  :: maybe -> inform(0); inform(1)
  :: else
  fi;
  atomic { assert(KNOWS(0) && KNOWS(1)); unlock(node_ex, node_sh, 2) }
}

proctype Recount(byte o) {
  byte g, e;
  {
    lock_gate(registry, o);
    atomic { e = epoch; g = generation };
    if
    :: e < EPOCHS - 1 ->
       counter[e + 1] = 0;
       if :: listed[0] && alive[0] -> counter[e + 1]++ :: else fi;
       if :: listed[1] && alive[1] -> counter[e + 1]++ :: else fi;
       atomic {
         if
#ifdef STORE
         :: true -> epoch = e + 1; ENOUGH
#else
         :: epoch == e && generation == g -> epoch = e + 1; ENOUGH
         :: else
#endif
         fi
       }
    :: else
    fi;
    atomic { unlock_gate(registry, o); g = 0; e = 0 }
  } unless { o == 0 && recount_killed -> unlock_gate(registry, o) }
}

proctype Kill() {
  if :: alive[1] = false :: skip fi;
  if :: recount_killed = true :: skip fi
}

init {
  atomic {
    run Presenter(0); run Presenter(1);
#ifndef COUNTERS
    run W();
#endif
    run Recount(0);
#ifndef FEWER
    run Recount(1); run Kill()
#endif
  }
}
