import Foundation

/// What a started store says on standard output.
struct Announcement: Sendable {
    let production: String
    let sandbox: String
    let dataDirectory: String
    let database: String
    let process: Int32

    /// The line that scripts wait for; its members and their order do not change.
    var json: String {
        #"{"event":"ready","production":"\#(production)","sandbox":"\#(sandbox)","pid":\#(process)}"#
    }

    /// A few lines for the person who started it.
    var banner: String {
        """
        Till \(TillProgram.version) is ready.

          Production  \(production)
          Sandbox     \(sandbox)
          Data        \(dataDirectory) (\(database))

        Stop it with Ctrl-C. Is all well? till doctor --data \(dataDirectory)
        """
    }
}
