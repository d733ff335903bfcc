import Foundation
import StoreHTTPClient
import StoreKit
import StoreModel

/// An app that buys, and that a test kills at any of its steps: with the original API, with both, or with
/// `PurchaseFulfilment`.
///
/// Its engine is that of every app but for two places that tell of each step: the journal's observer and the connection.
@MainActor
enum StoreBuyer {
    private static let usage =
        """
        usage: store-buyer DELIVERIES COUNT PRODUCT
               store-buyer mixed RECORD PLAN PRODUCT PROCESS
               store-buyer fulfil GOODS COUNT PRODUCT
        """
    /// The step at which the process kills itself; none without it.
    private static let killVariable = "STORE_BUYER_KILL"
    /// The name of the step from which they are counted.
    private static let countVariable = "STORE_BUYER_COUNT_FROM"
    /// The time on the wall, in milliseconds.
    private static let timeVariable = "STORE_BUYER_TIME"
    private static var app: NSObject?

    /// - Parameter words: the file of what was delivered, how many are bought, and of what; or a word before them that
    ///   says by which API.
    static func start(_ words: [String]) throws {
        let variables = ProcessInfo.processInfo.environment
        let steps = BuyerSteps(
            last: variables[killVariable].flatMap { Int($0) }, countedFrom: variables[countVariable])
        switch (words.first, words.count) {
        case ("mixed", 5):
            guard let process = Int(words[4]) else { throw ProfileError(.malformed, usage) }
            try beginSession(variables, steps)
            answerInput { waiting }
            let app = MixedApp(try DeliveryRecord(words[1]), steps, buying: words[3], as: process)
            Self.app = app
            app.start(words[2])
        case ("fulfil", 4):
            guard let count = Int(words[2]) else { throw ProfileError(.malformed, usage) }
            try beginSession(variables, steps)
            let fulfilment = try FulfillingApp.open(words[1], steps)
            answerInput { waiting + "\n" + FulfillingApp.text(fulfilment) }
            FulfillingApp.start(fulfilment, buying: count, of: words[3], steps)
        default:
            guard words.count == 3, let count = Int(words[1]) else { throw ProfileError(.malformed, usage) }
            answerInput { "" }
            try beginSession(variables, steps)
            buy(count, of: words[2], to: words[0], steps)
        }
    }

    private static func beginSession(_ variables: [String: String], _ steps: BuyerSteps) throws {
        CurrentSession.activate(try DeviceSession(settings(variables, steps)))
    }

    private static func buy(_ count: Int, of product: String, to file: String, _ steps: BuyerSteps) {
        let app = DeliveringApp(file, steps)
        Self.app = app
        SKPaymentQueue.default().add(app)
        for _ in 0..<count {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
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

    /// How many payments and transactions are not over, those too that no queue lists.
    private nonisolated static var waiting: String { "waiting \(CurrentSession.session.entries.count)" }

    /// Answers whatever comes by standard input, and ends the process when whoever started it closes that.
    private static func answerInput(_ answer: @escaping @Sendable () -> String) {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {
                FileHandle.standardOutput.write(Data("\(answer())\n".utf8))
            }
            exit(0)
        }
    }
}
