import Foundation

/// Where the provisioning profile of an app is looked for.
package struct ProfileSearch: Sendable {
    /// The variable that names the file.
    package static let variable = "STOREKIT_PROFILE"
    /// What the names of profiles end with.
    static let ending = "tillprofile"

    private let named: String?
    private let executable: URL?
    private let resources: URL?
    private let bundle: String?

    /// - Parameters:
    ///   - named: the file that the environment names.
    ///   - executable: the program; profiles beside it are found.
    ///   - resources: the folder of the bundle's resources.
    ///   - bundle: what the app says it is, if it does.
    package init(named: String?, executable: URL?, resources: URL?, bundle: String?) {
        self.named = named
        self.executable = executable
        self.resources = resources
        self.bundle = bundle
    }

    /// The search of this process.
    package static func current() -> ProfileSearch {
        ProfileSearch(
            named: ProcessInfo.processInfo.environment[variable],
            executable: Bundle.main.executableURL?.resolvingSymlinksInPath(), resources: Bundle.main.resourceURL,
            bundle: Bundle.main.bundleIdentifier)
    }

    /// The profile: that of the variable, else one beside the executable, else one in the bundle.
    package func profile() throws -> SessionProfile {
        if let named, !named.isEmpty { return try read(URL(fileURLWithPath: named)) }
        guard let found = try besideExecutable() ?? first(in: resources) else { throw ProfileError.missing }
        return try read(found)
    }

    /// The profile that bears the executable's name, else the only one that is there.
    private func besideExecutable() throws -> URL? {
        guard let executable else { return nil }
        let own = executable.deletingPathExtension().appendingPathExtension(Self.ending)
        if FileManager.default.fileExists(atPath: own.path) { return own }
        return try first(in: executable.deletingLastPathComponent())
    }

    private func first(in folder: URL?) throws -> URL? {
        guard let folder else { return nil }
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let profiles = files.filter { $0.pathExtension == Self.ending }
        guard profiles.count <= 1 else {
            throw ProfileError(
                .unreadable,
                "there are \(profiles.count) provisioning profiles in \(folder.path); name one in \(Self.variable)")
        }
        return profiles.first
    }

    private func read(_ file: URL) throws -> SessionProfile {
        guard let data = try? Data(contentsOf: file), data.count <= SessionProfile.longestProfile else {
            throw ProfileError(.unreadable, "the provisioning profile \(file.path) cannot be read")
        }
        do {
            return try SessionProfile(String(decoding: data, as: UTF8.self), bundle: bundle)
        } catch let error as ProfileError {
            throw ProfileError(error.code, "\(error.message) (\(file.path))")
        }
    }
}

/// Why nothing can be sold: there is no provisioning profile, or none that will do.
package struct ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exact reason; more may be added.
    package struct Code: Hashable, Sendable {
        package let name: String

        package static let missing = Code(name: "no_provisioning_profile")
        package static let unreadable = Code(name: "profile_unreadable")
        package static let malformed = Code(name: "profile_malformed")
        package static let untrusted = Code(name: "profile_untrusted")
        package static let wildcard = Code(name: "profile_wildcard")
        package static let otherApp = Code(name: "profile_of_another_app")
        package static let notPrivate = Code(name: "profile_not_private")
        /// The profile is good, and what StoreKit keeps on the device cannot be opened: its disk is full, for example.
        package static let device = Code(name: "device_unusable")
    }

    package let code: Code
    /// A clause for people, safe to log.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension ProfileError {
    /// There is none.
    package static let missing = ProfileError(
        .missing,
        "there is no provisioning profile; name the file in \(ProfileSearch.variable), or put it beside the executable")
}
