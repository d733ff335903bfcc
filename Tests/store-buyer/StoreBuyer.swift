import Foundation
import StoreHTTPClient
import StoreKit
import StoreModel

/// An app that buys with the original API, and that a test kills at any of its steps.
///
/// Its engine is that of every app but for two places that tell of each step: the journal's observer and the connection.
@MainActor
enum StoreBuyer {
    private static let usage = "usage: store-buyer DELIVERIES COUNT PRODUCT"
    /// The step at which the process kills itself; none without it.
    private static let killVariable = "STORE_BUYER_KILL"
    /// The time on the wall, in milliseconds.
    private static let timeVariable = "STORE_BUYER_TIME"
    private static var app: DeliveringApp?

    /// - Parameter words: the file of what was delivered, how many are bought, and of what.
    static func start(_ words: [String]) throws {
        guard words.count == 3, let count = Int(words[1]) else {
            throw ProfileError(.malformed, usage)
        }
        let variables = ProcessInfo.processInfo.environment
        let steps = BuyerSteps(last: variables[killVariable].flatMap { Int($0) })
        endWithInput()
        CurrentSession.activate(try DeviceSession(settings(variables, steps)))
        let app = DeliveringApp(words[0], steps)
        Self.app = app
        SKPaymentQueue.default().add(app)
        for _ in 0..<count {
            let payment = SKMutablePayment()
            payment.productIdentifier = words[2]
            SKPaymentQueue.default().add(payment)
            steps.take("added")
        }
    }

    private static func settings(_ variables: [String: String], _ steps: BuyerSteps) throws -> SessionSettings {
        let profile = try ProfileSearch.current().profile()
        let account = (variables["STOREKIT_ACCOUNT"] ?? "", variables["STOREKIT_PASSWORD"] ?? "")
        let time = Instant(millisecondsSinceEpoch: variables[timeVariable].flatMap { Int64($0) } ?? 0)
        var settings = SessionSettings(
            profile: profile,
            connection: SteppingConnection(inner: NetworkConnection(profile.content.storeUrl), steps: steps),
            prompt: AutomaticPrompt(account: account), folders: .current(),
            description: DeviceDescription(appVersion: "1.0", language: "en-US"),
            preferences: { DevicePreferences() }, wall: { time }, report: SessionLog.write)
        settings.journalObserver = { steps.take("journal " + ($0.split(separator: "\n").first ?? "")) }
        settings.retries.firstDelay = .milliseconds(10)
        return settings
    }

    /// Ends the process when whoever started it closes its standard input.
    private static func endWithInput() {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            exit(0)
        }
    }
}
