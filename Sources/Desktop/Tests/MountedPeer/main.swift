// The second process of the tests:
//
//   mounted-peer provide CONTROL-DIRECTORY    a provider that does what its test says
//   mounted-peer read|write PATH              a program that coordinates: says what it read, writes what
//                                             it is given, and stays in the access until its input ends
//
// In the control directory: `contents/` is what is delivered and where what was written is put, `start`
// (`start-NAME` for one item) says how, `log` takes a line per call, `gate` is a FIFO that deliveries
// that `wait` stop at.

import DocumentPicker
import FileCoordination
import Foundation

let words = CommandLine.arguments.dropFirst()
switch (words.first, words.dropFirst().first) {
case ("provide", let directory?):
  let control = Control(directory: URL(filePath: directory))
  DocumentProviderProgram.run(fileProvider: { MountedProvider(control) })
case ("read", let path?):
  try NSFileCoordinator().coordinate(readingItemAt: URL(filePath: path)) { url in
    print(try String(contentsOf: url, encoding: .utf8))
  }
case ("write", let path?):
  try NSFileCoordinator().coordinate(writingItemAt: URL(filePath: path)) { url in
    FileHandle.standardOutput.write(Data("writing\n".utf8))
    try FileHandle.standardInput.readToEnd()?.write(to: url)
  }
default: exit(64)
}
