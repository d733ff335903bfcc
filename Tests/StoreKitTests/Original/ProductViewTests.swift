import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// The pages of the store as an app asks for them, over an engine that does what a test tells it.
@Suite("Pages of the store in an app", .bounded)
struct ProductViewTests {
    private let session = ScriptedSession()
    private let context: SessionContext
    private let transcript = Transcript()
    private let delegate: FinishDelegate
    private let controller = SKStoreProductViewController()

    init() {
        context = SessionContext(session)
        delegate = FinishDelegate(transcript)
        controller.delegate = delegate
    }

    private func load(_ item: Any = 364_709_193) {
        CurrentSession.$own.withValue(context) {
            controller.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: item]) {
                isLoaded, error in
                dispatchPrecondition(condition: .onQueue(.main))
                transcript.write("\(isLoaded) \((error as? SKError)?.errorCode ?? 0)")
            }
        }
    }

    private func present() { CurrentSession.$own.withValue(context) { controller.present() } }

    private func loaded() async throws {
        load()
        try await transcript.until("true 0")
    }

    @Test("R7.1: a page is loaded, shown, and the delegate told once when the person has seen enough")
    func shown() async throws {
        try await loaded()
        present()
        try await session.untilPresentations(1)
        #expect(controller.isPresented)
        session.read(\.page).open()
        try await transcript.until("finished")
        try await mainQueueDrained()
        #expect(transcript.lines == ["true 0", "finished"] && !controller.isPresented)
    }

    @Test(
        "R7.1: numbers and texts are the number of an item, and who sent the person here is passed over",
        arguments: [364_709_193 as Int, Int64(364_709_193), "364709193", NSNumber(value: 364_709_193)] as [any Sendable]
    )
    func parameters(item: any Sendable) async throws {
        let loads = try await CurrentSession.$own.withValue(context) {
            try await controller.loadProduct(withParameters: [
                SKStoreProductParameterITunesItemIdentifier: item, SKStoreProductParameterAffiliateToken: "11l",
                SKStoreProductParameterCampaignToken: "spring", SKStoreProductParameterProductIdentifier: "banana",
            ])
        }
        #expect(loads)
        #expect(session.read(\.pages) == [VisitRequest(itemId: "364709193", productId: "banana")])
    }

    @Test("R7.2: a page that cannot be had is told with false and code 5, and nothing is there to present")
    func refused() async throws {
        session.script { $0.failure = .test(.unknown) }
        load("com.example.monkeycredits")
        try await transcript.until("false 5")
        present()
        try await mainQueueDrained()
        #expect(session.read(\.presentations) == [] && transcript.lines == ["false 5"])
    }

    @Test("R7.1: a page that the app takes away ends without a word to the delegate, and may be taken away twice")
    func dismissed() async throws {
        try await loaded()
        present()
        try await session.untilPresentations(1)
        controller.dismiss(animated: true) { transcript.write("dismissed") }
        controller.dismiss()
        try await session.read(\.page).untilCancelled(1)
        try await transcript.until("dismissed")
        try await mainQueueDrained()
        #expect(transcript.lines == ["true 0", "dismissed"] && !controller.isPresented)
    }

    @Test("R7.1: a page that is presented twice is shown once, and after its end it is loaded anew")
    func again() async throws {
        try await loaded()
        present()
        present()
        try await session.untilPresentations(1)
        session.read(\.page).open()
        try await transcript.until("finished")
        present()
        try await session.untilPresentations(2)
        try await transcript.untilCount(2, of: "finished")
        #expect(session.read(\.pages).count == 2 && session.read(\.presentations).count == 2)
    }

    @Test("R7.1: the delegate may take the page away, as on Apple's platforms, and of several loadings the last counts")
    func fromDelegate() async throws {
        delegate.dismisses = true
        let gate = Gate()
        session.script { $0.gate = gate }
        load(1)
        load(2)
        gate.open()
        try await transcript.untilCount(2, of: "true 0")
        present()
        try await session.untilPresentations(1)
        session.read(\.page).open()
        try await transcript.until("finished")
        try await mainQueueDrained()
        #expect(transcript.lines.count { $0 == "finished" } == 1)
        #expect(session.read(\.presentations) == ["2"])
    }
}

/// Writes down that a page is over.
// Safe: everything but the transcript is set before a page is shown, and used on the main queue.
private final class FinishDelegate: NSObject, SKStoreProductViewControllerDelegate, @unchecked Sendable {
    let transcript: Transcript
    var dismisses = false

    init(_ transcript: Transcript) { self.transcript = transcript }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        dispatchPrecondition(condition: .onQueue(.main))
        if dismisses { viewController.dismiss(animated: true, completion: nil) }
        transcript.write("finished")
    }
}
