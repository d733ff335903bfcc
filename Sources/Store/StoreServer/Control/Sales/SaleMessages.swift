package import StoreModel
package import StoreRules
import StoreService

/// A purchase for a customer in one call.
package struct OperatorPurchaseRequest: Codable, Hashable, Sendable {
    /// The number or the address of the account.
    package var customer: String
    package var bundleId: BundleID
    package var productId: String
    package var quantity: Int?
    package var appAccountToken: AppAccountToken?
    /// The promotional or win-back offer that it is sold at; introductory ones apply by themselves.
    package var offerId: String?

    package init(
        customer: String, bundleId: BundleID, productId: String, quantity: Int? = nil,
        appAccountToken: AppAccountToken? = nil, offerId: String? = nil
    ) {
        self.offerId = offerId
        self.customer = customer
        self.bundleId = bundleId
        self.productId = productId
        self.quantity = quantity
        self.appAccountToken = appAccountToken
    }
}

/// A yes or no to the purchase of a code.
package struct ApprovalRequest: Codable, Hashable, Sendable {
    package var code: String
    /// Whose purchase it is, where nobody is signed in on the device yet.
    package var customer: String?
    /// No, if it is false.
    package var isApproved: Bool?

    package init(code: String, customer: String? = nil, isApproved: Bool? = nil) {
        self.code = code
        self.customer = customer
        self.isApproved = isApproved
    }
}

/// The word of whoever has seen to it that the money of a purchase was let go of.
package struct VoidSettlementRequest: Codable, Hashable, Sendable {
    package var because: String

    package init(because: String) {
        self.because = because
    }
}

package struct MoneyReport: Codable, Hashable, Sendable {
    package var amount: String
    package var currency: CurrencyCode

    init(_ money: Money) {
        amount = money.decimalText
        currency = CurrencyCode(money.currency)
    }
}

package struct PurchaseReport: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package var number: Int64
        package var date: Instant
        package var event: WireWord<SaleEvent>
        package var state: WireWord<SaleState>
        /// In a sentence.
        package var text: String
        package var detail: String?
        /// Whose act it was: `customer/1104`, `operator/ci`, `owner`, `store`.
        package var actor: String
        package var requestId: String?
    }

    package var purchaseId: SaleID
    /// What the customer knows it by; missing as long as nothing was bought.
    package var orderId: OrderID?
    package var state: WireWord<SaleState>
    /// How it stands, in a sentence.
    package var summary: String
    package var failure: PurchaseFailureAnswer?
    package var customerId: CustomerID?
    /// Absent for what no device asked for.
    package var deviceId: DeviceID?
    package var bundleId: BundleID
    package var productId: ProductID
    package var quantity: Int
    package var storefront: StorefrontCode
    package var unitPrice: MoneyReport
    package var total: MoneyReport
    /// The offer that made it cheaper: its type by the number of Apple's payloads, and its id.
    package var offerType: OfferType?
    package var offerId: String?
    package var code: String?
    package var actionUrl: String?
    package var transactionId: TransactionID?
    package var openedAt: Instant
    package var changedAt: Instant
    package var expiresAt: Instant
    /// When the processor is asked again that has given no answer yet.
    package var nextInquiry: Instant?
    /// What the processor calls the money it holds, and that it took.
    package var authorisation: String?
    package var capture: String?
    /// Whether nothing was charged because the account owned it already.
    package var isOwned: Bool?
    /// Only where one purchase is asked for.
    package var history: [Entry]?

    init(_ sale: SaleStatus, _ history: [SaleHistoryEntry]? = nil) throws {
        let terms = try sale.terms
        purchaseId = sale.id
        orderId = sale.bought?.orderID == sale.id ? sale.bought?.order : nil
        state = WireWord(sale.state)
        summary = SaleSummary(sale).sentence
        failure = sale.failure.map(PurchaseFailureAnswer.init)
        customerId = terms.customer
        deviceId = terms.device
        bundleId = terms.bundle
        productId = terms.item.product
        quantity = terms.quantity
        storefront = terms.item.storefront
        unitPrice = MoneyReport(terms.item.unitPrice)
        total = MoneyReport(sale.isFree ? .zero(terms.total.currency) : terms.total)
        (offerType, offerId) = (terms.item.offer?.kind.type, terms.item.offer?.id)
        code = sale.purchase?.code
        actionUrl = sale.charge?.rules.actionURL
        transactionId = sale.bought?.id
        openedAt = sale.openedAt
        changedAt = sale.changedAt
        expiresAt = sale.expiresAt
        nextInquiry = sale.nextInquiry
        authorisation = sale.charge?.rules.authorisation
        capture = sale.charge?.rules.capture
        if sale.isFree { isOwned = true }
        self.history = history?.map {
            Entry(
                number: $0.number, date: $0.at, event: WireWord($0.event), state: WireWord($0.state),
                text: SaleSummary.sentence($0), detail: $0.detail, actor: $0.actor, requestId: $0.request)
        }
    }
}

extension PurchaseReport {
    init(_ found: SaleLookup.Details) throws {
        try self.init(found.status, found.history)
    }
}

package struct TransactionReport: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var purchaseId: SaleID?
    /// What the customer knows its order by.
    package var orderId: OrderID?
    /// Of one that a restore made: what it brought back.
    package var restoredTransactionId: TransactionID?
    /// Whether the customer bought it, or has it from somebody in the family.
    package var inAppOwnershipType: OwnershipType
    /// Of one that was shared: what of.
    package var sharedFromTransactionId: TransactionID?
    package var customerId: CustomerID
    /// Absent for what no device asked for.
    package var deviceId: DeviceID?
    package var bundleId: BundleID
    package var productId: ProductID
    package var type: ProductKind
    package var quantity: Int
    package var price: MoneyReport
    package var storefront: StorefrontCode
    package var purchaseDate: Instant
    package var expiresDate: Instant?
    package var appAccountToken: AppAccountToken?
    package var finishedDate: Instant?
    package var revocationDate: Instant?
    /// Whether it was revoked by a refund; missing if it was not revoked.
    package var isRefunded: Bool?
    package var revocationReason: RevocationReason?

    init(_ transaction: StoreTransaction, finishedAt: Instant?) {
        transactionId = transaction.id
        originalTransactionId = transaction.originalID
        purchaseId = transaction.orderID
        orderId = transaction.order
        restoredTransactionId = transaction.restoredID
        inAppOwnershipType = transaction.ownership
        sharedFromTransactionId = transaction.sharedFrom
        customerId = transaction.customerID
        deviceId = transaction.deviceID
        bundleId = transaction.bundleID
        productId = transaction.productID
        type = transaction.kind
        quantity = transaction.quantity
        price = MoneyReport(transaction.price)
        storefront = transaction.storefront
        purchaseDate = transaction.purchaseDate
        expiresDate = transaction.expiresDate
        appAccountToken = transaction.accountToken
        finishedDate = finishedAt
        revocationDate = transaction.revocation?.revokedAt
        isRefunded = transaction.revocation.map { $0.refund != nil }
        revocationReason = transaction.revocation?.reason
    }
}

/// A transaction with everything that it came of and that came of it.
package struct TransactionDetails: Codable, Hashable, Sendable {
    package var transaction: TransactionReport
    /// How it stands, in a sentence.
    package var summary: String
    package var purchase: PurchaseReport?
    package var refunds: [RefundReport]
    package var ledger: [LedgerEntryReport]
    /// What devices were told of it, at most the newest 50.
    package var events: [DeviceEventReport]
    /// Who revoked it; missing if nobody did.
    package var revokedBy: String?
    /// As a device or a developer's server gets it.
    package var signedTransaction: String

    init(_ details: OperatorTransactions.Details) throws {
        transaction = TransactionReport(details.transaction, finishedAt: details.finishedAt)
        summary = SaleSummary(details).sentence
        purchase = try details.sale.map { try PurchaseReport($0, details.history) }
        refunds = details.refunds.map(RefundReport.init)
        ledger = details.ledger.map(LedgerEntryReport.init)
        events = details.events.map(DeviceEventReport.init)
        revokedBy = details.revokedBy
        signedTransaction = details.signed
    }
}

/// That devices were told something.
package struct DeviceEventReport: Codable, Hashable, Sendable {
    /// Its place among all that the devices of the customer are told of the app.
    package var number: Int64
    package var kind: String
    /// Missing where all of them are told.
    package var deviceId: DeviceID?
    package var date: Instant

    init(_ event: ToldEvent) {
        number = event.number
        kind = event.kind.rawValue
        deviceId = event.device
        date = event.at
    }
}

package struct RefundReport: Codable, Hashable, Sendable {
    package var refundId: RefundID
    package var transactionId: TransactionID
    package var state: WireWord<Refund.State>
    package var failure: String?
    package var amount: MoneyReport
    package var requestedAt: Instant
    /// Who gave it.
    package var actor: String?

    init(_ refund: StoredRefund) {
        actor = refund.actor
        refundId = refund.id
        transactionId = refund.transaction
        state = WireWord(refund.state)
        failure = refund.rules.failure
        amount = MoneyReport(refund.amount)
        requestedAt = refund.requestedAt
    }
}

package struct RefundOrder: Codable, Hashable, Sendable {
    /// 1: an issue with the app; 0: another reason.
    package var reason: RevocationReason?
    /// A part of what was paid, in its currency; all that is left if it is missing.
    package var amount: String?
    /// Whether the customer loses it, if only a part is given back; of all of it that is not asked.
    package var revokes: Bool?

    package init(reason: RevocationReason? = nil, amount: String? = nil, revokes: Bool? = nil) {
        self.reason = reason
        self.amount = amount
        self.revokes = revokes
    }

    /// The reason, which has to be one that is known: it is signed.
    func known() throws -> RevocationReason {
        let reason = reason ?? .other
        guard RevocationReason.known.contains(reason) else {
            throw InvalidValue(
                .outOfRange, subject: "reason", value: "\(reason.rawValue)",
                rule: "is 1 for an issue with the app or 0 for another reason")
        }
        return reason
    }
}

package struct LedgerEntryReport: Codable, Hashable, Sendable {
    package struct Line: Codable, Hashable, Sendable {
        package var account: String
        package var amount: MoneyReport
    }

    package var entryId: LedgerEntryID
    package var kind: String
    /// The number of the purchase or of the refund.
    package var subject: Int64
    package var transactionId: TransactionID
    package var date: Instant
    package var lines: [Line]

    init(_ entry: Ledger.Entry) {
        entryId = entry.id
        kind = entry.kind.rawValue
        subject = entry.subject
        transactionId = entry.transaction
        date = entry.at
        lines = entry.postings.map { Line(account: $0.account.name, amount: MoneyReport($0.amount)) }
    }
}

/// What came of examining the books.
package struct LedgerCheckReport: Codable, Hashable, Sendable {
    package struct Sum: Codable, Hashable, Sendable {
        package var account: String
        package var amount: MoneyReport
    }

    package struct Problem: Codable, Hashable, Sendable {
        package var code: String
        package var message: String
    }

    package var isInOrder: Bool
    package var entries: Int
    package var sums: [Sum]
    /// How many movements of the processor were held against the books; absent if there is none to ask.
    package var movements: Int?
    /// How many of these belong to what still waits for an answer.
    package var underWay: Int
    package var problemCount: Int
    /// The first of them.
    package var problems: [Problem]

    init(_ report: LedgerReport) {
        isInOrder = report.isInOrder
        entries = report.entries
        sums = report.sums.map { Sum(account: $0.account, amount: MoneyReport($0.amount)) }
        movements = report.movements
        underWay = report.underWay
        problemCount = report.problemCount
        problems = report.problems.map { Problem(code: $0.code.name, message: $0.message) }
    }
}
