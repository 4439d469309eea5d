/*
 * Directory /d with nodes item (I) and tree (T). R reads /d (I shared) and in its accessor reads
 * /d/f (T shared). D deletes /d (both exclusive). W plain-writes /d (I exclusive). K reads /d/f and
 * in its accessor /d/g (T shared again: same process, thread and purpose).
 *
 * TREEFIRST  rejected: D takes the tree before the item
 * ONEGATE    rejected: one gate and mark for both nodes of a path
 * NOREENTRY  rejected: K's nested claim looks at the mark although its process holds T already
 *
 * Checked: no deadlock.
 */
#include "turnstile.h"

byte item_ex = FREE, item_sh = 0, tree_ex = FREE, tree_sh = 0, item_gate = FREE;
bit item_mark = 0;
#ifdef ONEGATE
#define tree_gate item_gate
#define tree_mark item_mark
#else
byte tree_gate = FREE;
bit tree_mark = 0;
#endif

#define READ_ITEM claim_sh(item_ex, item_sh, item_gate, item_mark, o, got, waited)
#define READ_TREE claim_sh(tree_ex, tree_sh, tree_gate, tree_mark, o, got, waited)
#define WRITE_ITEM claim_ex(item_ex, item_sh, item_gate, item_mark, o, got, waited)
#define WRITE_TREE claim_ex(tree_ex, tree_sh, tree_gate, tree_mark, o, got, waited)
#define LEAVE_ITEM give_back(item_ex, item_sh, item_gate, item_mark, o)
#define LEAVE_TREE give_back(tree_ex, tree_sh, tree_gate, tree_mark, o)

proctype R(byte o) {
  bit got, waited;
  READ_ITEM;
  READ_TREE;
  LEAVE_TREE;
  LEAVE_ITEM
}

proctype D(byte o) {
  bit got, waited;
#ifdef TREEFIRST
  WRITE_TREE;
  WRITE_ITEM;
#else
  WRITE_ITEM;
  WRITE_TREE;
#endif
  LEAVE_TREE;
  LEAVE_ITEM
}

proctype W(byte o) {
  bit got, waited;
  WRITE_ITEM;
  LEAVE_ITEM
}

proctype K(byte o) {
  bit got, waited;
  READ_TREE;
#ifdef NOREENTRY
  if
  :: tree_mark == 1 -> lock_gate(tree_gate, o); tree_mark = 0; unlock_gate(tree_gate, o)
  :: else
  fi;
#endif
  LEAVE_TREE
}

init { atomic { run R(0); run D(1); run W(2); run K(3) } }
