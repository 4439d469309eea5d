/*
 * Presence counters: does a write find every presenter? One item with one counter. Two presenter
 * processes (0, 1) add themselves (registry lock shared: counter + 1, list published), read the
 * item in a coordinated way, re-read it when a notice comes, remove themselves (list, counter - 1)
 * and may add themselves again. Two writers W write once each: node exclusive, then the counter,
 * and if it is not 0 the lists of the living; they write and send notices. R recounts under the
 * exclusive registry lock and may be killed at any step; so may presenter 0.
 *
 * (none)      the counter is read when the nodes are in; the recount stores its sum in one step
 * BEFORE      rejected: the counter is read before the nodes are in
 * ADDLATE     rejected: counter and list follow after addFilePresenter has returned
 * NOLOCK      rejected: presenters do not take the registry lock
 * ZEROFIRST   rejected: the recount sets the counter to 0 and adds up in place
 * SUBTRACT    rejected: whoever finds a dead presenter in a list subtracts for it (two of them)
 *
 * Checked: when a write is over, every living presenter that has read the item knows the new
 * content or has a notice waiting; after a recount the counter is exact; the counter never falls
 * below the number of presenters that have added themselves.
 */
#include "flock.h"

byte node_ex = FREE, node_sh = 0, registry_ex = FREE, registry_sh = 0;
byte content = 0, counter = 0;
bool listed[2], alive[2] = true, has_read[2], notice[2];
byte cached[2];
bool recount_killed;

/* Descriptions: 0 1 presenters, 2 3 writers, 4 the recount. */

#ifdef NOLOCK
#define REGISTRY_LOCK(o) skip
#define REGISTRY_UNLOCK(o) skip
#else
#define REGISTRY_LOCK(o) lock_sh(registry_ex, registry_sh, o)
#define REGISTRY_UNLOCK(o) unlock(registry_ex, registry_sh, o)
#endif

inline add(i) {
  REGISTRY_LOCK(i);
  counter++;
  listed[i] = true;
  REGISTRY_UNLOCK(i)
}

inline read(i) {
  lock_sh(node_ex, node_sh, i);
  atomic { cached[i] = content; has_read[i] = true };
  unlock(node_ex, node_sh, i)
}

inline remove(i) {
  atomic { has_read[i] = false; notice[i] = false };
  REGISTRY_LOCK(i);
  listed[i] = false;
  counter--;
  REGISTRY_UNLOCK(i)
}

proctype Presenter(byte i) {
  byte k = 0;
  {
    do
    :: k < 2 ->
       k++;
#ifdef ADDLATE
       read(i);
       add(i);
#else
       add(i);
       read(i);
#endif
end_present:
       do
       :: atomic { notice[i] -> notice[i] = false; has_read[i] = false }; read(i)
       :: k < 2 -> break
       od;
       remove(i)
    od
  } unless { !alive[i] ->
    atomic {
      has_read[i] = false;
      unlock(node_ex, node_sh, i);
      unlock(registry_ex, registry_sh, i)
    }
  }
}

inline inform(i) {
  atomic { if :: listed[i] && alive[i] -> notice[i] = true :: else fi }
}

#define KNOWS(i) (!has_read[i] || !alive[i] || notice[i] || cached[i] == content)

proctype W(byte o) {
  byte seen;
#ifdef BEFORE
  seen = counter;
  lock_ex(node_ex, node_sh, o);
#else
  lock_ex(node_ex, node_sh, o);
  seen = counter;
#endif
  content++;
  if
  :: seen > 0 -> inform(0); inform(1)
  :: else
  fi;
  atomic { assert(KNOWS(0) && KNOWS(1)); unlock(node_ex, node_sh, o) }
}

proctype R() {
  byte sum = 0;
  {
    lock_ex(registry_ex, registry_sh, 4);
#ifdef ZEROFIRST
    counter = 0;
    if :: listed[0] && alive[0] -> counter++ :: else fi;
    if :: listed[1] && alive[1] -> counter++ :: else fi;
#else
    if :: listed[0] && alive[0] -> sum++ :: else fi;
    if :: listed[1] && alive[1] -> sum++ :: else fi;
    counter = sum;
#endif
    assert(counter >= (listed[0] && alive[0]) + (listed[1] && alive[1]));
    unlock(registry_ex, registry_sh, 4)
  } unless { recount_killed -> unlock(registry_ex, registry_sh, 4) }
}

#ifdef SUBTRACT
proctype Reaper() {
end_reaper:
  if
  :: !alive[0] && listed[0] -> counter--; listed[0] = false
  fi
}
#endif

proctype Kill() {
  if :: alive[0] = false :: skip fi;
  if :: recount_killed = true :: skip fi
}

init {
  atomic {
    run Presenter(0); run Presenter(1); run W(2); run W(3); run R(); run Kill();
#ifdef SUBTRACT
    run Reaper(); run Reaper();
#endif
  }
}
