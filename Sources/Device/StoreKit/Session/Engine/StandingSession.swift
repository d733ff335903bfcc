import Foundation
import StoreModel

/// The engine of the process, by the app's own profile.
enum StandingSession {
    /// What decides who answers the questions of the sandbox: `automatic`, `terminal` or `silent`.
    static let promptVariable = "STOREKIT_PROMPT"
    /// Who signs in where nobody is asked, in the sandbox.
    static let accountVariable = "STOREKIT_ACCOUNT"
    static let passwordVariable = "STOREKIT_PASSWORD"

    /// The engine; one that sells nothing where there is no profile that will do.
    static func make() -> any OriginalSession {
        do {
            return try session(of: ProfileSearch.current().profile())
        } catch {
            let reason =
                error as? ProfileError
                ?? ProfileError(.unreadable, "what StoreKit keeps cannot be opened: \(error)")
            return UnprovisionedSession(reason)
        }
    }

    private static func session(of profile: SessionProfile) throws -> DeviceSession {
        let folders = DeviceFolders.current()
        let file = DevicePreferencesFile(folders.preferencesFile)
        let settings = SessionSettings(
            profile: profile, connection: NetworkConnection(profile.content.storeUrl),
            prompt: prompt(ProcessInfo.processInfo.environment), folders: folders,
            description: DeviceDescription(
                appVersion: version, language: language, storefront: Self.storefront),
            preferences: { (try? file.read()) ?? DevicePreferences() }, wall: SystemClock.now,
            report: SessionLog.write)
        return try DeviceSession(settings)
    }

    static func prompt(_ environment: [String: String]) -> any PurchasePrompt {
        let silent = SilentPrompt(report: SessionLog.write)
        switch environment[promptVariable] {
        case "automatic":
            guard let email = environment[accountVariable], let password = environment[passwordVariable] else {
                return AutomaticPrompt()
            }
            return AutomaticPrompt(account: (email, password))
        case "silent": return silent
        default: return SystemTerminal().map { TerminalPrompt($0) } ?? silent
        }
    }

    private static var version: String {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        return version.flatMap { isPrintable($0) ? $0 : nil } ?? "1.0"
    }

    /// The language of the process as the store takes it: `en-US`.
    private static var language: String {
        let written = Locale.preferredLanguages.first ?? "en-US"
        return (try? DevicePreferences.checked(language: written.replacingOccurrences(of: "_", with: "-"))) ?? "en-US"
    }

    private static var storefront: StorefrontCode? {
        Locale.current.region.flatMap { StorefrontRecord.storefront(alpha2: $0.identifier) }.map(StorefrontCode.init)
    }

    private static func isPrintable(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
