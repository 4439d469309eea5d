// A provider that does what its test says: `provider-peer CONTROL-DIRECTORY`.
//
// In the control directory: `contents/` is what it delivers, `start` says how, `confirm` what its
// picker hands over, `log` takes a line per call, `gate` is a FIFO that a delivery may wait at.

import DocumentPicker
import LinuxSystem

let control = Control(
  directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/nonexistent")
)
let own = ProcessIdentity.current
control.log("process \(own.pid) \(own.started)")
DocumentProviderProgram.run(
  picker: { PeerPicker(control) },
  fileProvider: { PeerProvider(control) }
)
