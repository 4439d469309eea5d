"""A subscription to watchman: watchman_peer.py SOCKET DIR

Prints "ready"; keeps the set of files it was told of; a line "COUNT" on standard input asks for the time at
which there were that many (CLOCK_MONOTONIC, nanoseconds), and ends it.
"""
import json, os, select, socket, sys, time

s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
pending = b""
files, wanted, reached = set(), None, 0


def take(reply):
    global reached
    for f in reply.get("files", []):
        (files.add if f["exists"] else files.discard)(f["name"])
    reached = time.monotonic_ns()


def receive():
    global pending
    got = s.recv(1 << 20)
    if not got:
        sys.exit("watchman is gone")
    pending += got
    *lines, pending = pending.split(b"\n")
    return [json.loads(line) for line in lines]


def call(*words):
    s.sendall(json.dumps(words).encode() + b"\n")
    while True:
        for reply in receive():
            if "subscription" in reply and "files" in reply:
                take(reply)
            elif "error" in reply:
                sys.exit(reply["error"])
            else:
                return reply


root = os.path.realpath(sys.argv[2])
call("watch", root)
call("subscribe", root, "s", {"fields": ["name", "exists"], "expression": ["true"]})
print("ready", flush=True)
while True:
    for ready in select.select([s, sys.stdin], [], [])[0]:
        if ready is sys.stdin:
            line = sys.stdin.readline()
            if not line:
                sys.exit()
            wanted = int(line)
        else:
            for reply in receive():
                if "files" in reply:
                    take(reply)
    if wanted is not None and len(files) == wanted:
        print(reached, flush=True)
        sys.exit()
