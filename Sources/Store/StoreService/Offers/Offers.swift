import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules

/// Which offer applies to a purchase, in the transactions in which that is decided.
///
/// An offer is judged when a purchase is opened, again when somebody signs in for it, and once more when it is confirmed: two
/// devices that ask at once for a trial both see it, and one gets it. What the loser is asked then is the full price.
enum Offers {
    /// The product at the price that holds for a customer; at the full one where nobody is signed in, who may be anybody.
    ///
    /// Throws what keeps the customer from an offer that was asked for.
    static func apply(
        _ choice: OfferChoice, to item: SoldItem, for scope: CustomerScope?, _ change: Change
    ) throws -> SoldItem {
        guard choice != .none, item.plan != nil else { return item }
        guard let scope else { return choice.asked.map { item.offered($0.terms) } ?? item }
        let (history, scale) = try judged(item, scope, change)
        let isNew = choice.introductory != nil && mayBeIntroduced(choice, history, scale, change)
        if let asked = choice.asked {
            let verdict = asked.condition.verdict(for: history, scale: scale, at: change.commerce)
            guard verdict.isEligible else {
                throw ServiceError(
                    .ineligibleForOffer, "the offer is not for this customer: \(verdict.reason)", parameter: "offerId")
            }
            if let code = asked.code {
                try OfferCodes.require(code, for: scope, at: change.commerce, in: change.transaction)
            }
            // The introductory offer goes before one that it may be stacked with.
            if asked.condition.isStackable, isNew, let first = choice.introductory { return item.offered(first) }
            return item.offered(asked.terms)
        }
        if isNew, let first = choice.introductory { return item.offered(first) }
        return item
    }

    /// Whether the introductory offer is for a customer: who is new to the group, unless the developer's server decides that.
    private static func mayBeIntroduced(
        _ choice: OfferChoice, _ history: SubscriberHistory, _ scale: PeriodScale, _ change: Change
    ) -> Bool {
        guard let allows = choice.allowsIntroductory else {
            return OfferCondition.introductory.verdict(for: history, scale: scale, at: change.commerce).isEligible
        }
        // Who subscribes now has no first period to come.
        return allows && !history.isBeingPaid && !history.isActive
    }

    private static func judged(
        _ item: SoldItem, _ scope: CustomerScope, _ change: Change
    ) throws -> (SubscriberHistory, PeriodScale) {
        (
            try SubscriberHistory(of: item, for: scope, at: change.commerce, in: change.transaction),
            try change.terms(of: scope.customer).scale
        )
    }

    // MARK: What was asked for

    /// Keeps what a purchase asks for, and what the developer's server says of the introductory offer, which has to hold when
    /// somebody signs in later, too; a signature that was used is refused.
    ///
    /// A purchase has one row. Beside an offer that is asked for, a no is kept as an offer that cannot be stacked; a yes counts
    /// when the purchase is opened.
    static func keep(
        _ choice: OfferChoice, of purchase: SaleID, app: AppID, customer: CustomerID?, _ change: Change
    ) throws {
        if let asked = choice.asked {
            let isStackable = asked.condition.isStackable && choice.allowsIntroductory != false
            try keep(asked, isStackable: isStackable, "asked", of: purchase, app: app, customer: customer, change)
        } else if let terms = choice.introductory, let allows = choice.allowsIntroductory {
            try keep(
                AskedOffer(terms, .introductory, .name), isStackable: false, allows ? allowed : denied, of: purchase,
                app: app, customer: customer, change)
        }
    }

    /// The states of a row that says whether the introductory offer applies.
    private static let (allowed, denied) = ("allowed", "denied")

    private static func keep(
        _ asked: AskedOffer, isStackable: Bool, _ state: String, of purchase: SaleID, app: AppID,
        customer: CustomerID?, _ change: Change
    ) throws {
        let transaction = change.transaction
        if case .signature(let nonce, let until) = asked.proof {
            try transaction.execute("DELETE FROM offer_nonce WHERE kept_until < $1", change.wall)
            let isNew = try transaction.insertIfNew(
                into: "offer_nonce",
                ["app_id": app, "nonce": nonce, "purchase_id": purchase, "kept_until": until])
            guard isNew else {
                throw ServiceError(
                    .invalidOfferSignature,
                    "the nonce of the offer was used for another purchase; each purchase needs a signature with a new one",
                    parameter: "discount.nonce")
            }
        }
        let (terms, condition) = (asked.terms, asked.condition)
        try transaction.insert(
            into: "purchase_offer",
            [
                "purchase_id": purchase, "app_id": app, "customer_id": customer, "kind": condition.kind.rawValue,
                "currency": terms.price.currency, "eligibility": OfferEligibility.text(condition.eligibility),
                "is_stackable": isStackable, "paid_months": condition.paidMonths,
                "lapsed_months": condition.lapsedMonths, "wait_months": condition.waitMonths, "code": asked.code,
                "state": state, "changed_at": change.commerce,
            ] + RowValues(terms, OfferTerms.columns))
    }

    /// What a purchase asked for; nil of those that asked for nothing.
    static func asked(_ purchase: SaleID, in transaction: any ReadTransaction) throws -> AskedOffer? {
        try transaction.optional(
            """
            SELECT currency, offer_type, offer_id, offer_mode, offer_period, offer_count, offer_price, kind, eligibility,
                is_stackable, paid_months, lapsed_months, wait_months, code
            FROM purchase_offer WHERE purchase_id = $1 AND kind <> $2
            """, purchase, OfferKind.introductory.rawValue
        ) { row -> AskedOffer? in
            var cells = row.cells
            let currency = try cells.next(as: Currency.self)
            guard let terms = try OfferTerms.next(in: &cells, currency: currency) else { return nil }
            let kind = try cells.nextWord(as: OfferKind.self)
            let words = try cells.next(as: String.self).split(separator: ",")
            let condition = try OfferCondition(
                kind, eligibility: Set(words.map { OfferEligibility(rawValue: String($0)) }),
                isStackable: cells.next(), paidMonths: cells.next(), lapsedMonths: cells.next(),
                waitMonths: cells.next())
            return AskedOffer(terms, condition, try cells.next(as: String?.self).map(AskedOffer.Proof.code) ?? .name)
        }.flatMap { $0 }
    }

    /// What the developer's server has said of the introductory offer; nil where it has said nothing.
    private static func allowsIntroductory(_ purchase: SaleID, in transaction: any ReadTransaction) throws -> Bool? {
        try transaction.optional(
            "SELECT state FROM purchase_offer WHERE purchase_id = $1 AND kind = $2", purchase,
            OfferKind.introductory.rawValue
        ) { try $0.value(0, as: String.self) == allowed }
    }

    // MARK: A purchase that goes on

    /// How a purchase goes on whose offer was judged again.
    // Closed: each is a way of its own.
    enum Revision {
        case item(SoldItem)
        case prevented(PurchaseFailure)
    }

    /// A purchase for which somebody has signed in: the product in the storefront of the account, with the offer that is for it.
    ///
    /// - Parameter lower: the offers of the product there, of all kinds.
    static func signedIn(
        _ purchase: StoredPurchase, _ item: SoldItem, _ lower: [ProductListing.LowerPrice], _ scope: CustomerScope,
        _ change: Change
    ) throws -> Revision {
        let introductory = lower.first { $0.offer.kind == .introductory }.map { $0.offer.terms(at: $0.price) }
        var asked = try asked(purchase.id.sale, in: change.transaction)
        if let former = asked {
            guard let found = lower.first(where: { $0.offer.id == former.terms.id }) else {
                return .prevented(.invalidOfferPrice)
            }
            let terms = found.offer.terms(at: found.price)
            let renewed = AskedOffer(terms, former.condition, former.proof)
            let owner: RowValues = ["customer_id": scope.customer, "currency": terms.price.currency]
            try change.transaction.update(
                "purchase_offer", owner + RowValues(terms, OfferTerms.columns), where: ["purchase_id": purchase.id])
            asked = renewed
        }
        let allows = try allowsIntroductory(purchase.id.sale, in: change.transaction)
        let choice = OfferChoice(introductory: introductory, allowsIntroductory: allows, asked: asked)
        return try revise(choice, item, scope, change)
    }

    private static func revise(
        _ choice: OfferChoice, _ item: SoldItem, _ scope: CustomerScope, _ change: Change
    ) throws -> Revision {
        do {
            return .item(try apply(choice, to: item, for: scope, change))
        } catch let refusal as ServiceError
            where [.ineligibleForOffer, .codeSpent, .codeExpired].contains(refusal.code)
        {
            return .prevented(refusal.code == .ineligibleForOffer ? .ineligibleForOffer : .codeSpent)
        }
    }

    /// A purchase that is about to be confirmed. What is not for the customer any more is either left out, where it applied by
    /// itself, or ends the purchase, where it was asked for.
    static func confirmed(_ purchase: StoredPurchase, _ change: Change) throws -> Revision {
        let item = purchase.item
        guard let offer = item.offer, let plan = item.plan else { return .item(item) }
        // Of two that are confirmed at once, one has to see the other.
        let scope = try purchase.requireScope()
        try Customers.claim(scope.customer, in: change.transaction)
        let full = SoldItem(plan, nil, group: item.group, storefront: item.storefront)
        let choice = OfferChoice(
            introductory: offer.kind == .introductory ? offer : nil,
            allowsIntroductory: try allowsIntroductory(purchase.id.sale, in: change.transaction),
            asked: try asked(purchase.id.sale, in: change.transaction))
        return try revise(choice, full, scope, change)
    }
}
