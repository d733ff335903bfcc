package import StoreCatalogue
package import StoreModel
package import StoreRules

/// How much is to be given back, as forms, commands and programs ask for it: a part in one of three ways, or all that is left
/// if none of them is named.
package struct RefundChoice: Hashable, Sendable {
    /// In the currency that was paid in, as somebody typed it.
    package var amount: String?
    /// A share of what was paid, in thousandths of a percent.
    package var percentage: Int?
    /// Whether it is the unused share of a subscription's period, which ends it.
    package var prorated: Bool
    /// What a form showed of that share, which is what is given back; nil for what is left at this moment.
    package var unused: String?
    /// Whether the customer loses the purchase with an amount or a share; nil if nobody said so, and then the customer keeps
    /// it.
    package var revokes: Bool?

    package init(
        amount: String? = nil, percentage: Int? = nil, prorated: Bool = false, unused: String? = nil,
        revokes: Bool? = nil
    ) {
        self.amount = amount
        self.percentage = percentage
        self.prorated = prorated
        self.unused = unused
        self.revokes = revokes
    }

    /// What is given back. What contradicts itself is refused: who says something of a part and names none meant another
    /// refund than all of it.
    ///
    /// - Parameter currency: that was paid in.
    package func extent(in currency: Currency) throws(ServiceError) -> RefundExtent {
        guard [amount != nil, percentage != nil, prorated].count(where: { $0 }) <= 1 else {
            throw ServiceError(
                .valueInvalid, "an amount, a percentage and the unused share exclude each other; name one of them",
                parameter: amount == nil ? "percentage" : "amount")
        }
        guard revokes == nil || amount != nil || percentage != nil else {
            throw ServiceError(
                .valueInvalid,
                "only with an amount or a percentage it can be said whether the customer loses the purchase; with all that "
                    + "is left, and with the unused share of a period, that is always so",
                parameter: "revokes")
        }
        if prorated {
            guard let unused else { return .prorated() }
            return .prorated(shown: try money(unused, in: currency))
        }
        if let percentage { return .percentage(percentage) }
        guard let amount else { return .full }
        let money = try money(amount, in: currency)
        guard money.minorUnits > 0 else {
            throw ServiceError(.valueInvalid, "the amount is more than nothing", parameter: "amount")
        }
        return .amount(money)
    }

    private func money(_ text: String, in currency: Currency) throws(ServiceError) -> Money {
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            throw ServiceError(.valueInvalid, "the amount \(error.rule)", parameter: "amount")
        }
    }
}
