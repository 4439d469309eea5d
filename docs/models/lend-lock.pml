/*
 * Rejected: a claim C that asks presenter P sends it a duplicate of its locked descriptor, P's own
 * claim, already waiting, runs under that duplicate, then P answers. P may be stopped, continued
 * and killed, C may be killed, at any step. C passes over a process that did not acknowledge
 * (here: only while it is stopped). Q is a writer in a third process.
 *
 * (none)   P lends the duplicate to its claim as soon as the message arrives
 * CHECK    P asks first whether C still waits
 * UNLOCK   C releases by LOCK_UN instead of close
 * NOWATCH  look for wrong exclusion only
 *
 * Found: P runs under a lock that C has passed over (wrong exclusion), and a message that lies in
 * the socket of a stopped process keeps the lock for ever (Q is stuck), with CHECK as well.
 */
#include "flock.h"

byte node = FREE;
bool ref_c, in_flight, ref_p;    /* who still refers to the description of C (0) */
bool message, acknowledged, answered, lent, passed_over;
bool p_done, c_done, q_done, stopped_p, killed_c, killed_p;
byte inside = 0;

inline drop() {
  if :: node == 0 && !ref_c && !in_flight && !ref_p -> node = FREE :: else fi
}

inline enter(who) {
  atomic { assert(inside == 0); inside = who };
  inside = 0
}

proctype C() {
  {
    atomic { node == FREE -> node = 0; ref_c = true };
    atomic { if :: killed_p :: else -> message = true; in_flight = true fi };
    if
    :: answered
    :: killed_p
    :: atomic { stopped_p && !acknowledged -> passed_over = true }
    fi;
    enter(1);
#ifdef UNLOCK
    atomic { if :: node == 0 -> node = FREE :: else fi; ref_c = false };
#else
    atomic { ref_c = false; drop() };
#endif
    c_done = true
  } unless { killed_c }
}

proctype PClaim() provided (!stopped_p || killed_p) {
  {
    if
    :: atomic { node == FREE -> node = 1 }; enter(2); node = FREE
    :: lent -> enter(2)
    fi;
    p_done = true
  } unless { killed_p }
}

proctype PHandler() provided (!stopped_p || killed_p) {
  {
    do
    :: atomic { message -> message = false; in_flight = false; ref_p = true };
       acknowledged = true;
#ifdef CHECK
       if
       :: atomic { !passed_over && !c_done && !killed_c -> lent = true }; p_done -> lent = false
       :: passed_over || c_done || killed_c
       fi;
#else
       lent = true; p_done -> lent = false;
#endif
       atomic { ref_p = false; drop() };
       answered = true
    :: (c_done || killed_c) && !message -> break
    od
  } unless { killed_p }
}

proctype Q() {
  atomic { node == FREE -> node = 2 };
  enter(3);
  node = FREE;
  q_done = true
}

proctype KillC() {
  if
  :: atomic { killed_c = true; if :: inside == 1 -> inside = 0 :: else fi; ref_c = false; drop() }
  :: skip
  fi
}

proctype StopAndKillP() {
  if :: stopped_p = true; if :: stopped_p = false :: skip fi :: skip fi;
  if
  :: atomic {
       killed_p = true;
       if :: inside == 2 -> inside = 0 :: else fi;
       if :: node == 1 -> node = FREE :: else fi;
       in_flight = false; ref_p = false; drop()
     }
  :: skip
  fi
}

proctype Watch() { timeout -> assert(q_done && (c_done || killed_c)) }

init {
  atomic {
    run C(); run PClaim(); run PHandler(); run Q(); run KillC(); run StopAndKillP();
#ifndef NOWATCH
    run Watch()
#endif
  }
}
