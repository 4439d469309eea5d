// swift-tools-version: 6.2
import PackageDescription

let inotifyTools: TargetDependencyCondition? = .when(traits: ["InotifyTools"])

let package = Package(
  name: "swift-file-coordination",
  products: [
    .library(name: "FileCoordination", targets: ["FileCoordination"]),
    .library(name: "FileWatching", targets: ["FileWatching"]),
    .executable(name: "filecoord", targets: ["filecoord"]),
  ],
  traits: [
    .default(enabledTraits: ["InotifyTools"]),
    .trait(
      name: "InotifyTools",
      description: "Watch files through libinotifytools (GPL-2). Off: inotify(7) directly."
    ),
  ],
  targets: [
    // MARK: C headers
    .target(name: "CLinux"),
    .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
    .systemLibrary(
      name: "CArchive",
      pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]
    ),

    // MARK: System layer: the only targets that say `unsafe`
    .target(name: "LinuxSystem", dependencies: ["CLinux"]),
    .target(
      name: "InotifyTools",
      dependencies: ["LinuxSystem", .target(name: "CInotifyTools", condition: inotifyTools)]
    ),
    .target(name: "ZipArchive", dependencies: ["LinuxSystem", "CArchive"]),

    // MARK: Mechanisms
    .target(
      name: "FileWatching",
      dependencies: ["LinuxSystem", .target(name: "InotifyTools", condition: inotifyTools)]
    ),
    .target(name: "CoordinationRuntime", dependencies: ["LinuxSystem"]),
    .target(name: "AccessClaims", dependencies: ["CoordinationRuntime", "LinuxSystem"]),
    .target(name: "PresenterLink", dependencies: ["CoordinationRuntime", "LinuxSystem"]),

    // MARK: The library and the command
    .target(
      name: "FileCoordination",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "FileWatching", "LinuxSystem", "PresenterLink",
        "ZipArchive",
      ]
    ),
    .target(
      name: "FileCoordCommands",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "FileCoordination", "LinuxSystem", "PresenterLink",
      ]
    ),
    .executableTarget(name: "filecoord", dependencies: ["FileCoordCommands"]),

    // MARK: Tests
    .target(name: "PeerScript", path: "Tests/PeerScript"),
    .target(
      name: "TestSupport",
      dependencies: ["LinuxSystem", "PeerScript"],
      path: "Tests/TestSupport"
    ),
    .executableTarget(
      name: "coordination-peer",
      dependencies: ["CoordinationRuntime", "FileCoordination", "LinuxSystem", "PeerScript"],
      path: "Tests/CoordinationPeer"
    ),
    .executableTarget(
      name: "link-peer",
      dependencies: ["PresenterLink", "CoordinationRuntime", "LinuxSystem"],
      path: "Tests/LinkPeer"
    ),
    .testTarget(name: "LinuxSystemTests", dependencies: ["LinuxSystem", "TestSupport"]),
    .target(name: "CClash", path: "Tests/ClashingPeer"),
    // No test depends on it: what a test target depends on is linked into all tests.
    .executableTarget(
      name: "clashing-peer",
      dependencies: ["CClash", "FileWatching"],
      path: "Tests/ClashingPeerMain"
    ),
    .executableTarget(
      name: "watching-peer",
      dependencies: ["FileWatching"],
      path: "Tests/WatchingPeer"
    ),
    .testTarget(
      name: "FileWatchingTests",
      dependencies: [
        "FileWatching", "LinuxSystem", "TestSupport", "watching-peer",
        .target(name: "InotifyTools", condition: inotifyTools),
      ],
      resources: [.copy("Cases")]
    ),
    .executableTarget(
      name: "claims-peer",
      dependencies: ["AccessClaims", "CoordinationRuntime", "LinuxSystem"],
      path: "Tests/ClaimsPeer"
    ),
    .testTarget(
      name: "AccessClaimsTests",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "LinuxSystem", "TestSupport", "claims-peer",
      ]
    ),
    .testTarget(
      name: "PresenterLinkTests",
      dependencies: [
        "PresenterLink", "CoordinationRuntime", "LinuxSystem", "TestSupport", "link-peer",
      ]
    ),
    .testTarget(
      name: "FileCoordinationTests",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "FileCoordination", "LinuxSystem", "PeerScript",
        "TestSupport", "coordination-peer",
      ]
    ),
    .testTarget(
      name: "FileCoordCommandsTests",
      dependencies: [
        "CoordinationRuntime", "FileCoordCommands", "LinuxSystem", "TestSupport", "filecoord",
      ]
    ),
    .testTarget(
      name: "ZipArchiveTests",
      dependencies: ["ZipArchive", "CArchive", "LinuxSystem", "TestSupport"]
    ),
    .testTarget(name: "PublicAPITests", dependencies: ["FileCoordination", "FileWatching"]),
    .testTarget(name: "LegacyClientTests", dependencies: ["FileCoordination"]),

    .testTarget(
      name: "BenchmarkHarnessTests",
      dependencies: ["BenchmarkHarness", "LinuxSystem", "contention-benchmark"]
    ),

    // MARK: Benchmarks
    .target(
      name: "CBenchmarkFloors",
      path: "Benchmarks/Floors",
      cSettings: [.define("_GNU_SOURCE"), .headerSearchPath("../ContentionBenchmark/Peers")]
    ),
    .target(
      name: "BenchmarkHarness",
      dependencies: ["CBenchmarkFloors", "LinuxSystem"],
      path: "Benchmarks/Harness"
    ),
    .target(
      name: "BenchmarkWorkers",
      dependencies: ["BenchmarkHarness", "FileCoordination", "LinuxSystem"],
      path: "Benchmarks/Workers"
    ),
    .executableTarget(
      name: "contention-benchmark",
      dependencies: ["BenchmarkHarness", "BenchmarkWorkers", "LinuxSystem"],
      path: "Benchmarks/ContentionBenchmark",
      resources: [.copy("Peers")]
    ),
    .executableTarget(
      name: "watching-benchmark",
      dependencies: ["BenchmarkHarness", "FileCoordination", "FileWatching", "LinuxSystem"],
      path: "Benchmarks/WatchingBenchmark",
      resources: [.copy("Peers")]
    ),
    .executableTarget(
      name: "system-call-counts",
      dependencies: ["BenchmarkHarness", "BenchmarkWorkers", "LinuxSystem"],
      path: "Benchmarks/SystemCallCounts"
    ),
  ]
)

/// Targets whose job is to touch memory and C: everything unsafe in them must say so.
let systemLayer: Set<String> = ["LinuxSystem", "InotifyTools", "ZipArchive", "BenchmarkHarness"]
/// Written in C.
let inC: Set<String> = ["CLinux", "CBenchmarkFloors", "CClash"]
/// Written the way clients wrote before Swift 6; warnings are their point.
let olderSpelling: Set<String> = ["LegacyClientTests"]

for target in package.targets where target.type != .system && !inC.contains(target.name) {
  var settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if systemLayer.contains(target.name) { settings.append(.strictMemorySafety()) }
  if !olderSpelling.contains(target.name) { settings.append(.treatAllWarnings(as: .error)) }
  target.swiftSettings = settings
}
