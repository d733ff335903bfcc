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
    /// The names of what the configuration lets fail.
    var simulatedErrors: [String] = []

    /// The error that a call of StoreKit 2 fails with, if it is to.
    func simulatedFailure(of call: FailableCall) -> (any Error)? { nil }

    /// What purchases fail with, if they are to.
    var failure: SKError.Code? { failTransactionsEnabled ? failureError : nil }

    /// Whether requests for products fail.
    var loadProductsFails: Bool { simulatedErrors.contains(Self.loadProducts) }

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
        read("_storeKitErrors", \.simulatedErrors) { node in
            guard case .list(let entries) = node else { return nil }
            return entries.compactMap(Self.enabledError)
        }
        // In later versions of the file this takes the place of the switch.
        if simulatedErrors.contains(Self.purchase), !failTransactionsEnabled {
            failTransactionsEnabled = true
            failureError = .unknown
        }
    }

    /// The name by which a file lets requests for products fail.
    static let loadProducts = "Load Products"
    /// The name by which it lets payments fail.
    static let purchase = "Purchase"

    /// What the file lets fail of which no session knows yet how.
    var unknownErrors: [String] { simulatedErrors.filter { ![Self.loadProducts, Self.purchase].contains($0) } }

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

    private static func enabledError(_ node: JSONNode) -> String? {
        guard case .object(let members) = node, members["enabled"] == .flag(true) else { return nil }
        return members["name"].flatMap(text)
    }
}
