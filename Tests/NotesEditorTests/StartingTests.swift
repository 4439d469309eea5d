import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Editors that do the same thing at the same moment.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct StartingTests {
  @Test func `four editors that open one file at once do not wait for each other`() async throws {
    let world = try World { File("f.txt", "text\n") }
    let editors = try (0..<4).map { _ in
      try Terminal(
        World.product("notes"),
        [world.path("f.txt")],
        environment: [
          "FILE_COORDINATION_DIR": world.runtime.description,
          "XDG_DATA_HOME": world.path("data"),
          "LANG": "C.UTF-8",
        ]
      )
    }
    for editor in editors { try await editor.shows("f.txt — saved") }
    // And all of them read what a stranger writes.
    try world.put("f.txt", "theirs\n")
    for editor in editors { try await editor.shows("theirs") }
    for editor in editors { try await editor.shows("f.txt — saved") }
  }
}
