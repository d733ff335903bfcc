import StoreCatalogue
package import StoreModel
package import StoreRules

/// The lower prices that a purchase may come to, as the catalogue has them. Which of them applies is judged in the transaction
/// that keeps the purchase, by what the customer has then.
package struct OfferChoice: Hashable, Sendable {
    /// What applies by itself to who is new to the group.
    package let introductory: OfferTerms?
    /// Whether the introductory one applies, where the developer's server has decided that; nil where the customer's history does.
    package let allowsIntroductory: Bool?
    /// What was asked for.
    package let asked: AskedOffer?

    package init(introductory: OfferTerms? = nil, allowsIntroductory: Bool? = nil, asked: AskedOffer? = nil) {
        self.introductory = introductory
        self.allowsIntroductory = allowsIntroductory
        self.asked = asked
    }

    package static let none = OfferChoice()
}

/// An offer that a purchase asks for: by a signature, by a code, or by its name where the operator sells.
package struct AskedOffer: Hashable, Sendable {
    package let terms: OfferTerms
    package let condition: OfferCondition
    /// What it is asked for with.
    package let proof: Proof

    // Closed: each is kept in its own way.
    package enum Proof: Hashable, Sendable {
        /// The word of the operator.
        case name
        /// A signature, good once; by the wall clock until then.
        case signature(nonce: String, until: Instant)
        case code(String)
    }

    package init(_ terms: OfferTerms, _ condition: OfferCondition, _ proof: Proof) {
        self.terms = terms
        self.condition = condition
        self.proof = proof
    }

    var code: String? {
        if case .code(let code) = proof { code } else { nil }
    }
}

extension SubscriptionOffer {
    /// For whom it is, as a rule.
    package var condition: OfferCondition {
        OfferCondition(
            kind, eligibility: audience.eligibility, isStackable: audience.isStackable,
            paidMonths: audience.paidMonths, lapsedMonths: audience.lapsedMonths, waitMonths: audience.waitMonths)
    }

    /// What it comes to at a price.
    package func terms(at price: Money) -> OfferTerms {
        OfferTerms(
            kind: kind, id: kind == .introductory ? nil : id, mode: paymentMode, period: period, count: periodCount,
            price: price)
    }
}

extension ProductListing {
    /// What applies by itself to who is new to the group.
    var introductory: OfferTerms? {
        offers.first { $0.offer.kind == .introductory }.map { $0.offer.terms(at: $0.price) }
    }

    /// An offer of any kind, and what it costs in the storefront.
    func lowerPrice(_ id: String) -> LowerPrice? { (offers + codes).first { $0.offer.id == id } }
}
