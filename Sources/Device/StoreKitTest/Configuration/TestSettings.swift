import Foundation
import StoreCatalogue
import StoreFoundation
import StoreKit
import StoreService

/// The settings of a test session, as the configuration has them at first.
struct TestSettings: Hashable, Sendable {
    var disableDialogs = false
    var failTransactionsEnabled = false
    var failureError = SKError.Code.unknown
    var interruptedPurchasesEnabled = false
    var askToBuyEnabled = false
    var shouldEnterBillingRetryOnRenewal = false
    var billingGracePeriodIsEnabled = false
    var timeRate = SKTestSession.TimeRate.realTime
    var storefront = "USA"
    var locale = Locale(identifier: "en_US")
    /// What each call of StoreKit fails with that is to; those of purchases that ``failTransactionsEnabled`` stands for are not
    /// among them.
    private(set) var failures: [FailableCall: SimulatedFailure] = [:]
    /// What the configuration lets fail that no call is known of.
    private(set) var unknownErrors: [String] = []

    /// What a call of StoreKit fails with, if it is to.
    func failure(of call: FailableCall) -> SimulatedFailure? {
        if call == .purchase, failTransactionsEnabled { return SimulatedFailure(purchase: failureError) }
        return failures[call]
    }

    mutating func setFailure(_ failure: SimulatedFailure?, of call: FailableCall) {
        failures[call] = failure
        // The switch of old is one that the new one turns.
        if call == .purchase { failTransactionsEnabled = false }
    }

    /// Lets fail what failed in other settings.
    mutating func failAsAtFirst(_ first: TestSettings) {
        failures = first.failures
        failTransactionsEnabled = first.failTransactionsEnabled
    }

    mutating func failTransactions(_ isEnabled: Bool) {
        failTransactionsEnabled = isEnabled
        failures[.purchase] = nil
    }

    /// What payments of the original API fail with, if they are to.
    var failure: SKError.Code? {
        failTransactionsEnabled ? failureError : failures[.purchase]?.originalCode
    }

    /// The language as the store takes it: `en-US`.
    var language: String {
        let identifier = locale.identifier.split(separator: "@").first.map(String.init) ?? "en_US"
        return identifier.replacingOccurrences(of: "_", with: "-")
    }
}

extension TestSettings {
    /// What of a `.storekit` file's settings is read; what is missing or of another form is as usual.
    init(_ bytes: [UInt8]) {
        let settings = StoreKitFile.settings(bytes)
        func read<Value>(_ name: String, _ path: WritableKeyPath<TestSettings, Value>, _ value: (JSONNode) -> Value?) {
            if let value = settings[name].flatMap(value) { self[keyPath: path] = value }
        }
        read("_disableDialogs", \.disableDialogs, Self.flag)
        read("_failTransactionsEnabled", \.failTransactionsEnabled, Self.flag)
        read("_billingIssuesEnabled", \.interruptedPurchasesEnabled, Self.flag)
        read("_askToBuyEnabled", \.askToBuyEnabled, Self.flag)
        read("_renewalBillingIssuesEnabled", \.shouldEnterBillingRetryOnRenewal, Self.flag)
        read("_billingGracePeriodEnabled", \.billingGracePeriodIsEnabled, Self.flag)
        // Rates of later versions than this one come with one that older readers know.
        read("_compatibilityTimeRate", \.timeRate, Self.compatibleRate)
        read("_timeRate", \.timeRate, Self.rate)
        read("_storefront", \.storefront, Self.text)
        read("_locale", \.locale) { Self.text($0).map(Locale.init(identifier:)) }
        read("_storeKitError", \.failureError) { Self.number($0).flatMap(SKError.Code.init(rawValue:)) }
        if case .list(let entries)? = settings["_storeKitErrors"] {
            for entry in entries { readError(entry) }
        }
    }

    /// Reads what later versions of the file have in the place of the switch.
    private mutating func readError(_ node: JSONNode) {
        guard case .object(let members) = node, members["enabled"] == .flag(true),
            let name = members["name"].flatMap(Self.text)
        else { return }
        guard let call = FailableCall(rawValue: name) else { return unknownErrors.append(name) }
        let failure = SimulatedFailure(call, members["current"].flatMap(Self.failureCode))
        guard call == .purchase else {
            failures[call] = failure
            return
        }
        if failTransactionsEnabled { return }
        // What the original API has a word for is also what its switch says.
        if SimulatedFailure(purchase: failure.originalCode) == failure {
            failTransactionsEnabled = true
            failureError = failure.originalCode
        } else {
            failures[call] = failure
        }
    }

    /// How a file names an error; nil where it leaves it open.
    private static func failureCode(_ node: JSONNode) -> _SKTestFailureCode? {
        guard case .object(let members) = node, let type = members["type"].flatMap(text),
            let index = members["index"].flatMap(number)
        else { return nil }
        return _SKTestFailureCode(type: type, index: index)
    }

    private static func flag(_ node: JSONNode) -> Bool? {
        if case .flag(let flag) = node { flag } else { nil }
    }

    private static func number(_ node: JSONNode) -> Int? {
        if case .number(let text) = node { Int(text) } else { nil }
    }

    private static func rate(_ node: JSONNode) -> SKTestSession.TimeRate? {
        number(node).flatMap(SKTestSession.TimeRate.init(rawValue:))
    }

    /// Of rates by the version of the file the newest that is known; some files have a number alone.
    private static func compatibleRate(_ node: JSONNode) -> SKTestSession.TimeRate? {
        guard case .object(let members) = node else { return rate(node) }
        return members.sorted { (Int($0.key) ?? 0) > (Int($1.key) ?? 0) }.lazy.compactMap { rate($0.value) }.first
    }

    private static func text(_ node: JSONNode) -> String? {
        if case .text(let text) = node, !text.isEmpty { text } else { nil }
    }
}
