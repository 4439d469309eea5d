import Foundation
import ProviderMounting

exit(MountProgram.run(Array(CommandLine.arguments.dropFirst())))
