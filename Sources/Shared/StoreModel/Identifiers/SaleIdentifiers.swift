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
    package enum Family: CountedThing { package static let subject = "family id" }
    package enum OfferCodeBatch: CountedThing { package static let subject = "batch id" }
    package enum PaymentMethod: CountedThing { package static let subject = "payment method id" }
    package enum LedgerEntry: CountedThing { package static let subject = "ledger entry id" }
    package enum MassExtension: CountedThing { package static let subject = "mass extension id" }
    package enum NotificationListener: CountedThing { package static let subject = "listener id" }
    package enum Fault: CountedThing { package static let subject = "fault id" }
}
