/// A lock that is ready to be measured: how its worker process is started.
struct Backend: Sendable {
  let name: String
  /// What it is, in a few words.
  let summary: String
  let program: String
  /// Stand before the name of the backend.
  var arguments: [String] = []
  var environment: [String: String] = [:]
  /// How many uncontended accesses are enough for a figure.
  let pairs: Int

  /// The row that is this package's.
  static let ours = "coordinator"
  /// The row everything is compared with.
  static let raw = "flock"
}

/// How a backend is made ready, if what it needs is installed.
struct Recipe: Sendable {
  /// What a lock needs.
  enum Source: Sendable {
    /// Nothing: it is in this program.
    case builtIn
    /// Programs on PATH, or beside this one.
    case command(String)
    /// A module of Python.
    case python(module: String)
    /// A source that is compiled now; flags come from a program such as pkg-config.
    case compiled(file: String, compiler: [String], flags: [[String]])
    /// It cannot be had on its own.
    case absent(String)
  }

  let name: String
  let summary: String
  let source: Source
  /// What installs it on Debian.
  let package: String
  let pairs: Int
}

extension Backend {
  /// Every row there is, ours first.
  static let recipes: [Recipe] = [
    Recipe(
      name: ours,
      summary: "NSFileCoordinator of this package",
      source: .builtIn,
      package: "",
      pairs: 5_000
    ),
    builtIn(raw, "flock(2) on a descriptor that is kept"),
    builtIn("flock-open", "open, flock(2), unlock, close"),
    builtIn("ofd", "open file description locks, fcntl(2)"),
    builtIn("rwlock", "pthread_rwlock in shared memory; never freed when its holder is killed"),
    builtIn(
      "rwlock-writers",
      "the same, preferring writers; never freed when its holder is killed"
    ),
    builtIn("robust-mutex", "robust pthread_mutex in shared memory; no shared mode"),
    builtIn("futex", "futex(2) in shared memory; never freed when its holder is killed"),
    Recipe(
      name: "boost-file",
      summary: "boost::interprocess::file_lock; does not exclude threads",
      source: boost,
      package: "libboost-dev",
      pairs: 5_000
    ),
    Recipe(
      name: "boost-named",
      summary: "boost named_upgradable_mutex; never freed when its holder is killed",
      source: boost,
      package: "libboost-dev",
      pairs: 5_000
    ),
    Recipe(
      name: "sqlite-immediate",
      summary: "SQLite, BEGIN IMMEDIATE; readers may run beside the writer",
      source: sqlite,
      package: "libsqlite3-dev",
      pairs: 2_000
    ),
    Recipe(
      name: "sqlite-exclusive",
      summary: "SQLite, BEGIN EXCLUSIVE and read transactions",
      source: sqlite,
      package: "libsqlite3-dev",
      pairs: 2_000
    ),
    Recipe(
      name: "qlockfile",
      summary: "Qt's QLockFile; no shared mode",
      source: .compiled(
        file: "qt_worker.cpp",
        compiler: ["c++", "-fPIC"],
        flags: [["pkg-config", "--cflags", "--libs", "Qt5Core"]]
      ),
      package: "qtbase5-dev",
      pairs: 300
    ),
    Recipe(
      name: "gnustep",
      summary: "GNUstep's NSFileCoordinator",
      source: .compiled(
        file: "gnustep_worker.m",
        compiler: ["gcc", "-std=gnu11"],
        flags: [["gnustep-config", "--objc-flags"], ["gnustep-config", "--base-libs"]]
      ),
      package: "libgnustep-base-dev gobjc",
      pairs: 5_000
    ),
    python("python-flock", "fcntl.flock of Python", module: "fcntl"),
    python("filelock", "Python filelock, polling every 50 ms; no shared mode", module: "filelock"),
    python("filelock-1ms", "Python filelock, polling every ms; no shared mode", module: "filelock"),
    python("filelock-soft", "Python filelock, SoftFileLock; no shared mode", module: "filelock"),
    python(
      "filelock-rw",
      "Python filelock, ReadWriteLock",
      module: "filelock.ReadWriteLock",
      package: "a newer filelock than Debian 12 has, from PyPI"
    ),
    python("fasteners", "Python fasteners, InterProcessLock; no shared mode", module: "fasteners"),
    python(
      "fasteners-rw",
      "Python fasteners, InterProcessReaderWriterLock",
      module: "fasteners"
    ),
    python("portalocker", "Python portalocker, polling every 250 ms", module: "portalocker"),
    python("portalocker-blocking", "Python portalocker, blocking", module: "portalocker"),
    Recipe(
      name: "flock-command",
      summary: "flock(1) of util-linux, one process per access",
      source: .command("flock"),
      package: "util-linux",
      pairs: 40
    ),
    Recipe(
      name: "filecoord-command",
      summary: "filecoord of this package, one process per access",
      source: .command("filecoord"),
      package: "swift build -c release --product filecoord",
      pairs: 20
    ),
    Recipe(
      name: "tsc-filelock",
      summary: "FileLock of swift-tools-support-core",
      source: .absent("a SwiftPM package that would have to be fetched; it is flock(2)"),
      package: "",
      pairs: 0
    ),
  ]

  private static let boost = Recipe.Source.compiled(
    file: "boost_worker.cpp",
    compiler: ["c++", "-std=c++17"],
    flags: [["echo", "-lrt"]]
  )
  private static let sqlite = Recipe.Source.compiled(
    file: "sqlite_worker.c",
    compiler: ["cc"],
    flags: [["echo", "-lsqlite3"]]
  )

  private static func builtIn(_ name: String, _ summary: String) -> Recipe {
    Recipe(name: name, summary: summary, source: .builtIn, package: "", pairs: 20_000)
  }

  private static func python(
    _ name: String,
    _ summary: String,
    module: String,
    package: String? = nil
  ) -> Recipe {
    Recipe(
      name: name,
      summary: summary,
      source: .python(module: module),
      package: package ?? (module == "fcntl" ? "python3" : "python3-\(module)"),
      pairs: 300
    )
  }
}
