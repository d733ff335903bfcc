import Foundation
import StoreKit

/// The settings of a test session, as the configuration has them at first.
struct TestSettings: Hashable, Sendable {
    var disableDialogs = false
    var failTransactionsEnabled = false
    var failureError = SKError.Code.unknown
    var interruptedPurchasesEnabled = false
    var storefront = "USA"
    var locale = Locale(identifier: "en_US")

    /// What purchases fail with, if they are to.
    var failure: SKError.Code? { failTransactionsEnabled ? failureError : nil }

    /// The language as the store takes it: `en-US`.
    var language: String {
        let identifier = locale.identifier.split(separator: "@").first.map(String.init) ?? "en_US"
        return identifier.replacingOccurrences(of: "_", with: "-")
    }
}

extension TestSettings {
    /// What of a `.storekit` file's settings is read; what is missing or of another form is as usual.
    private struct Document: Decodable {
        var settings: Settings?
    }

    private struct Settings: Decodable {
        var values = TestSettings()

        private enum CodingKeys: String, CodingKey {
            case disableDialogs = "_disableDialogs"
            case fails = "_failTransactionsEnabled"
            case error = "_storeKitError"
            case interrupts = "_billingIssuesEnabled"
            case storefront = "_storefront"
            case locale = "_locale"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func read<Value: Decodable>(_ key: CodingKeys, _ path: WritableKeyPath<TestSettings, Value>) {
                if let value = try? container.decode(Value.self, forKey: key) { values[keyPath: path] = value }
            }
            read(.disableDialogs, \.disableDialogs)
            read(.fails, \.failTransactionsEnabled)
            read(.interrupts, \.interruptedPurchasesEnabled)
            read(.storefront, \.storefront)
            if let code = try? container.decode(Int.self, forKey: .error) {
                values.failureError = SKError.Code(rawValue: code) ?? .unknown
            }
            if let locale = try? container.decode(String.self, forKey: .locale) {
                values.locale = Locale(identifier: locale)
            }
        }
    }

    /// The settings of a file that was found to be a configuration.
    init(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        let document = try? JSONDecoder().decode(Document.self, from: Data(text))
        self = document?.settings?.values ?? TestSettings()
    }
}
