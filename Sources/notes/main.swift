import Foundation
import NotesEditor

exit(NotesProgram.run(Array(CommandLine.arguments.dropFirst())))
