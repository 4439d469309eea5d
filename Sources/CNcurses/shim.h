#pragma once
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <ncurses.h>
#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>

// Macros and variadic functions of ncurses, and its global screen, as functions.

/* Text is UTF-8, whatever the environment says. */
static inline bool nc_locale(void) {
  if (!setlocale(LC_CTYPE, "") || MB_CUR_MAX < 4) setlocale(LC_CTYPE, "C.UTF-8");
  return true;
}
/* Starts the screen; false: there is no terminal that ncurses knows. */
static inline bool nc_start(void) {
  nc_locale();
  SCREEN *screen = newterm(NULL, stdout, stdin);
  if (!screen) return false;
  set_term(screen);
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  return true;
}
static inline void nc_end(void) { endwin(); }
static inline int nc_rows(void) { return getmaxy(stdscr); }
static inline int nc_columns(void) { return getmaxx(stdscr); }
/* 0: none waits; 1: a character; 2: a function key. */
static inline int nc_key(unsigned *key) {
  wint_t wide = 0;
  int result = get_wch(&wide);
  *key = (unsigned)wide;
  return result == ERR ? 0 : result == KEY_CODE_YES ? 2 : 1;
}
static inline void nc_row(int row, bool is_reversed, const char *text) {
  move(row, 0);
  if (is_reversed) attron(A_REVERSE); else attroff(A_REVERSE);
  addstr(text);
  attroff(A_REVERSE);
  clrtoeol();
}
static inline void nc_show(int row, int column) {
  move(row, column);
  refresh();
}
static inline void nc_repaint(void) { clearok(stdscr, TRUE); }
static inline int nc_width(unsigned scalar) { return wcwidth((wchar_t)scalar); }

enum nc_code {
  nc_up = KEY_UP, nc_down = KEY_DOWN, nc_left = KEY_LEFT, nc_right = KEY_RIGHT, nc_home = KEY_HOME,
  nc_last = KEY_END, nc_page_up = KEY_PPAGE, nc_page_down = KEY_NPAGE, nc_backspace = KEY_BACKSPACE,
  nc_delete = KEY_DC, nc_enter = KEY_ENTER, nc_resize = KEY_RESIZE
};
