"""A worker process of the contention benchmark over a lock of Python; see lock_worker.h."""
import ctypes
import mmap
import os
import random
import signal
import sys
import threading
import time
from time import monotonic_ns as now

START, STOP, HOLD, GAP, TURN, WAITING, RELEASED_AT, DONE = range(8)
HEADER, FILE_WORDS, FILE_LIMIT, HISTOGRAMS, BUCKETS = 64, 8, 64, 16, 2304
LANES_AT, LANE_WORDS = HEADER + FILE_WORDS * FILE_LIMIT, HISTOGRAMS + 2 * BUCKETS
READY, READS, WRITES, VIOLATIONS, LONGEST = range(5)


def python_flock(path):
    import fcntl
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    return (lambda: fcntl.flock(file, fcntl.LOCK_EX), lambda: fcntl.flock(file, fcntl.LOCK_UN),
            lambda: fcntl.flock(file, fcntl.LOCK_SH), lambda: fcntl.flock(file, fcntl.LOCK_UN))


def both(lock):
    return lock.acquire, lock.release, lock.acquire, lock.release


def filelock_default(path):
    import filelock
    return both(filelock.FileLock(path))


def filelock_1ms(path):
    import filelock
    lock = filelock.FileLock(path)
    acquire = lambda: lock.acquire(poll_interval=0.001)
    return acquire, lock.release, acquire, lock.release


def filelock_soft(path):
    import filelock
    return both(filelock.SoftFileLock(path + '.soft'))


def filelock_rw(path):
    import filelock
    lock = filelock.ReadWriteLock(path + '.rwdb')
    return lock.acquire_write, lock.release, lock.acquire_read, lock.release


def fasteners_default(path):
    import fasteners
    return both(fasteners.InterProcessLock(path))


def fasteners_rw(path):
    import fasteners
    lock = fasteners.InterProcessReaderWriterLock(path)
    return (lock.acquire_write_lock, lock.release_write_lock, lock.acquire_read_lock,
            lock.release_read_lock)


def portalocker_default(path):
    import portalocker
    flags = portalocker.LockFlags
    write = portalocker.Lock(path, mode='a', timeout=60)
    read = portalocker.Lock(path, mode='a', timeout=60, flags=flags.SHARED | flags.NON_BLOCKING)
    return write.acquire, write.release, read.acquire, read.release


def portalocker_blocking(path):
    import portalocker
    file, flags = open(path, 'a+'), portalocker.LockFlags
    release = lambda: portalocker.unlock(file)
    return (lambda: portalocker.lock(file, flags.EXCLUSIVE), release,
            lambda: portalocker.lock(file, flags.SHARED), release)


BACKENDS = {
    'python-flock': python_flock, 'filelock': filelock_default, 'filelock-1ms': filelock_1ms,
    'filelock-soft': filelock_soft, 'filelock-rw': filelock_rw, 'fasteners': fasteners_default,
    'fasteners-rw': fasteners_rw, 'portalocker': portalocker_default,
    'portalocker-blocking': portalocker_blocking,
}


def lane_at(number):
    return LANES_AT + number * LANE_WORDS


def record(board, lane, writing, ns):
    ns = max(ns, 0)
    board[lane + (WRITES if writing else READS)] += 1
    longest = lane + LONGEST + (1 if writing else 0)
    if ns > board[longest]:
        board[longest] = ns
    exponent = ns.bit_length() - 1
    bucket = ns if ns < 64 else (exponent - 5) * 64 + ((ns >> (exponent - 6)) & 63)
    board[lane + HISTOGRAMS + (BUCKETS if writing else 0) + min(bucket, BUCKETS - 1)] += 1


def contend(make, board, lane, reads, files, prefix):
    locks = [make(prefix + str(i)) for i in range(files)]
    for acquire, release, share, unshare in locks:
        for _ in range(4):
            acquire(), release(), share(), unshare()
    lane = lane_at(lane)
    chance = random.Random(lane)
    board[lane + READY] = 1
    while not board[START]:
        time.sleep(0.0005)
    time.sleep(max(board[START] - now(), 0) / 1e9)
    stop, hold = board[STOP], board[HOLD] / 1e9
    while True:
        asked = now()
        if asked >= stop:
            return
        writing = chance.random() * 100 >= reads
        which = chance.randrange(files)
        file = HEADER + which * FILE_WORDS
        acquire, release, share, unshare = locks[which]
        (acquire if writing else share)()
        entered = now()
        before = board[file]
        if board[file + 1]:
            board[lane + VIOLATIONS] += 1
        if writing:
            board[file + 1] = 1
        time.sleep(hold)
        if writing:
            board[file] = before + 1
            board[file + 1] = 0
        elif board[file] != before or board[file + 1]:
            board[lane + VIOLATIONS] += 1
        (release if writing else unshare)()
        record(board, lane, writing, entered - asked)


def hand_over(make, board, first, lane, rounds, path):
    acquire, release, _, _ = make(path)
    acquire(), release()
    lane = lane_at(lane)
    board[lane + READY] = 1
    while not board[START]:
        time.sleep(0.0005)
    for turn in range(1, rounds + 1):
        if now() >= board[STOP]:
            return
        if first:
            acquire()
            board[RELEASED_AT] = 0
            board[TURN] = turn
            while board[WAITING] != turn:
                time.sleep(0.00005)
            time.sleep(board[GAP] / 1e9)
            board[RELEASED_AT] = now()
            release()
            while board[DONE] != turn:
                time.sleep(0.00005)
        else:
            while board[TURN] != turn:
                if now() > board[STOP] + 1_000_000_000:
                    return
                time.sleep(0.00005)
            board[WAITING] = turn
            acquire()
            entered = now()
            released = board[RELEASED_AT]
            if released:
                record(board, lane, True, entered - released)
            else:
                board[lane + VIOLATIONS] += 1
            release()
            board[DONE] = turn


def main(arguments):
    if arguments[0] == 'versions':
        for name in arguments[1:]:
            try:
                module = __import__(name)
                print(name, getattr(module, '__version__', '?'))
            except ImportError:
                pass
        return 0
    backend, path, verb = arguments[:3]
    make = BACKENDS[backend]
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    file = os.open(path, os.O_RDWR)
    board = memoryview(mmap.mmap(file, os.fstat(file).st_size)).cast('Q')
    if verb == 'uncontended':
        pairs = int(arguments[4])
        acquire, release, _, _ = make(arguments[3])
        for _ in range(pairs // 10 + 1):
            acquire(), release()
        begin = now()
        for _ in range(pairs):
            acquire(), release()
        print('%.1f' % ((now() - begin) / pairs))
    elif verb == 'contend':
        lane, threads, reads, files = map(int, arguments[3:7])
        running = [threading.Thread(target=contend,
                                    args=(make, board, lane + i, reads, files, arguments[7]))
                   for i in range(threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    else:
        hand_over(make, board, verb == 'first', int(arguments[3]), int(arguments[4]), arguments[5])
    # The interpreter would complain about views of the map that are still in use.
    sys.stdout.flush()
    os._exit(0)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
