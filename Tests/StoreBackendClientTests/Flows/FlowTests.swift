import Foundation
import StoreBackendClient
import StoreKit
import StoreModel
import TestSupport
import Testing

/// The flows of the reference documents. Each sentence of a document stands with what happens at it, in its order.
@Suite("The flows of the documents", .bounded, .serialized)
@MainActor
struct FlowTests {
    /// A sentence of a document, and the lines on the tape that it stands for.
    private struct Sentence {
        let text: String
        let lines: [String]

        init(_ text: String, _ lines: String...) {
            (self.text, self.lines) = (text, lines)
        }
    }

    /// Compares sentence by sentence, so that a failure names the one that is not kept.
    private func expect(_ tape: [String], follows sentences: [Sentence]) {
        var rest = tape[...]
        for (index, sentence) in sentences.enumerated() {
            let found = Array(rest.prefix(sentence.lines.count))
            #expect(found == sentence.lines, "\(index + 1). \(sentence.text)")
            rest = rest.dropFirst(sentence.lines.count)
        }
        #expect(Array(rest) == [])
    }

    @Test("R5.1, R5.2, R5.5, R5.8: The fourteen steps of the Store Kit Guide's server model")
    func guide() async throws {
        let tape = try await FlowScene.with { scene in
            let app = try scene.app()
            try await app.client.signUp(name: "ann", password: "correct horse")
            app.open()
            defer { app.close() }
            try await app.requestProductData()
            try await app.purchaseProduct(FlowScene.issue)
            try await scene.tape.wait(for: "app: shows the first page")
            #expect(app.pages == [FlowScene.page])
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            return scene.tape.lines
        }
        expect(tape, follows: Self.guide)
    }

    private static let guide = [
        Sentence(
            "The application sends a request to the server for a list of products.",
            "app: asks the server for its products"),
        Sentence(
            "The server returns a list of product identifiers.", "server: lists its products",
            "app: has magazines.issue1, magazines.monthly"),
        Sentence(
            "The application sends a request to the App Store to get information on the products.",
            "app: asks the store for prices"),
        Sentence("The App Store returns product information.", "app: has First Issue for 1.99, Monthly for 2.99"),
        Sentence("The application displays the products to the user.", "app: shows the products"),
        Sentence("The user selects an item.", "user: chooses First Issue"),
        Sentence("The application sends a payment request to the App Store.", "app: adds a payment"),
        Sentence(
            "The App Store processes the payment and returns a completed transaction.",
            "app: has a transaction, magazines.issue1"),
        Sentence(
            "The application retrieves the receipt data from the transaction and sends it to the server.",
            "app: sends the receipt to the server"),
        Sentence("The server records the data for an audit.", "server: notes the receipt"),
        Sentence(
            "The server sends the data to the App Store to verify that this is a valid transaction.",
            "server: asks the store"),
        Sentence(
            "The App Store parses the data, and returns it with an indication whether it is valid.",
            "production: answers 21007", "sandbox: answers 0"),
        Sentence(
            "The server reads the returned data to determine what the user purchased.",
            "server: has the store's answer",
            "server: records what was bought magazines.issue1"),
        Sentence(
            "The server delivers the content to the application.", "server: finds the content issue1",
            "app: saves the content", "app: activates magazines.issue1", "app: finishes magazines.issue1",
            "app: shows the first page"),
    ]

    @Test("R5.2, R5.8: A purchase of what a server delivers, sentence by sentence, down to its first page")
    func purchase() async throws {
        let tape = try await FlowScene.with { scene in
            let app = try scene.app()
            try await app.client.signUp(name: "ann", password: "correct horse")
            app.open()
            defer { app.close() }
            try await app.requestProductData()
            scene.tape.clear()
            try await app.purchaseProduct(FlowScene.issue)
            try await scene.tape.wait(for: "app: shows the first page")
            return scene.tape.lines
        }
        expect(tape, follows: [Sentence("The user presses Buy.", "user: chooses First Issue")] + Self.purchase)
    }

    private static let purchase = [
        Sentence("The application adds an SKPayment to the queue.", "app: adds a payment"),
        Sentence(
            "When the transaction is complete, the server responds with a transaction receipt, which the observer processes.",
            "app: has a transaction, magazines.issue1"),
        Sentence(
            "The download request is accompanied by the receipt data, so that the remote server can verify it.",
            "app: sends the receipt to the server", "server: notes the receipt"),
        Sentence("The server sends a request directly to the store to verify the receipt.", "server: asks the store"),
        Sentence(
            "Apple suggests always using the production URL and switching to the sandbox on status 21007.",
            "production: answers 21007"),
        Sentence("The store checks the receipt and returns a status of zero if it is valid.", "sandbox: answers 0"),
        Sentence(
            "If it gets a valid response, the server finds the associated product content file.",
            "server: has the store's answer", "server: records what was bought magazines.issue1",
            "server: finds the content issue1"),
        Sentence(
            "The application parses the response, saving the content to the device's file system.",
            "app: saves the content"),
        Sentence(
            "The application enables the product and then calls FinishTransaction.", "app: activates magazines.issue1",
            "app: finishes magazines.issue1"),
        Sentence("It may then show it, for example the first page of an issue.", "app: shows the first page"),
    ]

    @Test(
        "R5.3, R5.8: The receipt is stored, the transaction finished, and the content fetched later with that receipt")
    func deferred() async throws {
        try await FlowScene.with { scene in
            let app = try scene.app()
            try await app.client.signUp(name: "ann", password: "correct horse")
            app.open()
            try await app.requestProductData()
            scene.tape.clear()
            app.isDeferring = true
            try await app.purchaseProduct(FlowScene.issue)
            app.close()
            expect(
                scene.tape.lines,
                follows: [
                    Sentence("The user buys.", "user: chooses First Issue", "app: adds a payment"),
                    Sentence(
                        "The alternative is to store the transaction receipt, so that the transaction can complete quickly.",
                        "app: has a transaction, magazines.issue1", "app: stores the receipt",
                        "app: activates magazines.issue1", "app: finishes magazines.issue1"),
                ])
            #expect(SKPaymentQueue.default().transactions.isEmpty)

            scene.tape.clear()
            // The app is started again.
            let later = try scene.app()
            _ = try await later.client.offeredProducts()
            scene.tape.clear()
            await later.load(try #require(later.client.keptDeliveries.first))
            expect(
                scene.tape.lines,
                follows: [
                    Sentence(
                        "The subsequent download request can re-send the stored receipt to access the file.",
                        "server: notes the receipt", "server: asks the store", "production: answers 21007",
                        "sandbox: answers 0", "server: has the store's answer",
                        "server: records what was bought magazines.issue1", "server: finds the content issue1",
                        "app: saves the content", "app: activates magazines.issue1",
                        "app: shows the first page")
                ])
        }
    }

    @Test("R5.6, R5.8: A restored transaction is handled by its original payment, and another device needs no receipt")
    func restored() async throws {
        try await FlowScene.with { scene in
            let app = try scene.app()
            try await app.client.signUp(name: "ann", password: "correct horse")
            app.open()
            try await app.requestProductData()
            try await app.purchaseProduct(FlowScene.issue)
            try await scene.tape.wait(for: "app: shows the first page")
            scene.tape.clear()
            app.restore()
            try await scene.tape.wait(for: "app: shows the first page")
            #expect(scene.tape.lines.contains("app: has a restored transaction, magazines.issue1"))
            #expect(scene.tape.lines.contains("app: restore finished"))
            app.close()

            let other = try scene.client(on: "other device")
            try await other.signIn(name: "ann", password: "correct horse")
            #expect(try await other.entitlements().first { $0.isInForce }?.productId.text == FlowScene.issue)
            let content = try await other.delivery(of: FlowScene.issue).download().activate { _ in }.finish().content
            let page = try String(contentsOf: try #require(content).file, encoding: .utf8)
            #expect(page == FlowScene.page)
        }
    }

    @Test("R5.5, P27: Whoever brings a receipt of another user gets nothing, and the transaction stays open")
    func anotherUser() async throws {
        try await FlowScene.with { scene in
            let app = try scene.app()
            try await app.client.signUp(name: "ann", password: "correct horse")
            app.open()
            try await app.requestProductData()
            try await app.purchaseProduct(FlowScene.issue)
            app.close()

            let thief = try scene.app(on: "other device")
            try await thief.client.signUp(name: "bob", password: "correct horse")
            _ = try await thief.client.offeredProducts()
            thief.open()
            thief.restore()
            try await scene.tape.wait(for: "app: fails, belongs_to_another")
            thief.close()
            #expect(thief.pages == [])
            #expect(thief.client.content(of: FlowScene.issue) == nil)
            #expect(SKPaymentQueue.default().transactions.map(\.transactionState) == [.restored])
        }
    }
}
