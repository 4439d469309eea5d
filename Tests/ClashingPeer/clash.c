// A host that has a global of its own by a name that libinotifytools exports: the library then takes
// itself for initialised, and no watch works.
int initialized = 1;
int clashing_host_value(void) { return initialized; }
