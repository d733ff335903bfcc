import Foundation
import Testing

/// The table of parity is what the sources say.
@Suite("Parity with Apple's StoreKit")
struct ParityTests {
    let root: URL
    let scan: DeclarationScan
    let modern: DeclarationScan
    let testing: DeclarationScan

    init() throws {
        root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        scan = try DeclarationScan(
            sources: root.appending(path: "Sources/Device/StoreKit/Original"),
            header: root.appending(path: "Sources/System/CStoreKit/include/StoreKitEnumerations.h"))
        modern = try DeclarationScan(sources: root.appending(path: "Sources/Device/StoreKit/Modern"), header: nil)
        testing = try DeclarationScan(sources: root.appending(path: "Sources/Device/StoreKitTest"), header: nil)
    }

    @Test("X1: the table of parity is up to date")
    func upToDate() throws {
        let page = root.appending(path: "Documentation/StoreKitParity.md")
        let made = ParityTable(
            declarations: scan.declarations, modern: modern.declarations, testing: testing.declarations
        ).markdown
        if ProcessInfo.processInfo.environment["TILL_WRITE_PARITY"] == "1" {
            try made.write(to: page, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let lines = made.split(separator: "\n")
        #expect(Set(lines).subtracting(written) == [], "run TILL_WRITE_PARITY=1 swift test --filter ParityTests")
        #expect(Set(written).subtracting(lines) == [])
        #expect(written == lines)
    }

    @Test("X1: every note is about something that is there")
    func notes() {
        for later in ParityNotes.later {
            #expect(scan.declarations.contains { later.matches($0) }, "\(later.type) \(later.part)")
        }
        for later in TestingParityNotes.later {
            #expect(testing.declarations.contains { later.matches($0) }, "\(later.type) \(later.part)")
        }
        for later in ModernParityNotes.later {
            #expect(modern.declarations.contains { later.matches($0) }, "\(later.type) \(later.part)")
        }
        #expect(ModernParityNotes.own.subtracting(modern.declarations.map(\.text)) == [])
        #expect(ModernParityNotes.ownTypes.subtracting(modern.declarations.map(\.type)) == [])
        let texts = Set(scan.declarations.map(\.text))
        #expect(ParityNotes.own.subtracting(texts) == [])
        #expect(ParityNotes.ownTypes.subtracting(scan.declarations.map(\.type)) == [])
    }

    @Test(
        "X1: the scan finds what it should",
        arguments: [
            ("SKPaymentQueue", "open func add(_ payment: SKPayment)"),
            ("SKPaymentQueue", "open func add(_ observer: any SKPaymentTransactionObserver)"),
            ("SKPaymentTransactionObserver", "func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)"),
            ("SKError.Code", "case overlayPresentedInBackgroundScene = 20"),
            ("SKProduct.PeriodUnit", "public enum SKProduct.PeriodUnit: UInt"),
            ("SKDownloadState", "case cancelled = 5"),
            ("", "public let SKErrorDomain: String"),
            ("", "public func SKTerminateForInvalidReceipt()"),
            ("SKProductStorePromotionController", "open func promotionOrder() async throws -> [SKProduct]"),
        ])
    func found(type: String, text: String) {
        #expect(scan.declarations.contains(DeclarationScan.Declaration(type: type, text: text)))
    }
    @Test(
        "X1: The scan finds members of types within types, and those of one kind of a generic type",
        arguments: [
            ("Product", "public let displayName: String"),
            ("Product.SubscriptionPeriod.Unit", "case week"),
            ("Transaction.Offer.PaymentMode", "public static let oneTime"),
            ("VerificationResult.VerificationError", "case invalidDeviceVerification"),
            ("VerificationResult where SignedType == AppTransaction", "public var jwsRepresentation: String"),
            ("StoreKitError", "case networkError(URLError)"),
            ("", "public typealias SubscriptionStatus = Product.SubscriptionInfo.Status"),
        ])
    func foundModern(type: String, text: String) {
        #expect(modern.declarations.contains(DeclarationScan.Declaration(type: type, text: text)))
    }

    @Test("X1: What only this module may know is on no page")
    func hidden() {
        let all = scan.declarations + modern.declarations
        #expect(!all.contains { $0.type.hasPrefix("Product.PurchaseOption.Kind") || $0.type.contains("Wire") })
    }
}
