import Foundation

exit(TillProgram.main(CommandContext.process))
