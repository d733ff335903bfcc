import CommandOptions
import Foundation

/// Where settings come from when neither the command line nor a variable gives them.
enum SettingsOptions {
    static let file = Option<String?>.optional(
        "settings", .file(), environment: "TILL_SETTINGS",
        help: "A file of settings, a line 'name = value' each, named like the options; else till.conf in the data "
            + "directory, if it is there.")

    /// Finds the settings file of a command that takes one.
    static func lookup(_ arguments: ParsedArguments) throws -> SettingsFile? {
        guard arguments.declares(file) else { return nil }
        if let path = arguments[file] {
            guard let bytes = try contents(of: path) else {
                throw SettingsProblem(path: path, message: "there is no such file.")
            }
            return try SettingsFile(path: path, contents: bytes, reserved: [file.name])
        }
        let path = DataDirectory(arguments[DataOptions.data]).settingsPath
        guard let bytes = try contents(of: path) else { return nil }
        return try SettingsFile(path: path, contents: bytes, reserved: [file.name, DataOptions.data.name])
    }

    /// The bytes of a file, no more of them than the limit and one; nil if there is none.
    private static func contents(of path: String) throws -> [UInt8]? {
        // A pipe is refused below instead of waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsProblem(path: path, message: "this is not a file.")
        }
        var bytes = [UInt8](repeating: 0, count: SettingsLimits.fileBytes + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    private static func failure(_ path: String) -> SettingsProblem {
        SettingsProblem(path: path, message: "the file cannot be read: \(String(cString: strerror(errno))).")
    }
}
