import Foundation
import Testing

@Suite("Names of StoreModel")
struct NameTests {
    /// Top-level types of StoreKit and of its views, those of Foundation that every program meets, and the modules.
    private static let taken: Set<String> = [
        "AdvancedCommerceProduct", "AppStore", "AppTransaction", "BackingValue", "ExternalLinkAccount",
        "ExternalPurchase",
        "ExternalPurchaseCustomLink", "ExternalPurchaseLink", "InvalidRequestError", "Message", "PaymentMethodBinding",
        "Product",
        "PurchaseAction",
        "PurchaseIntent", "Storefront", "StoreKitError", "SubscriptionInfo", "SubscriptionOfferView",
        "SubscriptionStoreView",
        "StoreView", "ProductView", "Transaction", "VerificationResult", "InAppPurchaseAttribute", "StoreKit",
        "StoreModel", "Data",
        "Date", "URL", "UUID", "Locale", "Calendar", "TimeZone", "Decimal", "Measurement", "Unit", "Notification",
        "Operation",
        "Process", "Bundle", "Progress", "Thread", "Timer", "Host", "Port", "Scanner", "Formatter", "IndexPath",
        "Predicate",
    ]

    /// The names of the public types at the top level of the sources.
    private func publicTypes() throws -> [String] {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Shared/StoreModel").standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let declaration = /^public (?:final )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/
            .anchorsMatchLineEndings()
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: declaration).map { String($0.1) }
        }
    }

    @Test("No public type is named like one of StoreKit, of Foundation, or like the module")
    func noCollisions() throws {
        let names = try publicTypes()
        #expect(names.count > 50)
        #expect(Set(names).count == names.count)
        #expect(names.filter { Self.taken.contains($0) || $0.hasPrefix("SK") }.isEmpty)
    }
}
