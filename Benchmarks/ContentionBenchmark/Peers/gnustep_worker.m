// GNUstep's NSFileCoordinator; gcc has no blocks, so one is made by hand.
#import <Foundation/Foundation.h>
#import <Foundation/NSFileCoordinator.h>

#include "lock_worker.h"

struct block {
  void *isa;
  int flags, reserved;
  void (*invoke)(struct block *, NSURL *);
  lw_body body;
  void *context;
};
static void invoke(struct block *b, NSURL *url) {
  (void)url;
  b->body(b->context);
}
struct item { NSFileCoordinator *coordinator; NSURL *url; };

static void *open_item(const char *path) {
  struct item *i = malloc(sizeof *i);
  i->coordinator = [[NSFileCoordinator alloc] init];
  i->url = [[NSURL fileURLWithPath: [NSString stringWithUTF8String: path]] retain];
  return i;
}
static void access_item(void *handle, int writing, lw_body body, void *context) {
  struct item *i = handle;
  struct block b = {0, 0, 0, invoke, body, context};
  NSError *error = nil;
  if (writing)
    [i->coordinator coordinateWritingItemAtURL: i->url options: 0 error: &error byAccessor: (void *)&b];
  else
    [i->coordinator coordinateReadingItemAtURL: i->url options: 0 error: &error byAccessor: (void *)&b];
}

int main(int argc, char **argv) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  const struct lw_backend backends[] = {{"gnustep", open_item, access_item}};
  int status = lw_main(backends, 1, argc, argv);
  [pool release];
  return status;
}
