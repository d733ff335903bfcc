import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite("Signatures of promotional offers", .bounded)
struct OfferSignatureTests {
    private static func changed(
        _ discount: SignedDiscount, offer: String? = nil, key: String? = nil, nonce: String? = nil,
        signature: String? = nil, timestamp: Int64? = nil, username: String?? = nil
    ) -> SignedDiscount {
        SignedDiscount(
            offerID: offer ?? discount.offerID, keyID: key ?? discount.keyID, nonce: nonce ?? discount.nonce,
            signature: signature ?? discount.signature, timestamp: timestamp ?? discount.timestamp,
            username: username ?? discount.username)
    }

    @Test("P25: Whatever is wrong with a signed offer is refused by its own error, which names the field")
    func refusals() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            try await shop.buy(on: device)
            let good = try shop.discount()
            let old = SceneTime.start - .seconds(25 * 60 * 60)
            let twice = Base64.encode(Array(good.signature.utf8))
            let stranger = try PrivateKey.p256()
            let table: [(RefusalCode, String, SignedDiscount)] = [
                (.invalidOfferIdentifier, "has no offer none; it has: dear, spring", try shop.discount("none")),
                (.invalidOfferIdentifier, "of the kind code", try shop.discount("gift")),
                (.invalidOfferPrice, "no price in the storefront", try shop.discount("dear")),
                (.missingOfferParams, "discount.offerId", Self.changed(good, offer: "")),
                (.missingOfferParams, "discount.keyId", Self.changed(good, key: "")),
                (.missingOfferParams, "discount.nonce", Self.changed(good, nonce: "")),
                (.missingOfferParams, "discount.signature", Self.changed(good, signature: "")),
                (.missingOfferParams, "discount.timestamp", Self.changed(good, timestamp: 0)),
                (
                    .invalidOfferSignature, "has no key ZZZZZZZZZZ; it has: ABCDE12345",
                    Self.changed(good, key: "ZZZZZZZZZZ")
                ),
                (.invalidOfferSignature, "Base64 twice", Self.changed(good, signature: twice)),
                (.invalidOfferSignature, "not Base64", Self.changed(good, signature: "%%%")),
                (.invalidOfferSignature, "nonce is not a UUID", Self.changed(good, nonce: "1")),
                (.invalidOfferSignature, "joined by U+2063", Self.changed(good, nonce: UUID().uuidString)),
                (.invalidOfferSignature, "account grace", Self.changed(good, username: "Grace")),
                (.invalidOfferSignature, "more than 24 hours ago", try shop.discount(at: old)),
                (.invalidOfferSignature, "in the future", try shop.discount(at: SceneTime.start + .seconds(4000))),
                (.invalidOfferSignature, "does not match", try shop.discount(by: stranger)),
            ]
            for (code, words, discount) in table {
                await expect(code, words) { _ = try await shop.open(OfferScene.silver, .signed(discount), on: device) }
            }
            #expect(try await shop.scene.count("SELECT count(*) FROM purchase_offer") == 0)
            #expect(try await shop.buy(OfferScene.silver, .signed(good), on: device).state == .purchased)
        }
    }

    @Test("X7: A promotional offer is not for who never subscribed, and a nonce is good once")
    func onceAndForSubscribers() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            let (discount, key) = (try shop.discount(), PurchaseKey(UUID()))
            await expect(.ineligibleForOffer, "never had") {
                _ = try await shop.open(OfferScene.silver, .signed(discount), on: device)
            }
            try await shop.buy(on: device)
            let opened = try await shop.open(OfferScene.silver, .signed(discount), on: device, key: key)
            // A repeated request is the same purchase.
            let again = try await shop.open(OfferScene.silver, .signed(discount), on: device, key: key)
            #expect(again.purchase.id == opened.purchase.id)
            await expect(.keyReused) {
                _ = try await shop.open(OfferScene.silver, .signed(shop.discount()), on: device, key: key)
            }
            await expect(.invalidOfferSignature, "nonce") {
                _ = try await shop.open(OfferScene.silver, .signed(discount), on: device)
            }
        }
    }

    @Test("P25: The key that did sign is named where another is said to, and a revoked key signs nothing")
    func keys() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            try await shop.buy(on: device)
            let other = try PrivateKey.p256()
            let (app, cause) = (shop.sample.app.id, CatalogueCause(.store, at: SceneTime.start))
            try await shop.store.catalogue.write { transaction in
                _ = try OfferKeys.add(
                    other.publicKey.pemRepresentation, as: "OTHER12345", name: "other", of: app,
                    cause.change(in: transaction))
            }
            await expect(.invalidOfferSignature, "signed with the key OTHER12345") {
                _ = try await shop.open(OfferScene.silver, .signed(shop.discount(by: other)), on: device)
            }
            try await shop.store.catalogue.write { transaction in
                _ = try OfferKeys.revoke("ABCDE12345", of: app, cause.change(in: transaction))
            }
            await expect(.invalidOfferSignature, "was revoked") {
                _ = try await shop.open(OfferScene.silver, .signed(shop.discount()), on: device)
            }
        }
    }

    @Test("X7: A private key, or a key of another curve, is no key of offers")
    func wrongKeys() async throws {
        try await OfferScene.on(.memory) { shop in
            let (app, cause) = (shop.sample.app.id, CatalogueCause(.store, at: SceneTime.start))
            let pems = try [
                shop.key.pemRepresentation(), "nothing", PrivateKey.rsa().publicKey.pemRepresentation,
            ]
            for pem in pems {
                await #expect(throws: CatalogueError.self) {
                    try await shop.store.catalogue.write { transaction in
                        _ = try OfferKeys.add(pem, as: "OTHER12345", name: "x", of: app, cause.change(in: transaction))
                    }
                }
            }
        }
    }
}
