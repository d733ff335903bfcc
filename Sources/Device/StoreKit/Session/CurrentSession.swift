import Foundation
package import StoreFoundation
package import StoreModel
import Synchronization

/// Which engine serves the original API.
package enum CurrentSession {
    /// The engine of the current task alone; tests that run side by side have one each.
    @TaskLocal package static var own: SessionContext?

    /// The engine of the current task, else the one of the process.
    package static var session: any OriginalSession { own?.session ?? shared }

    /// The engine of the process: the last one that was activated, else the one of the app's profile.
    package static var shared: any OriginalSession {
        state.withLock { state in
            if let session = state.activated.last { return session }
            if let session = state.ofProfile { return session }
            let session = ProfileSession.make()
            state.ofProfile = session
            return session
        }
    }

    /// The words of StoreKit, of which an app may ask before there is an engine.
    package static var texts: Texts { made?.texts ?? ProfileSession.texts }

    /// Whether the device behaves as a simulator, of which an app may ask before there is an engine.
    static var isSimulator: Bool { made?.isSimulator ?? ProfileSession.preferences.isSimulator }

    private static var made: (any OriginalSession)? {
        own?.session ?? state.withLock { $0.activated.last ?? $0.ofProfile }
    }

    /// Puts an engine before all others, until it is deactivated.
    package static func activate(_ session: any OriginalSession) {
        changing.withLock {
            state.withLock { state in
                state.activated.removeAll { $0 === session }
                state.activated.append(session)
            }
            SKPaymentQueue.shared.delivery.serve(shared)
            TransactionDelivery.shared.serve(shared)
        }
    }

    /// Gives way to the engine that was activated before, or to the one of the app's profile.
    package static func deactivate(_ session: any OriginalSession) {
        changing.withLock {
            state.withLock { state in state.activated.removeAll { $0 === session } }
            SKPaymentQueue.shared.delivery.serve(shared)
            TransactionDelivery.shared.serve(shared)
        }
    }

    /// Puts an engine in the place of another, as a new process of the app does. The observers of the queue are gone then, if
    /// it was the former one that the process talked to.
    package static func replace(_ former: any OriginalSession, with session: any OriginalSession) {
        changing.withLock {
            let wasShared = state.withLock { state in
                let wasShared = state.activated.last === former
                state.activated = state.activated.map { $0 === former ? session : $0 }
                return wasShared
            }
            if wasShared {
                SKPaymentQueue.shared.delivery.relaunch(with: session)
                TransactionDelivery.shared.relaunch(with: session)
            }
        }
    }

    private struct State {
        var activated: [any OriginalSession] = []
        var ofProfile: (any OriginalSession)?
    }

    private static let state = Mutex(State())
    /// Held until the queue of the process has followed, so that of two changes the last one counts for both.
    private static let changing = NSRecursiveLock()
}

/// An engine together with the payment queue that serves it, for a test of its own.
package final class SessionContext: Sendable {
    package let queue: SKPaymentQueue
    /// What tells the sequences of the modern API.
    let transactions: TransactionDelivery
    private let current: Mutex<any OriginalSession>

    package var session: any OriginalSession { current.withLock { $0 } }

    /// - Parameter now: the clock by which the queue tells of downloads.
    package init(_ session: any OriginalSession, now: @escaping @Sendable () -> Instant = SystemClock.now) {
        current = Mutex(session)
        queue = SKPaymentQueue(serving: session, now: now)
        transactions = TransactionDelivery(session)
        queue.delivery.serve(self)
    }

    /// Goes over to another engine, as a new process of the app does: without observers.
    package func relaunch(with session: any OriginalSession) {
        current.withLock { $0 = session }
        queue.delivery.relaunch(with: session)
        transactions.relaunch(with: session)
    }
}

/// Makes the engine of the process, by the app's own profile.
enum ProfileSession {
    /// What decides how the questions of the sandbox are answered: `automatic`, `terminal`, `browser` or `silent`.
    static let promptVariable = "STOREKIT_PROMPT"
    /// The account that signs in without a question, in the sandbox.
    static let accountVariable = "STOREKIT_ACCOUNT"
    static let passwordVariable = "STOREKIT_PASSWORD"

    /// What lets the content of finished transactions go at once if it is `purge`: an app that reads it too late then fails in a
    /// test and not with its customers.
    static let contentVariable = "STOREKIT_CONTENT"

    /// The engine; one that sells nothing where there is no profile that will do.
    static func make() -> any OriginalSession {
        do {
            return try session(of: ProfileSearch.current().profile())
        } catch {
            let reason =
                error as? ProfileError
                ?? ProfileError(.device, "what StoreKit keeps cannot be opened: \(error)")
            return UnprovisionedSession(reason)
        }
    }

    private static func session(of profile: SessionProfile) throws -> DeviceSession {
        let folders = DeviceFolders.current()
        var settings = SessionSettings(
            profile: profile, connection: NetworkConnection(profile.content.storeUrl),
            prompt: prompt(ProcessInfo.processInfo.environment), folders: folders,
            description: DeviceDescription(
                appVersion: version, language: language, storefront: Self.storefront),
            preferences: { preferences }, wall: SystemClock.now,
            report: SessionLog.write)
        settings.openPage = openPage(ProcessInfo.processInfo.environment)
        settings.purgesAtOnce = ProcessInfo.processInfo.environment[contentVariable] == "purge"
        return try DeviceSession(settings)
    }

    /// What the person has set on the device.
    static var preferences: DevicePreferences {
        (try? DevicePreferencesFile(DeviceFolders.current().preferencesFile).read()) ?? DevicePreferences()
    }

    /// The words of StoreKit, in the language of the device.
    static var texts: Texts { Texts.best(for: [preferences.language ?? language]) }

    static func prompt(_ environment: [String: String]) -> any PurchasePrompt {
        let silent = SilentPrompt(report: SessionLog.write)
        switch environment[promptVariable] {
        case "automatic":
            guard let email = environment[accountVariable], let password = environment[passwordVariable] else {
                return AutomaticPrompt()
            }
            return AutomaticPrompt(account: (email, password))
        case "silent": return silent
        case "browser":
            let terminal = SystemTerminal()
            return BrowserPrompt(terminal: terminal, other: terminal.map { TerminalPrompt($0) } ?? silent)
        default: return SystemTerminal().map { TerminalPrompt($0) } ?? silent
        }
    }

    /// How pages of the store are opened: in the browser where there is a screen for it, unless questions are answered without.
    static func openPage(_ environment: [String: String]) -> (@Sendable (String) -> Bool)? {
        switch environment[promptVariable] {
        case "automatic", "terminal", "silent": nil
        case "browser": BrowserPrompt.show
        default:
            ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { environment[$0]?.isEmpty == false }
                ? BrowserPrompt.show : nil
        }
    }

    private static var version: String {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        return version.flatMap { isPrintable($0) ? $0 : nil } ?? "1.0"
    }

    /// The language of the process as the store takes it: `en-US`.
    private static var language: String {
        // On Linux a Locale knows nothing of the variables.
        let asked = Texts.languages(ProcessInfo.processInfo.environment) + Locale.preferredLanguages
        return asked.lazy.compactMap { written in
            let tag = written.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
            return try? DevicePreferences.checked(language: String(tag))
        }.first ?? "en-US"
    }

    private static var storefront: StorefrontCode? {
        Locale.current.region.flatMap { StorefrontRecord.storefront(alpha2: $0.identifier) }.map(StorefrontCode.init)
    }

    private static func isPrintable(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
