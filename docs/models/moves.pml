/*
 * Moves that a waiting claim follows. The journal of moves is shared by all processes and has one
 * sequence number. A mover holds the nodes of the old and the new path exclusive, renames, and as
 * its last act before it gives the nodes back it takes the next number and fills its record.
 * A claim notes the number before its first try. If that try did not get it in at once, it looks,
 * its nodes being in, for the oldest record newer than the last it followed (at first: than the
 * noted number) whose old path is its own; it then gives everything back and starts over at the
 * new path, and looks again there however fast it got in.
 *
 * Paths A, B, C. M1 moves object X from A to B. M2 moves X on from B to C, or back from B to A, or
 * makes a new object Y at A and moves that to C. H holds A or B for a while. W claims A or B and
 * means the object that is there. Another appender may die between taking a number and filling its
 * record (a hole). A nested claim of a mover is not modelled, nor `forReplacing`, which follows
 * nothing.
 *
 * (none)      M1 and M2 may be killed at any step. A mover that dies between its rename and its
 *             record is a stranger that renamed: not followed, not checked
 * STRICT      that gap is checked, too: fails, as documented
 * EARLY       rejected: the record is made when the client says didMove, and the mover goes on
 *             holding the nodes; a claim that comes meanwhile notes a number that is too new
 * AFTER       rejected: the record is made after the nodes were given back
 * LATESAMPLE  rejected: the number is noted when the first try has failed
 * LOOKBEFORE  rejected: the claim looks before its node is in
 * RESAMPLE    rejected: a claim that starts over notes a new number
 * FORGET      rejected: a claim that started over looks only if it had to wait again
 * NEWEST      rejected: the newest record is followed
 * ONLYOLD     rejected: the mover holds the old path only
 * STOPATHOLE  rejected: the look ends at a record that was not filled
 *
 * Checked: a claim that had to wait, or that started over, runs its accessor at the path where the
 * object is that it meant; no deadlock.
 */
#include "flock.h"
#define NONE 255
#define A 0
#define B 1
#define C 2
#define X 0
#define Y 1
#define RECORDS 4

byte node[3] = FREE;
byte at[2] = NONE;         /* where the object is */
byte settled[2] = NONE;    /* where it is for claims that begin now */
byte renamed[2] = NONE;    /* by M1, M2: the object whose move has no record yet */
bool lost[2];              /* its mover died between rename and record */
byte number = 0, old_path[RECORDS] = NONE, new_path[RECORDS] = NONE;
bool filled[RECORDS], killed[2];

inline hold(from, to, o) {
#ifdef ONLYOLD
  lock_gate(node[from], o)
#else
  if
  :: from < to -> lock_gate(node[from], o); lock_gate(node[to], o)
  :: else -> lock_gate(node[to], o); lock_gate(node[from], o)
  fi
#endif
}

inline give_back(o) {
  atomic { unlock_gate(node[A], o); unlock_gate(node[B], o); unlock_gate(node[C], o) }
}

inline record(object, from, to, o, r) {
  atomic {
    r = number; number++;
#ifndef EARLY
    settled[object] = to
#endif
  };
  atomic { old_path[r] = from; new_path[r] = to; filled[r] = true; renamed[o - 1] = NONE;
           r = 0 }
}

inline die(o) {
  atomic {
    if :: renamed[o - 1] != NONE -> lost[renamed[o - 1]] = true :: else fi;
    give_back(o)
  }
}

inline move(object, from, to, o, r) {
  hold(from, to, o);
  if
  :: at[object] == from && at[1 - object] != to ->
     atomic { at[object] = to; renamed[o - 1] = object };
#ifdef AFTER
     give_back(o);
     record(object, from, to, o, r)
#else
     record(object, from, to, o, r);
#ifdef EARLY
     atomic { settled[object] = to; give_back(o) }
#else
     give_back(o)
#endif
#endif
  :: else -> give_back(o)
  fi
}

proctype M1() {
  byte r;
  { move(X, A, B, 1, r) } unless { killed[0] -> die(1) }
}

proctype M2() {
  byte r;
  {
    if
    :: true -> move(X, B, C, 2, r)
    :: true -> move(X, B, A, 2, r)
    :: true -> lock_gate(node[A], 2);
       if
       :: at[X] != A -> atomic { at[Y] = A; settled[Y] = A }
       :: else
       fi;
       give_back(2);
       move(Y, A, C, 2, r)
    fi
  } unless { killed[1] -> die(2) }
}

proctype H() {
  if
  :: lock_gate(node[A], 3)
  :: lock_gate(node[B], 3)
  fi;
  give_back(3)
}

proctype Hole() {
  if :: number++ :: skip fi
}

inline look(path, cursor, i, found) {
  atomic {
    found = NONE;
    i = cursor;
    do
    :: i < number && filled[i] && old_path[i] == path ->
       found = i;
#ifdef NEWEST
       i++
#else
       break
#endif
#ifdef STOPATHOLE
    :: i < number && !filled[i] -> break
    :: i < number && filled[i] && old_path[i] != path -> i++
#else
    :: i < number && !(filled[i] && old_path[i] == path) -> i++
#endif
    :: i >= number -> break
    od;
    i = 0
  }
}

proctype W() {
  byte path, object, cursor, i, found = NONE;
  bool waited, checked;
  atomic {
    if :: path = A :: path = B fi;
    if
    :: settled[X] == path -> object = X
    :: settled[Y] == path -> object = Y
    :: settled[X] != path && settled[Y] != path -> goto nothing_there
    fi;
    cursor = number
  };
again:
  if
  :: lock_gate(node[path], 4)
  :: atomic { node[path] != FREE -> waited = true; checked = true };
#ifdef LATESAMPLE
     cursor = number;
#endif
#ifdef LOOKBEFORE
     look(path, cursor, i, found);
#endif
     lock_gate(node[path], 4)
  fi;
  if
  :: waited ->
#ifndef LOOKBEFORE
     look(path, cursor, i, found);
#endif
     if
     :: found != NONE ->
        give_back(4);
        atomic {
          path = new_path[found];
#ifdef RESAMPLE
          cursor = number;
#else
          cursor = found + 1;
#endif
#ifdef FORGET
          waited = false;
#endif
          found = NONE
        };
        goto again
     :: else
     fi
  :: else
  fi;
#ifdef STRICT
  assert(!checked || at[object] == path);
#else
  assert(!checked || at[object] == path || lost[object]);
#endif
  give_back(4);
nothing_there:
  skip
}

proctype Killer(byte v) {
  if :: killed[v] = true :: skip fi
}

init {
  atomic {
    at[X] = A; settled[X] = A;
    run M1(); run M2(); run H(); run Hole(); run W();
    run Killer(0); run Killer(1)
  }
}
