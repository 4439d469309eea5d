import NotesProvider

NotesProviderProgram.run(Array(CommandLine.arguments.dropFirst()))
