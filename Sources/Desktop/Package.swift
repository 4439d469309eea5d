// swift-tools-version: 6.2
import PackageDescription

// What needs a desktop's libraries (GTK 4, chafa) or FUSE: programs that the main package finds
// and starts where they are installed, so that nothing else needs those libraries to be built or to run.
// Only the public API of the main package is used here.

/// A product of the main package.
func ours(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-file-coordination")
}

/// Wrappers of one C library each: the only targets that say `unsafe`.
let wrappers: Set<String> = ["Fuse", "Gtk", "Chafa"]

let package = Package(
  name: "desktop",
  products: [
    .executable(name: "picture-writer", targets: ["picture-writer"])
  ],
  dependencies: [.package(name: "swift-file-coordination", path: "../..")],
  targets: [
    // MARK: FUSE: a provider's folder for programs that do not coordinate
    .systemLibrary(name: "CFuse", pkgConfig: "fuse3", providers: [.apt(["libfuse3-dev"])]),
    .target(name: "Fuse", dependencies: ["CFuse"]),
    .target(
      name: "ProviderMounting",
      dependencies: ["Fuse", ours("DocumentPicker"), ours("FileCoordination")]
    ),
    .executableTarget(name: "provider-mount", dependencies: ["ProviderMounting"]),
    .executableTarget(
      name: "mounted-peer",
      dependencies: [ours("DocumentPicker"), ours("FileCoordination")],
      path: "Tests/MountedPeer"
    ),
    .testTarget(
      name: "ProviderMountingTests",
      dependencies: ["Fuse", "ProviderMounting", "mounted-peer", "provider-mount"]
    ),

    // MARK: GTK: windows
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .target(name: "Gtk", dependencies: ["CGtk", ours("Documents")]),
    .target(
      name: "DesktopWindows",
      dependencies: [
        "Gtk", ours("DocumentInteraction"), ours("DocumentPicker"), ours("FileCoordination"),
      ]
    ),
    .executableTarget(
      name: "preview-window",
      dependencies: ["DesktopWindows", "Gtk", ours("preview-decoder")]
    ),
    .executableTarget(
      name: "docinteraction-window",
      dependencies: [
        "DesktopWindows", "Gtk", ours("DocInteractionModel"), ours("preview-decoder"),
      ]
    ),
    .testTarget(
      name: "WindowTests",
      dependencies: [
        "docinteraction-window", "preview-window", ours("docinteraction"), ours("filecoord"),
      ]
    ),

    // MARK: chafa: pictures in a terminal
    .systemLibrary(
      name: "CChafa",
      path: "Sources/CChafa",
      pkgConfig: "chafa",
      providers: [.apt(["libchafa-dev"])]
    ),
    .target(name: "Chafa", dependencies: ["CChafa"]),
    .executableTarget(name: "picture-writer", dependencies: ["Chafa"]),
    .testTarget(name: "ChafaTests", dependencies: ["Chafa", "picture-writer"]),
  ]
)

for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if wrappers.contains(target.name) { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
