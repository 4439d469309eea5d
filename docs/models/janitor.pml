/*
 * Lock files and the janitor that removes unlocked ones. Two users (0, 1) cache a descriptor and
 * claim exclusively twice each; one janitor cleans up to twice and may be killed at any step.
 * `path` is the inode the name stands for, 0 = no file.
 *
 * (none)    rejected: an epoch noted when the file is opened; after locking, a stat only if the
 *           epoch differs from the noted one
 * PROC      rejected: the epoch is noted per process (a check of another node refreshes it)
 * FRESH     an epoch per descriptor, and the first lock after an open is always checked
 * DEADFLAG  no epoch: the janitor writes "dead" into the header of the file before it unlinks
 * OUTSIDE   a stranger (cleaner, rm) unlinks without the lock, never while a holder is inside
 * NLINK     the link count is looked at after each lock
 *
 * Checked: exclusion, no deadlock.
 */
#include "flock.h"
#define INODES 7

byte lock[INODES], path = 0, next = 1, epoch = 0;
bool dead[INODES], linked[INODES], killed = false;
byte inside = 0;

inline open_file(f) {
  atomic {
    if :: path == 0 -> path = next; linked[next] = true; next++ :: else fi;
    f = path
  }
}

#define GIVE_UP lock[f] = FREE; f = 0; goto again

proctype User(byte me) {
  byte f = 0, noted = 0, k = 0, e;
  bool fresh = false;
  do
  :: k < 2 ->
again:
     if
     :: f == 0 -> open_file(f); fresh = true;
#if !defined(PROC) && !defined(FRESH) && !defined(DEADFLAG)
        noted = epoch
#endif
     :: else
     fi;
#ifdef PROC
     if :: noted = epoch :: skip fi;    /* some other node was checked meanwhile */
#endif
     lock_gate(lock[f], me);
     e = epoch;
#ifdef DEADFLAG
     if :: dead[f] -> GIVE_UP :: else fi;
#else
     if
#if defined(PROC) || defined(FRESH)
     :: fresh || e != noted ->
#else
     :: e != noted ->
#endif
        if :: path == f -> noted = e; fresh = false :: else -> GIVE_UP fi
     :: else
     fi;
#endif
#ifdef NLINK
     if :: !linked[f] -> GIVE_UP :: else fi;
#endif
     atomic { inside++; assert(inside == 1) };
     atomic { inside--; lock[f] = FREE };
     k++
  :: else -> break
  od
}

proctype Janitor(byte me) {
  byte f, k = 0;
  {
    do
    :: k < 2 && path != 0 ->
       f = path;
       if
       :: lock_gate(lock[f], me);
          if
          :: path == f ->
#ifdef DEADFLAG
             dead[f] = true;
#endif
             epoch++;
             atomic { linked[f] = false; if :: path == f -> path = 0 :: else fi }
          :: else
          fi;
          lock[f] = FREE
       :: lock[f] != FREE
       fi;
       k++
    :: k >= 2 -> break
    :: path == 0 -> break
    od
  } unless { killed -> atomic { if :: f != 0 && lock[f] == me -> lock[f] = FREE :: else fi } }
}

#ifdef OUTSIDE
proctype Outside() {
end_outside:
  atomic { path != 0 && lock[path] == FREE -> linked[path] = false; path = 0 }
}
#endif

proctype Killer() {
  if :: killed = true :: skip fi
}

init {
  byte i;
  atomic {
    for (i : 0 .. (INODES - 1)) { lock[i] = FREE };
    run User(0); run User(1); run Janitor(2); run Killer();
#ifdef OUTSIDE
    run Outside()
#endif
  }
}
