import Foundation
import Testing

/// The table of parity is what the sources say.
@Suite("Parity with Apple's StoreKit")
struct ParityTests {
    let root: URL
    let scan: DeclarationScan
    let testing: DeclarationScan

    init() throws {
        root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        scan = try DeclarationScan(
            sources: root.appending(path: "Sources/Device/StoreKit/Original"),
            header: root.appending(path: "Sources/System/CStoreKit/include/StoreKitEnumerations.h"))
        testing = try DeclarationScan(sources: root.appending(path: "Sources/Device/StoreKitTest"), header: nil)
    }

    @Test("X1: the table of parity is up to date")
    func upToDate() throws {
        let page = root.appending(path: "Documentation/StoreKitParity.md")
        let made = ParityTable(declarations: scan.declarations, testing: testing.declarations).markdown
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
}
