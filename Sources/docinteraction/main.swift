import DocInteraction
import Foundation

exit(await DocInteractionProgram.run(Array(CommandLine.arguments.dropFirst())))
