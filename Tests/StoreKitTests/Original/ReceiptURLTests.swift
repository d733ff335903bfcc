import Foundation
import Testing

@testable import StoreKit

/// Where the receipt is, asked for the way every app does.
@Suite("Receipt of the app")
struct ReceiptURLTests {
    @Test("X1: the main bundle's receipt is where the engine has it, by Foundation's name for it")
    func mainBundle() {
        let session = ScriptedSession()
        let url = URL(fileURLWithPath: "/somewhere/StoreKit/sandboxReceipt")
        session.script { $0.receiptURL = url }
        CurrentSession.$own.withValue(SessionContext(session)) {
            #expect(Bundle.main.appStoreReceiptURL == url)
            #expect(Bundle.main.appStoreReceiptURL?.lastPathComponent == "sandboxReceipt")
            #expect(Bundle.main.storeReceiptURL == url)
        }
    }

    @Test("X1: other bundles have no receipt")
    func otherBundle() {
        let session = ScriptedSession()
        session.script { $0.receiptURL = URL(fileURLWithPath: "/somewhere/StoreKit/receipt") }
        CurrentSession.$own.withValue(SessionContext(session)) {
            let other = Bundle(path: "/")
            #expect(other != nil && other !== Bundle.main)
            #expect(other?.appStoreReceiptURL == nil)
            #expect(other?.storeReceiptURL == nil)
        }
    }

    @Test("X1: other properties of a bundle are still Foundation's")
    func otherProperties() {
        #expect(Bundle.main.bundlePath.hasPrefix("/"))
        #expect(Bundle.main.executablePath != nil)
        #expect(!Bundle.main.preferredLocalizations.isEmpty)
    }
}
