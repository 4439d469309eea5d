// SQLite's file locks as a lock: BEGIN IMMEDIATE or EXCLUSIVE for writers, a read transaction for readers.
#include "lock_worker.h"

#include <sqlite3.h>

struct database { sqlite3 *db; sqlite3_stmt *begin, *read, *look, *commit; };

static sqlite3_stmt *prepare(sqlite3 *db, const char *text) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0)) lw_die(sqlite3_errmsg(db));
  return statement;
}
static void step(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  if (code != SQLITE_DONE && code != SQLITE_ROW) {
    fprintf(stderr, "sqlite3_step: %s\n", sqlite3_errstr(code));
    exit(3);
  }
}
static void step_once(sqlite3_stmt *statement) { step(statement); sqlite3_reset(statement); }

static void *open_database(const char *path, const char *begin) {
  struct database *d = malloc(sizeof *d);
  char name[4096];
  snprintf(name, sizeof name, "%s.db", path);
  if (sqlite3_open(name, &d->db)) lw_die("sqlite3_open");
  sqlite3_busy_timeout(d->db, 60000);
  sqlite3_exec(d->db, "CREATE TABLE IF NOT EXISTS t(x)", 0, 0, 0);
  d->begin = prepare(d->db, begin);
  d->read = prepare(d->db, "BEGIN");
  d->look = prepare(d->db, "SELECT * FROM t LIMIT 1");
  d->commit = prepare(d->db, "COMMIT");
  return d;
}
static void *immediate(const char *path) { return open_database(path, "BEGIN IMMEDIATE"); }
static void *exclusive(const char *path) { return open_database(path, "BEGIN EXCLUSIVE"); }

static void access_database(void *lock, int writing, lw_body body, void *context) {
  struct database *d = lock;
  if (writing) {
    step_once(d->begin);
  } else {
    step_once(d->read);
    step_once(d->look);
  }
  body(context);
  step_once(d->commit);
}

int main(int argc, char **argv) {
  const struct lw_backend backends[] = {
      {"sqlite-immediate", immediate, access_database}, {"sqlite-exclusive", exclusive, access_database}};
  return lw_main(backends, 2, argc, argv);
}
