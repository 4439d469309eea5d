// Makes COUNT empty files in DIR; prints when it began. create DIR COUNT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 3) return 2;
  int directory = open(words[1], O_RDONLY | O_DIRECTORY);
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  for (long number = 0, wanted = atol(words[2]); number < wanted; number++) {
    char name[32];
    snprintf(name, sizeof name, "f%ld", number);
    close(openat(directory, name, O_WRONLY | O_CREAT, 0644));
  }
  printf("%llu\n", (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec);
}
