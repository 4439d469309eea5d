/*
 * flock(2) as a model. A lock is two variables: `x`, the open file description that holds it
 * exclusive (or FREE), and `s`, the set of those that hold it shared (one bit each).
 *
 * A request on a description that already holds the lock converts it: the old lock is dropped
 * first, as the kernel does, so a conversion is not atomic when somebody else is in the way.
 * Which of several waiters gets a freed lock is a free choice: flock(2) grants in no order.
 */
#define FREE 255
#define BIT(i) (1 << (i))

#define CAN_EX(x, s, o) ((x == FREE || x == o) && (s & ~BIT(o)) == 0)
#define CAN_SH(x, s, o) (x == FREE || x == o)

inline lock_ex(x, s, o) {
  atomic { CAN_EX(x, s, o) -> x = o; s = s & ~BIT(o) }
}

inline lock_sh(x, s, o) {
  atomic { CAN_SH(x, s, o) -> if :: x == o -> x = FREE :: else fi; s = s | BIT(o) }
}

inline unlock(x, s, o) {
  atomic { if :: x == o -> x = FREE :: else fi; s = s & ~BIT(o) }
}

/* For locks that are only ever taken exclusive: gates, lock files of the janitor. */
inline lock_gate(g, o) {
  atomic { g == FREE -> g = o }
}

inline unlock_gate(g, o) {
  atomic { if :: g == o -> g = FREE :: else fi }
}
