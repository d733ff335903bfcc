import Foundation
import StoreSigning

OpenSSLProcess.leaveWholeAtExit()
StandardStream.complete()
exit(await TillProgram.main(CommandContext.process))
