import Foundation

/// The settings of a device for all its apps: `till device` writes them, StoreKit follows them.
///
/// ```json
/// {"language": "de-DE", "purchasesAllowed": true, "signOuts": 2}
/// ```
package struct DevicePreferences: Codable, Hashable, Sendable {
    /// Whether apps may sell anything.
    package var purchasesAllowed: Bool
    /// The language of StoreKit's own texts and of products, `en-US`; nil for that of the process.
    package var language: String?
    /// Whether apps behave as in a simulator: prices load, purchases and restores fail.
    package var isSimulator: Bool
    /// The number of sign-outs here. An app that has seen fewer signs out before its next request.
    package var signOuts: Int

    /// The most bytes of the file.
    package static let longestFile = 64 * 1024
    /// The most characters of a language.
    package static let longestLanguage = 64

    package init(
        purchasesAllowed: Bool = true, language: String? = nil, isSimulator: Bool = false, signOuts: Int = 0
    ) {
        self.purchasesAllowed = purchasesAllowed
        self.language = language
        self.isSimulator = isSimulator
        self.signOuts = signOuts
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        purchasesAllowed = try container.decodeIfPresent(Bool.self, forKey: .purchasesAllowed) ?? true
        language = try container.decodeIfPresent(String.self, forKey: .language)
        isSimulator = try container.decodeIfPresent(Bool.self, forKey: .isSimulator) ?? false
        signOuts = try container.decodeIfPresent(Int.self, forKey: .signOuts) ?? 0
        if let language { self.language = try Self.checked(language: language) }
    }

    /// A language as the store accepts it; throws the rule that it breaks.
    package static func checked(language text: String) throws(InvalidValue) -> String {
        let isWritten = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
        guard (2...longestLanguage).contains(text.utf8.count), isWritten, text.utf8.first != 0x2D else {
            throw InvalidValue(
                subject: "language", value: text, rule: "is written as in en-US: letters, digits and hyphens")
        }
        return text
    }
}

/// The file of ``DevicePreferences``. It is replaced atomically, so readers never see a part of it.
package struct DevicePreferencesFile: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The settings; the defaults if there is no file. Throws if the file is malformed.
    package func read() throws -> DevicePreferences {
        guard FileManager.default.fileExists(atPath: path) else { return DevicePreferences() }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw DevicePreferencesError("cannot be read")
        }
        guard data.count <= DevicePreferences.longestFile else {
            throw DevicePreferencesError("has more than \(DevicePreferences.longestFile) bytes")
        }
        do {
            return try JSONDecoder().decode(DevicePreferences.self, from: data)
        } catch let error as InvalidValue {
            throw DevicePreferencesError("is not as it should be: the \(error.subject) \(error.rule)")
        } catch {
            throw DevicePreferencesError("is not JSON as till device writes it")
        }
    }

    /// Writes the settings, readable for the user alone.
    package func write(_ preferences: DevicePreferences) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        var data = try encoder.encode(preferences)
        data.append(UInt8(ascii: "\n"))
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw DevicePreferencesError("cannot be written")
        }
    }
}

/// Why the settings of the device cannot be used.
package struct DevicePreferencesError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ problem: String) {
        description = "the file of the device's settings \(problem)"
    }
}

/// The folders of a device, by the XDG base directory specification.
package struct DeviceFolders: Hashable, Sendable {
    /// The settings: `~/.config/till`.
    package let settings: String
    /// The data of apps: `~/.local/share/till`.
    package let data: String

    package init(settings: String, data: String) {
        self.settings = settings
        self.data = data
    }

    /// The folders of the user of the process.
    ///
    /// - Parameters:
    ///   - environment: the variables of the process. Relative paths count as missing.
    ///   - home: the home folder, for missing variables.
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

    /// The data folder of one app.
    package func folder(of app: BundleID) -> String { data + "/apps/" + app.text }
}
