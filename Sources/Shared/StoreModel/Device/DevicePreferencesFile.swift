import Foundation

/// The file of ``DevicePreferences``. It is replaced whole, so that who reads it never sees half of it.
package struct DevicePreferencesFile: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// What is set; the usual where there is no file. Throws where there is one that cannot be understood.
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

    /// Keeps what is set, readable for the person alone.
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
