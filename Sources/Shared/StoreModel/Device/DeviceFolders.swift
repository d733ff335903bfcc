import Foundation

/// Where a device keeps what is the device's own, as the XDG base directory specification says.
package struct DeviceFolders: Hashable, Sendable {
    /// What a person sets: `~/.config/till`.
    package let settings: String
    /// What apps keep: `~/.local/share/till`.
    package let data: String

    package init(settings: String, data: String) {
        self.settings = settings
        self.data = data
    }

    /// The folders of whoever runs the process.
    ///
    /// - Parameters:
    ///   - environment: the variables of the process. What is not an absolute path counts as missing.
    ///   - home: the person's folder, for what the variables do not say.
    package init(environment: [String: String], home: String) {
        func folder(_ variable: String, _ usual: String) -> String {
            let set = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (set ?? home + "/" + usual) + "/till"
        }
        self.init(
            settings: folder("XDG_CONFIG_HOME", ".config"), data: folder("XDG_DATA_HOME", ".local/share"))
    }

    /// The folders of this process.
    package static func current() -> DeviceFolders {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return DeviceFolders(environment: environment, home: home ?? NSHomeDirectory())
    }

    /// The file of ``DevicePreferences``.
    package var preferencesFile: String { settings + "/device.json" }

    /// What one app keeps.
    package func folder(of app: BundleID) -> String { data + "/apps/" + app.text }
}
