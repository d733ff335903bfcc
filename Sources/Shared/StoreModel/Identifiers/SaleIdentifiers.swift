// The numbers of what a store sells, charges and gives back. Each noun has a type of its own, so that none is taken for
// another where two have the same number.

/// The number of a sale: of what was asked for on a device, or sold without a question.
///
/// A purchase and the order that it comes to are one sale. Its charge, if it has one, has the same number.
package struct SaleID: NumericIdentifier {
    package static let subject = "sale id"

    package let number: Int64

    package init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }

    fileprivate init(_ purchase: PurchaseID) {
        number = purchase.number
    }

    fileprivate init(_ charge: ChargeID) {
        number = charge.number
    }

    /// The purchase that asks for it. A sale without a question has none.
    package var purchase: PurchaseID { PurchaseID(self) }

    /// The charge of its money. What costs nothing has none.
    package var charge: ChargeID { ChargeID(self) }
}

extension PurchaseID {
    /// The sale that it asks for.
    package var sale: SaleID { SaleID(self) }

    fileprivate init(_ sale: SaleID) {
        number = sale.number
    }
}

/// The number of a charge: of the money of one order.
package struct ChargeID: NumericIdentifier {
    package static let subject = "charge id"

    package let number: Int64

    package init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }

    fileprivate init(_ sale: SaleID) {
        number = sale.number
    }

    /// The sale that it pays.
    package var sale: SaleID { SaleID(self) }
}

/// The number of a subscription: of a customer's place in a group, which is that of the transaction it first began with.
package struct SubscriptionID: EnvironmentIdentifier {
    package static let subject = "subscription id"

    package let number: Int64

    package init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }

    /// The subscription whose series begins with a transaction.
    package init(beganWith original: TransactionID) {
        number = original.number
    }

    /// The first transaction of its series.
    package var original: TransactionID { TransactionID(self) }
}

extension TransactionID {
    fileprivate init(_ subscription: SubscriptionID) {
        number = subscription.number
    }
}

/// A number that a store counts for itself, of one kind of thing; written as a JSON number.
package struct CountedIdentifier<Thing: CountedThing>: NumericIdentifier {
    package static var subject: String { Thing.subject }

    package let number: Int64

    package init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }

    package init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Int64.self)
        do {
            try self.init(number: number)
        } catch {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// The number of a refund.
package typealias RefundID = CountedIdentifier<Counted.Refund>
/// The number of what a customer asks money back for.
package typealias RefundRequestID = CountedIdentifier<Counted.RefundRequest>
/// The number of what a customer says of an item.
package typealias ReviewID = CountedIdentifier<Counted.Review>
/// The number of a family.
package typealias FamilyID = CountedIdentifier<Counted.Family>
/// The number of a batch of offer codes.
package typealias OfferCodeBatchID = CountedIdentifier<Counted.OfferCodeBatch>
/// The number of something that a customer pays with.
package typealias PaymentMethodID = CountedIdentifier<Counted.PaymentMethod>
/// The number of an entry of the books.
package typealias LedgerEntryID = CountedIdentifier<Counted.LedgerEntry>
/// The number of a fault of the sandbox.
package typealias FaultID = CountedIdentifier<Counted.Fault>
/// The number of an extension of all who subscribe to a product.
package typealias MassExtensionID = CountedIdentifier<Counted.MassExtension>

/// The number of a partner, who sends customers to the store.
package typealias PartnerID = CountedIdentifier<Counted.Partner>
/// The number of a visit of an app to the pages of the store.
package typealias VisitID = CountedIdentifier<Counted.Visit>

/// The number of a receiver on a developer's machine that asks for notifications.
package typealias NotificationListenerID = CountedIdentifier<Counted.NotificationListener>

/// A kind of thing that a store counts.
package protocol CountedThing: Sendable {
    /// What its numbers are called in errors.
    static var subject: String { get }
}

/// The kinds of things that a store counts.
package enum Counted {
    package enum Refund: CountedThing { package static let subject = "refund id" }
    package enum RefundRequest: CountedThing { package static let subject = "refund request id" }
    package enum Review: CountedThing { package static let subject = "review id" }
    package enum Family: CountedThing { package static let subject = "family id" }
    package enum OfferCodeBatch: CountedThing { package static let subject = "batch id" }
    package enum Partner: CountedThing { package static let subject = "partner id" }
    package enum PaymentMethod: CountedThing { package static let subject = "payment method id" }
    package enum LedgerEntry: CountedThing { package static let subject = "ledger entry id" }
    package enum MassExtension: CountedThing { package static let subject = "mass extension id" }
    package enum NotificationListener: CountedThing { package static let subject = "listener id" }
    package enum Fault: CountedThing { package static let subject = "fault id" }
    package enum Visit: CountedThing { package static let subject = "visit id" }
}

extension OrderID {
    /// The order of a sale, as its customer knows it: ten letters and digits that tell neither its number nor how many there are.
    package init(_ sale: SaleID, in environment: StoreEnvironment) {
        var rest = OrderNumber.scrambled(UInt64(sale.number))
        var digits: [UInt8] = []
        for _ in 0..<OrderNumber.digits {
            digits.append(OrderNumber.alphabet[Int(rest & 31)])
            rest >>= 5
        }
        // Safe: capital letters and digits.
        try! self.init(
            parsing: OrderNumber.prefix(of: environment) + String(decoding: digits.reversed(), as: UTF8.self))
    }

    /// The sale that it would be the order of; nil for what is no order of an environment. Whether there is one, the books know.
    package func sale(in environment: StoreEnvironment) -> SaleID? {
        let (prefix, bytes) = (OrderNumber.prefix(of: environment), Array(text.utf8))
        guard bytes.count == OrderNumber.digits + 1, text.hasPrefix(prefix) else { return nil }
        var number: UInt64 = 0
        for byte in bytes.dropFirst() {
            guard let digit = OrderNumber.alphabet.firstIndex(of: byte) else { return nil }
            number = number << 5 | UInt64(digit)
        }
        return try? SaleID(number: Int64(OrderNumber.unscrambled(number)))
    }
}

/// How the number of a sale becomes the digits of an order: a permutation of the numbers of 45 bits.
private enum OrderNumber {
    static let digits = 9
    /// Without letters and digits that are taken for one another.
    static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

    private static let mask: UInt64 = (1 << 45) - 1
    // Odd numbers have an inverse there.
    private static let (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4B, 0x1656_67B1_9E37)
    private static let (firstInverse, secondInverse) = (inverse(of: first), inverse(of: second))

    static func prefix(of environment: StoreEnvironment) -> String { environment == .production ? "M" : "S" }

    static func scrambled(_ number: UInt64) -> UInt64 {
        let mixed = number &* first & mask
        return (mixed ^ mixed >> 23) &* second & mask
    }

    static func unscrambled(_ number: UInt64) -> UInt64 {
        let mixed = number &* secondInverse & mask
        // The upper half of the bits is as it was, so that doing it once more undoes it.
        return (mixed ^ mixed >> 23) &* firstInverse & mask
    }

    /// The number by which a product with an odd one is undone, by Newton's method.
    private static func inverse(of odd: UInt64) -> UInt64 {
        (0..<6).reduce(odd) { guess, _ in guess &* (2 &- odd &* guess) }
    }
}
