/*
 * Moves of a directory while claims inside it wait. Directories 0, 1, 2 (paths /0 /1 /2), a file
 * named 0 or 1 in them; the path of the file is 2 * directory + name. D1 moves the directory that
 * is at /0 to /1, D2 the one at /1 to /2: each holds the trees of both paths exclusive. F, a claim
 * inside, renames the file from name 0 to name 1: it holds its directory's tree shared and both
 * names exclusive. W writes the file at /0/0: tree shared, name exclusive. F and W follow moves as
 * in moves.pml; a record whose old path is the path of the claim or an ancestor counts. D1 and F
 * may be killed at any step; a mover that dies between rename and record is not checked.
 *
 * NOANCESTOR  rejected: only records of the very path count
 * JUMP        rejected: a record found at the old path is applied and the claim goes on from the
 *             newest number
 *
 * Checked: F and W, if they waited or started over, run at the path where the file is; no deadlock.
 */
#include "flock.h"
#define NONE 255
#define RECORDS 4

byte tree_ex[3] = FREE, tree_sh[3] = 0, name[6] = FREE;
byte at = 0;                       /* path of the file */
byte settled = 0;                  /* for claims that begin now */
bool lost, gap[4], killed[4];
byte number = 0;
mtype = { directory, file };
mtype kind[RECORDS];
byte old_path[RECORDS], new_path[RECORDS];
bool filled[RECORDS];

inline record(k, from, to, me, r) {
  atomic { r = number; number++; settled = at };
  atomic { kind[r] = k; old_path[r] = from; new_path[r] = to; filled[r] = true; gap[me] = false;
           r = 0 }
}

inline give_back_trees(o) {
  atomic { unlock(tree_ex[0], tree_sh[0], o); unlock(tree_ex[1], tree_sh[1], o);
           unlock(tree_ex[2], tree_sh[2], o) }
}

inline give_back(o) {
  atomic {
    give_back_trees(o);
    unlock_gate(name[0], o); unlock_gate(name[1], o); unlock_gate(name[2], o);
    unlock_gate(name[3], o); unlock_gate(name[4], o); unlock_gate(name[5], o)
  }
}

inline die(me) {
  atomic { if :: gap[me] -> lost = true :: else fi; give_back(me) }
}

proctype D(byte me; byte from; byte to) {
  byte r;
  {
    lock_ex(tree_ex[from], tree_sh[from], me);
    lock_ex(tree_ex[to], tree_sh[to], me);
    if
    :: at / 2 == from ->
       atomic { at = 2 * to + at % 2; gap[me] = true };
       record(directory, from, to, me, r)
    :: else
    fi;
    give_back_trees(me)
  } unless { killed[me] -> die(me) }
}

#ifdef NOANCESTOR
#define OLD_DIRECTORY(i, path) false
#else
#define OLD_DIRECTORY(i, path) (kind[i] == directory && old_path[i] == path / 2)
#endif
#define OLD_FILE(i, path) (kind[i] == file && old_path[i] == path)
#define APPLIES(i, path) (filled[i] && (OLD_DIRECTORY(i, path) || OLD_FILE(i, path)))

/* path and cursor change if there is something to follow */
inline follow(path, cursor, i, found) {
  atomic {
    i = cursor;
    do
    :: i < number && APPLIES(i, path) -> found = true; break
    :: i < number && !APPLIES(i, path) -> i++
    :: i >= number -> break
    od;
    if
    :: found ->
       if
       :: kind[i] == directory -> path = 2 * new_path[i] + path % 2
       :: else -> path = new_path[i]
       fi;
#ifdef JUMP
       cursor = number
#else
       cursor = i + 1
#endif
    :: else
    fi;
    i = 0
  }
}

inline claim(path, o, waited) {
  if
  :: lock_sh(tree_ex[path / 2], tree_sh[path / 2], o)
  :: !CAN_SH(tree_ex[path / 2], tree_sh[path / 2], o) -> waited = true;
     lock_sh(tree_ex[path / 2], tree_sh[path / 2], o)
  fi;
  if
  :: lock_gate(name[path], o)
  :: name[path] != FREE -> waited = true; lock_gate(name[path], o)
  fi
}

inline claim_and_follow(path, cursor, o, waited, i, found) {
  do
  :: claim(path, o, waited);
     if :: waited -> follow(path, cursor, i, found) :: else fi;
     if
     :: found -> give_back(o); found = false
     :: else -> break
     fi
  od
}

/* The destination is in the same directory, so it follows along. */
proctype F(byte me) {
  byte path, cursor, i, r;
  bool waited, found;
  {
    atomic { path = settled; cursor = number };
    claim_and_follow(path, cursor, me, waited, i, found);
    assert(!waited || at == path || lost);
    if
    :: at == path && path % 2 == 0 ->
       lock_gate(name[path + 1], me);
       atomic { at = path + 1; gap[me] = true };
       record(file, path, path + 1, me, r)
    :: else
    fi;
    give_back(me)
  } unless { killed[me] -> die(me) }
}

proctype W(byte me) {
  byte path, cursor, i;
  bool waited, found;
  atomic { path = settled; cursor = number };
  claim_and_follow(path, cursor, me, waited, i, found);
  assert(!waited || at == path || lost);
  give_back(me)
}

proctype Killer(byte v) {
  if :: killed[v] = true :: skip fi
}

init {
  atomic {
    run D(0, 0, 1); run D(1, 1, 2); run F(2); run W(3); run Killer(0); run Killer(2)
  }
}
