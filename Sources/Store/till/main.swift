import Foundation

exit(await TillProgram.main(CommandContext.process))
