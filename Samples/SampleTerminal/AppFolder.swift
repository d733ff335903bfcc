package import Foundation

/// Where an app of the samples keeps what is its own.
package enum AppFolder {
    /// The folder of an app in that of the user's data, as the XDG base directory specification has it. As for StoreKit, the home is
    /// that of the environment: who tries a second device with another `HOME` has both of their records there.
    package static func named(
        _ name: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        func folder(_ variable: String) -> URL? {
            environment[variable].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        }
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let data = folder("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share")
        return data.appendingPathComponent(name)
    }
}
