import FileCoordCommands

runFileCoord()
