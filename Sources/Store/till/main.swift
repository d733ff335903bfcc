import Foundation

StandardStream.complete()
exit(await TillProgram.main(CommandContext.process))
