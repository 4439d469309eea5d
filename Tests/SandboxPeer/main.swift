import Foundation
import LinuxSystem

// The programs of the tests of sandboxes. What it is stands in its first argument:
//
//   host APP CONTAINER KIND   starts `confined` in a sandbox, hands on what follows `peer `, and plays
//                             the user: `choice PATH…` is what is chosen next (KIND: portal, descriptors)
//   confined, plain           does what it is told, confined or not
//
// Lines in, lines out; it ends with its input.

switch CommandLine.arguments.dropFirst().first {
case "host": Host.run(Array(CommandLine.arguments.dropFirst(2)))
case "confined", "plain": Worker.run()
default:
  StandardError.write("sandbox-peer: what?\n")
  Environment.exit(64)
}
dispatchMain()
