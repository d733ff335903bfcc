import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// The payload of a receipt: what is written, and what is read from foreign hands (P39).
@Suite struct AppReceiptTests {
    private func decode(_ attributes: [ReceiptAttribute]) throws -> AppReceipt {
        try AppReceipt(decoding: DER.set(attributes.map(\.encoded)))
    }

    /// The least that makes a receipt.
    private let required = [
        ReceiptAttribute(type: 2, value: DER.utf8String("com.example.app")),
        ReceiptAttribute(type: 12, value: DER.ia5String("2026-01-02T03:04:05Z")),
    ]

    private func purchase(_ attributes: [ReceiptAttribute]) -> ReceiptAttribute {
        ReceiptAttribute(type: 17, value: DER.set(attributes.map(\.encoded)))
    }

    private let requiredOfPurchase = [
        ReceiptAttribute(type: 1702, value: DER.utf8String("coins")),
        ReceiptAttribute(type: 1703, value: DER.utf8String("7")),
        ReceiptAttribute(type: 1704, value: DER.ia5String("2026-01-02T03:04:05Z")),
    ]

    // MARK: Round trips

    @Test("Every field survives a round trip, and attributes without a name here too") func everyFieldSurvives() throws
    {
        for receipt in [SampleReceipts.plain(), try SampleReceipts.full()] {
            #expect(try AppReceipt(decoding: receipt.encoded) == receipt)
        }
    }

    @Test("Many purchases survive, in the order of their bytes") func manyPurchasesSurvive() throws {
        var receipt = SampleReceipts.plain()
        receipt.purchases = (0..<50).map { SampleReceipts.purchase("product.\($0)", $0) }
        let read = try AppReceipt(decoding: receipt.encoded)
        #expect(Set(read.purchases) == Set(receipt.purchases))
        #expect(read.purchases.count == 50)
    }

    @Test("Kinds and types unknown here are kept") func kindsTypesUnknown() throws {
        var receipt = SampleReceipts.plain()
        receipt.type = ReceiptType(rawValue: "ProductionNeptune")
        receipt.purchases = [SampleReceipts.purchase("p")]
        receipt.purchases[0].kind = PurchaseReceipt.Kind(rawValue: 42)
        let read = try AppReceipt(decoding: receipt.encoded)
        #expect(read == receipt)
        #expect(read.type.environment == nil)
    }

    @Test("The type of a receipt tells its environment") func typeReceiptTells() {
        let types = [
            "Production", "ProductionVPP", "ProductionSandbox", "ProductionVPPSandbox", "Xcode", "production", "",
        ]
        #expect(
            types.map { ReceiptType(rawValue: $0).environment }
                == [.production, .production, .sandbox, .sandbox, nil, nil, nil])
        #expect(ReceiptType(.production) == .production)
        #expect(ReceiptType(.sandbox) == .sandbox)
    }

    // MARK: Written form

    /// The attributes of a SET as they stand.
    private func attributes(of set: [UInt8]) throws -> [ReceiptAttribute] {
        var top = BERReader(set)
        var reader = try AttributeReader(top.enter(.set, "a set"))
        var found: [ReceiptAttribute] = []
        while let attribute = try reader.next() { found.append(try reader.unread(attribute)) }
        return found
    }

    @Test("The payload is a true DER set, with the attributes of a genuine receipt") func payloadTrueDER() throws {
        let payload = try SampleReceipts.full().encoded
        let found = try attributes(of: payload)
        #expect(payload == DER.set(found.map(\.encoded)))
        let types = Set(found.map(\.type))
        #expect(types.isSuperset(of: Array(0...21) + [25, 32]))
        #expect(found.filter { $0.version != 1 && $0.type < 100 }.map(\.type) == [4])
        let purchase = try attributes(of: #require(found.first { $0.type == 17 }).value)
        #expect(Set(purchase.map(\.type)).isSuperset(of: 1701...1722))
    }

    @Test("The transaction comes before its original, which is what Apple's libraries pick")
    func transactionComesBefore() throws {
        var receipt = SampleReceipts.plain()
        receipt.purchases = try [SampleReceipts.fullPurchase()]
        let found = try attributes(of: receipt.encoded)
        let inner = try attributes(of: #require(found.first { $0.type == 17 }).value).map(\.type)
        #expect(try #require(inner.firstIndex(of: 1703)) < #require(inner.firstIndex(of: 1705)))
    }

    @Test("Dates are written in whole seconds, and left out as empty text") func datesWrittenWhole() throws {
        var receipt = SampleReceipts.plain()
        receipt.creationDate = Fixture.now.adding(milliseconds: 987)
        let found = try attributes(of: receipt.encoded)
        #expect(found.first { $0.type == 12 }?.value == DER.ia5String("2026-01-02T03:04:05Z"))
        #expect(found.first { $0.type == 21 }?.value == DER.ia5String(""))
        #expect(!found.contains { $0.type == 18 || $0.type == 19 || $0.type == 32 })
    }

    // MARK: Reading what others wrote

    @Test("Bundle and date are enough; all else has a default") func bundleDateEnough() throws {
        let receipt = try decode(required)
        #expect(receipt.bundleID == "com.example.app")
        #expect(receipt.creationDate == Fixture.now)
        #expect(receipt.type.rawValue.isEmpty)
        #expect(receipt.appID == 0)
        #expect(receipt.purchases.isEmpty)
        #expect(receipt.originalPurchaseDate == nil)
    }

    @Test("The order of attributes does not matter") func orderAttributesDoes() throws {
        let expected = try AppReceipt(decoding: SampleReceipts.full().encoded)
        let found = try attributes(of: SampleReceipts.full().encoded)
        let reversed = DER.value(.set, found.reversed().flatMap(\.encoded))
        var read = try AppReceipt(decoding: reversed)
        #expect(read.otherAttributes == expected.otherAttributes.reversed())
        read.otherAttributes.reverse()
        #expect(read == expected)
    }

    @Test("A receipt without its bundle or its date is refused", arguments: 0..<2)
    func receiptWithoutBundle(missing: Int) {
        var attributes = required
        attributes.remove(at: missing)
        expectRefusal(.malformed) { try decode(attributes) }
    }

    @Test("A purchase without its product, its transaction or its date is refused", arguments: 0..<3)
    func purchaseWithoutProduct(missing: Int) throws {
        #expect(try decode(required + [purchase(requiredOfPurchase)]).purchases.count == 1)
        var attributes = requiredOfPurchase
        attributes.remove(at: missing)
        expectRefusal(.malformed) { try decode(required + [purchase(attributes)]) }
        expectRefusal(.malformed) { try decode(required + [purchase([])]) }
    }

    @Test("A first purchase is its own original") func firstPurchaseOwn() throws {
        let read = try decode(required + [purchase(requiredOfPurchase)]).purchases[0]
        #expect(read.originalTransactionID == "7")
        #expect(read.originalPurchaseDate == Fixture.now)
        #expect(read.quantity == 1)
        #expect(read.isTrialPeriod == nil)
    }

    @Test("Empty dates, zero orders and empty offers mean there is none") func emptyDatesZero() throws {
        let read = try decode(
            required + [
                ReceiptAttribute(type: 21, value: DER.ia5String("")),
                purchase(
                    requiredOfPurchase + [
                        ReceiptAttribute(type: 1708, value: DER.ia5String("")),
                        ReceiptAttribute(type: 1711, value: DER.integer(0)),
                        ReceiptAttribute(type: 1712, value: DER.utf8String("")),
                        ReceiptAttribute(type: 1721, value: DER.utf8String("")),
                    ]),
            ])
        #expect(read.expirationDate == nil)
        #expect(read.purchases[0].expirationDate == nil)
        #expect(read.purchases[0].webOrderLineItemID == nil)
        #expect(read.purchases[0].cancellationDate == nil)
        #expect(read.purchases[0].promotionalOfferID == nil)
    }

    private static let wrongValues: [(type: Int64, value: [UInt8])] = [
        (12, DER.ia5String("")), (12, DER.ia5String("2026-01-02")), (12, DER.ia5String("2026-13-02T03:04:05Z")),
        (12, DER.integer(1)), (12, []), (2, DER.integer(5)), (2, [0x0C, 0x02, 0xC3, 0x28]), (2, [0x0C, 0x05, 0x61]),
        (2, DER.utf8String("a") + [0]), (1, DER.utf8String("1")),
        (1, DER.value(.integer, Array(repeating: 1, count: 9))),
        (17, DER.utf8String("")), (17, DER.value(.sequence, [])), (17, DER.set([DER.integer(1)])),
        (17, DER.set([]) + [0x05, 0x00]), (18, DER.ia5String("yesterday")), (0, []),
    ]

    @Test("A value that is not what its number says is refused", arguments: wrongValues)
    func valueNotWhat(type: Int64, value: [UInt8]) {
        let attributes = required.filter { $0.type != type } + [ReceiptAttribute(type: type, value: value)]
        expectRefusal(.malformed, "\(type)") { try decode(attributes) }
    }

    @Test("What is not a set of attributes is refused") func whatNotSet() throws {
        let good = DER.set(required.map(\.encoded))
        _ = try AppReceipt(decoding: good)
        let (one, value) = (DER.integer(1), DER.octetString([]))
        let payloads: [[UInt8]] = [
            [], [0x31], [0x31, 0x00], good + [0x00], Array(good.dropLast()),
            DER.value(.sequence, Array(good.dropFirst(2))),
            DER.set([one]), DER.set([DER.sequence(one)]), DER.set([DER.sequence(one, one)]),
            DER.set([DER.sequence(one, one, value, value)]), DER.set([DER.sequence(value, one, value)]),
            DER.set(required.map(\.encoded) + [DER.sequence(one, one, one)]),
        ]
        for payload in payloads { expectRefusal(.malformed, "\(payload)") { try AppReceipt(decoding: payload) } }
    }

    @Test("Xcode wraps the payload once more, whole or in pieces") func xcodeWrapsPayload() throws {
        let payload = try SampleReceipts.full().encoded
        let expected = try SampleReceipts.full()
        #expect(try AppReceipt(decoding: DER.octetString(payload)) == expected)
        let pieces = DER.octetString(Array(payload[..<100])) + DER.octetString(Array(payload[100...]))
        #expect(try AppReceipt(decoding: DER.value(.constructedOctetString, pieces)) == expected)
        #expect(try AppReceipt(decoding: [0x24, 0x80] + pieces + [0, 0]) == expected)
        // Once, not any number of times.
        expectRefusal(.malformed) { try AppReceipt(decoding: DER.octetString(DER.octetString(payload))) }
    }

    @Test("The number of attributes is limited, at the top and within a purchase") func numberAttributesLimited() throws
    {
        let one = ReceiptAttribute(type: 99, value: []).encoded
        func set(_ beginning: [ReceiptAttribute], of count: Int) -> [UInt8] {
            let rest = [[UInt8]](repeating: one, count: count - beginning.count)
            return DER.value(.set, Array((beginning.map(\.encoded) + rest).joined()))
        }
        let limit = SigningLimits.attributesPerSet
        #expect(try AppReceipt(decoding: set(required, of: limit)).otherAttributes.count == limit - 2)
        expectRefusal(.tooLarge) { try AppReceipt(decoding: set(required, of: limit + 1)) }
        let crowded = ReceiptAttribute(type: 17, value: set(requiredOfPurchase, of: limit + 1))
        expectRefusal(.tooLarge) { try decode(required + [crowded]) }
    }
}
