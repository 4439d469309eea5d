// swift-tools-version: 6.2
import PackageDescription

let inotifyTools: TargetDependencyCondition? = .when(traits: ["InotifyTools"])

let package = Package(
  name: "swift-file-coordination",
  products: [
    .library(name: "FileCoordination", targets: ["FileCoordination"]),
    .library(name: "DocumentTypes", targets: ["DocumentTypes"]),
    .library(name: "Documents", targets: ["Documents"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "DocumentPicker", targets: ["DocumentPicker"]),
    .library(name: "FileProvider", targets: ["FileProvider"]),
    .library(name: "PortalPicker", targets: ["PortalPicker"]),
    .library(name: "FileWatching", targets: ["FileWatching"]),
    .library(name: "DocumentInteraction", targets: ["DocumentInteraction"]),
    .library(name: "DocInteractionModel", targets: ["DocInteractionModel"]),
    .executable(name: "docinteraction", targets: ["docinteraction"]),
    .executable(name: "preview-decoder", targets: ["preview-decoder"]),
    .library(name: "Sandboxing", targets: ["Sandboxing"]),
    .library(name: "DocumentSource", targets: ["DocumentSource"]),
    .executable(name: "filecoord", targets: ["filecoord"]),
    .executable(name: "notes", targets: ["notes"]),
    .executable(name: "notes-provider", targets: ["notes-provider"]),
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
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CGLib",
      pkgConfig: "glib-2.0",
      providers: [.apt(["libglib2.0-dev"])]
    ),

    // MARK: System layer: the only targets that say `unsafe`
    .target(name: "LinuxSystem", dependencies: ["CLinux"]),
    .target(
      name: "InotifyTools",
      dependencies: ["LinuxSystem", .target(name: "CInotifyTools", condition: inotifyTools)]
    ),
    .target(name: "ZipArchive", dependencies: ["LinuxSystem", "CArchive"]),
    .target(name: "Digests", dependencies: ["CGLib"]),
    .target(name: "SQLiteIndex", dependencies: ["CSQLite", "LinuxSystem"]),

    // MARK: Mechanisms
    .target(name: "SafeSaving", dependencies: ["CoordinationRuntime", "LinuxSystem"]),
    .target(
      name: "VersionStore",
      dependencies: ["CoordinationRuntime", "LinuxSystem", "SQLiteIndex"]
    ),
    .target(
      name: "FileWatching",
      dependencies: ["LinuxSystem", .target(name: "InotifyTools", condition: inotifyTools)]
    ),
    .target(name: "CoordinationRuntime", dependencies: ["LinuxSystem"]),
    .target(name: "AccessClaims", dependencies: ["CoordinationRuntime", "LinuxSystem"]),
    .target(name: "PresenterLink", dependencies: ["CoordinationRuntime", "LinuxSystem"]),

    .target(name: "ProviderLink", dependencies: ["CoordinationRuntime", "LinuxSystem"]),

    // MARK: The library and the command
    .target(
      name: "FileCoordination",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "Digests", "FileWatching", "LinuxSystem",
        "PresenterLink",
        "ProviderLink", "SafeSaving", "VersionStore", "ZipArchive",
      ]
    ),
    .target(name: "DocumentTypes", dependencies: ["LinuxSystem"]),
    .target(
      name: "Documents",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "DocumentTypes", "FileCoordination", "FileWatching",
        "LinuxSystem", "SafeSaving", "VersionStore",
      ]
    ),
    .target(
      name: "UIKit",
      dependencies: [
        "DocumentInteraction", "DocumentPicker", "DocumentTypes", "Documents", "FileCoordination",
        "_Testing_UIKit",
      ]
    ),
    .target(
      name: "DocumentPicker",
      dependencies: [
        "CoordinationRuntime", "DocumentTypes", "FileCoordination", "LinuxSystem", "PropertyLists",
        "ProviderLink", "SafeSaving",
      ]
    ),
    .target(name: "FileProvider", dependencies: ["DocumentPicker"]),
    .target(
      name: "TerminalPicker",
      dependencies: ["DocumentPicker", "DocumentTypes", "LinuxSystem", "TerminalScreen"]
    ),
    .target(
      name: "NotesProvider",
      dependencies: ["DocumentPicker", "FileCoordination", "FileProvider", "LinuxSystem"]
    ),
    .executableTarget(name: "notes-provider", dependencies: ["NotesProvider"]),
    .target(name: "_Testing_UIKit", path: "Sources/TestingUIKitOverlay"),
    .systemLibrary(
      name: "CNcurses",
      pkgConfig: "ncursesw",
      providers: [.apt(["libncurses-dev"])]
    ),
    .target(name: "TerminalScreen", dependencies: ["CNcurses"]),
    .target(
      name: "NotesEditor",
      dependencies: [
        "DocumentPicker", "Documents", "FileCoordination", "LinuxSystem", "TerminalPicker",
        "TerminalScreen",
      ]
    ),
    .executableTarget(name: "notes", dependencies: ["NotesEditor"]),
    .target(
      name: "FileCoordCommands",
      dependencies: [
        "AccessClaims", "CoordinationRuntime", "DesktopPrograms", "DocumentInteraction",
        "DocumentPicker", "DocumentTypes", "Documents", "FileCoordination", "LinuxSystem",
        "PortalPicker", "PresenterLink", "ProviderLink", "SafeSaving", "SourceAttribute",
        "TerminalPicker", "VersionStore",
      ]
    ),
    .executableTarget(name: "filecoord", dependencies: ["FileCoordCommands"]),

    // MARK: Portals, sandboxes, x-document-source
    .systemLibrary(
      name: "CGIO",
      pkgConfig: "gio-unix-2.0",
      providers: [.apt(["libglib2.0-dev"])]
    ),
    .systemLibrary(
      name: "CGdkPixbuf",
      pkgConfig: "gdk-pixbuf-2.0",
      providers: [.apt(["libgdk-pixbuf-2.0-dev"])]
    ),
    .target(name: "SessionBus", dependencies: ["CGIO", "LinuxSystem"]),
    .target(name: "DesktopPortal", dependencies: ["LinuxSystem", "SessionBus"]),
    .target(
      name: "PortalPicker",
      dependencies: [
        "DesktopPortal", "DocumentPicker", "DocumentTypes", "FileCoordination", "LinuxSystem",
        "SessionBus",
      ]
    ),
    .target(
      name: "Sandboxing",
      dependencies: [
        "CoordinationRuntime", "DesktopPortal", "FileCoordination", "LinuxSystem", "SessionBus",
      ]
    ),
    .target(name: "PropertyLists"),
    .target(name: "SourceAttribute", dependencies: ["LinuxSystem", "PropertyLists"]),
    .target(name: "IconRendering", dependencies: ["CGdkPixbuf"]),
    .target(
      name: "DocumentSource",
      dependencies: ["IconRendering", "LinuxSystem", "SourceAttribute"]
    ),

    // MARK: Previewing and opening files
    .target(name: "DesktopPrograms", dependencies: ["CGIO", "LinuxSystem"]),
    .target(name: "DesktopFiles", dependencies: ["Digests", "LinuxSystem"]),
    .executableTarget(name: "preview-decoder", dependencies: ["CGdkPixbuf"]),
    .target(
      name: "DocumentInteraction",
      dependencies: [
        "DesktopFiles", "DesktopPortal", "DesktopPrograms", "DocumentPicker", "DocumentTypes",
        "FileCoordination", "LinuxSystem", "PropertyLists", "SessionBus",
      ]
    ),
    .target(
      name: "DocInteractionModel",
      dependencies: [
        "DesktopPrograms", "DocumentInteraction", "DocumentPicker", "FileCoordination",
        "LinuxSystem",
      ]
    ),
    .target(
      name: "DocInteraction",
      dependencies: [
        "DesktopPrograms", "DocInteractionModel", "DocumentInteraction", "FileCoordination",
        "LinuxSystem", "TerminalScreen",
      ]
    ),
    .executableTarget(name: "docinteraction", dependencies: ["DocInteraction"]),

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
    .target(name: "GLibLoop", dependencies: ["CGLib"], path: "Tests/GLibLoop"),
    .executableTarget(
      name: "undo-loops",
      dependencies: ["Documents", "GLibLoop", "LinuxSystem"],
      path: "Tests/UndoLoops"
    ),
    .executableTarget(
      name: "undo-async-main",
      dependencies: ["Documents"],
      path: "Tests/UndoAsyncMain"
    ),
    .testTarget(
      name: "NotesEditorTests",
      dependencies: ["LinuxSystem", "NotesEditor", "TerminalScreen", "TestSupport", "notes"]
    ),
    .testTarget(name: "DocumentTypesTests", dependencies: ["DocumentTypes"]),
    .testTarget(name: "UIKitTests", dependencies: ["UIKit"]),
    .executableTarget(
      name: "document-peer",
      dependencies: ["Documents", "GLibLoop", "LinuxSystem"],
      path: "Tests/DocumentPeer"
    ),
    .testTarget(
      name: "DocumentsTests",
      dependencies: [
        "CoordinationRuntime", "Digests", "Documents", "FileCoordination", "LinuxSystem",
        "SafeSaving", "TestSupport", "VersionStore", "document-peer", "undo-async-main",
        "undo-loops",
      ]
    ),
    .executableTarget(
      name: "provider-peer",
      dependencies: ["DocumentPicker", "FileCoordination", "LinuxSystem"],
      path: "Tests/ProviderPeer"
    ),
    .executableTarget(
      name: "picker-peer",
      dependencies: [
        "DocumentPicker", "DocumentTypes", "Documents", "FileCoordination", "LinuxSystem",
      ],
      path: "Tests/PickerPeer"
    ),
    .executableTarget(
      name: "seed-provider",
      dependencies: ["DocumentPicker", "FileCoordination"],
      path: "Tests/SeedProvider"
    ),
    .testTarget(
      name: "DocumentPickerTests",
      dependencies: [
        "DocumentPicker", "DocumentTypes", "FileCoordination", "LinuxSystem", "PeerScript",
        "ProviderLink", "TestSupport", "coordination-peer", "filecoord", "notes",
        "notes-provider", "picker-peer", "provider-peer", "seed-provider",
      ]
    ),
    .testTarget(
      name: "FileCoordCommandsTests",
      dependencies: [
        "CoordinationRuntime", "FileCoordCommands", "LinuxSystem", "TestSupport", "VersionStore",
        "filecoord",
      ]
    ),
    .testTarget(
      name: "ZipArchiveTests",
      dependencies: ["ZipArchive", "CArchive", "LinuxSystem", "TestSupport"]
    ),
    .executableTarget(
      name: "sandbox-peer",
      dependencies: ["Documents", "FileCoordination", "LinuxSystem", "Sandboxing"],
      path: "Tests/SandboxPeer"
    ),
    .testTarget(
      name: "SandboxingTests",
      dependencies: ["LinuxSystem", "Sandboxing", "TestSupport", "sandbox-peer"]
    ),
    .testTarget(
      name: "DocumentSourceTests",
      dependencies: [
        "DocumentSource", "IconRendering", "LinuxSystem", "SourceAttribute", "TestSupport",
      ]
    ),
    .executableTarget(name: "portal-mock", dependencies: ["CGIO"], path: "Tests/PortalMock"),
    .testTarget(
      name: "DesktopPortalTests",
      dependencies: [
        "DesktopPortal", "DocumentTypes", "LinuxSystem", "PortalPicker", "SessionBus",
        "TestSupport", "filecoord", "portal-mock",
      ]
    ),
    .executableTarget(
      name: "interaction-peer",
      dependencies: ["DocumentInteraction", "FileCoordination"],
      path: "Tests/InteractionPeer"
    ),
    .testTarget(
      name: "DocumentInteractionTests",
      dependencies: [
        "DesktopFiles", "DesktopPrograms", "Digests", "DocumentInteraction", "DocumentPicker",
        "FileCoordination", "LinuxSystem", "TestSupport", "docinteraction", "filecoord",
        "interaction-peer", "portal-mock", "preview-decoder",
      ]
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
      name: "documents-benchmark",
      dependencies: ["BenchmarkHarness", "Documents", "LinuxSystem"],
      path: "Benchmarks/DocumentsBenchmark"
    ),
    .executableTarget(
      name: "access-benchmark",
      dependencies: [
        "BenchmarkHarness", "DesktopPortal", "DocumentPicker", "FileCoordination", "LinuxSystem",
        "SessionBus", "portal-mock",
      ],
      path: "Benchmarks/AccessBenchmark"
    ),
    .executableTarget(
      name: "interaction-benchmark",
      dependencies: [
        "BenchmarkHarness", "CGIO", "DesktopFiles", "DesktopPrograms", "LinuxSystem",
      ],
      path: "Benchmarks/InteractionBenchmark"
    ),
    .executableTarget(
      name: "watching-benchmark",
      dependencies: [
        "BenchmarkHarness", "CoordinationRuntime", "FileCoordination", "FileWatching",
        "LinuxSystem",
      ],
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
let systemLayer: Set<String> = [
  "LinuxSystem", "Digests", "InotifyTools", "SQLiteIndex", "TerminalScreen", "ZipArchive",
  "BenchmarkHarness", "SessionBus", "IconRendering", "DesktopPrograms",
]
/// Written in C.
let inC: Set<String> = [
  "CLinux", "CBenchmarkFloors", "CClash", "portal-mock", "preview-decoder",
]
/// Written the way clients wrote before Swift 6; warnings are their point.
let olderSpelling: Set<String> = ["LegacyClientTests", "seed-provider"]

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

// ONLY="SomeTests OtherTests": a build of these targets and what they need. CI's builds with the
// sanitizer and with seeded faults need no documents.
if let only = Context.environment["ONLY"] {
  var kept: Set<String> = []
  var next = only.split(separator: " ").map(String.init)
  while let name = next.popLast() {
    guard kept.insert(name).inserted,
      let target = package.targets.first(where: { $0.name == name })
    else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): next.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let targets =
      (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets
    return targets?.contains { !kept.contains($0) } ?? true
  }
}
