/// What was bought from a developer's own catalogue.
public struct AdvancedCommerceTransactionInfo: Codable, Hashable, Sendable {
    /// The request that made the purchase.
    public var requestReferenceId: RequestReferenceID?
    /// The kind of goods, for tax.
    public var taxCode: String?
    /// The rate of tax, as a decimal number.
    public var taxRate: String?
    /// The tax in the price, in thousandths of the main unit.
    public var estimatedTax: Int64?
    /// The price without tax, in thousandths of the main unit.
    public var taxExclusivePrice: Int64?
    /// The period of a subscription.
    public var period: BillingPeriod?
    /// What the purchase is called.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items.
    public var items: [AdvancedCommerceTransactionItem]?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        requestReferenceId: RequestReferenceID? = nil,
        taxCode: String? = nil,
        taxRate: String? = nil,
        estimatedTax: Int64? = nil,
        taxExclusivePrice: Int64? = nil,
        period: BillingPeriod? = nil,
        descriptors: AdvancedCommerceDescriptors? = nil,
        items: [AdvancedCommerceTransactionItem]? = nil
    ) {
        self.requestReferenceId = requestReferenceId
        self.taxCode = taxCode
        self.taxRate = taxRate
        self.estimatedTax = estimatedTax
        self.taxExclusivePrice = taxExclusivePrice
        self.period = period
        self.descriptors = descriptors
        self.items = items
    }
}

/// One item of a purchase from a developer's own catalogue.
public struct AdvancedCommerceTransactionItem: Codable, Hashable, Sendable {
    /// The developer's own id of the item.
    public var sku: String?
    /// Its name.
    public var displayName: String?
    /// What it is, in a sentence.
    public var description: String?
    /// Its price, in thousandths of the main unit.
    public var price: Int64?
    /// The offer on it.
    public var offer: AdvancedCommerceOffer?
    /// What was refunded of it.
    public var refunds: [AdvancedCommerceRefund]?
    /// When it was taken back.
    public var revocationDate: Instant?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        sku: String? = nil,
        displayName: String? = nil,
        description: String? = nil,
        price: Int64? = nil,
        offer: AdvancedCommerceOffer? = nil,
        refunds: [AdvancedCommerceRefund]? = nil,
        revocationDate: Instant? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.refunds = refunds
        self.revocationDate = revocationDate
    }

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case displayName
        case description
        case price
        case offer
        case refunds
        case revocationDate
    }
}

/// What renews of a subscription from a developer's own catalogue.
public struct AdvancedCommerceRenewalInfo: Codable, Hashable, Sendable {
    /// The request that made the subscription.
    public var requestReferenceId: RequestReferenceID?
    /// The state that the next change must start from.
    public var consistencyToken: String?
    /// The kind of goods, for tax.
    public var taxCode: String?
    /// The period.
    public var period: BillingPeriod?
    /// What the subscription is called.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items.
    public var items: [AdvancedCommerceRenewalItem]?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        requestReferenceId: RequestReferenceID? = nil,
        consistencyToken: String? = nil,
        taxCode: String? = nil,
        period: BillingPeriod? = nil,
        descriptors: AdvancedCommerceDescriptors? = nil,
        items: [AdvancedCommerceRenewalItem]? = nil
    ) {
        self.requestReferenceId = requestReferenceId
        self.consistencyToken = consistencyToken
        self.taxCode = taxCode
        self.period = period
        self.descriptors = descriptors
        self.items = items
    }
}

/// One item of a subscription from a developer's own catalogue, as it will renew.
public struct AdvancedCommerceRenewalItem: Codable, Hashable, Sendable {
    /// The developer's own id of the item.
    public var sku: String?
    /// Its name.
    public var displayName: String?
    /// What it is, in a sentence.
    public var description: String?
    /// Its price, in thousandths of the main unit.
    public var price: Int64?
    /// The offer on it.
    public var offer: AdvancedCommerceOffer?
    /// A higher price to come.
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        sku: String? = nil,
        displayName: String? = nil,
        description: String? = nil,
        price: Int64? = nil,
        offer: AdvancedCommerceOffer? = nil,
        priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.priceIncreaseInfo = priceIncreaseInfo
    }

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case displayName
        case description
        case price
        case offer
        case priceIncreaseInfo
    }
}

/// What a purchase is called where people see it.
public struct AdvancedCommerceDescriptors: Codable, Hashable, Sendable {
    /// Its name.
    public var displayName: String
    /// What it is, in a sentence.
    public var description: String

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        displayName: String,
        description: String
    ) {
        self.displayName = displayName
        self.description = description
    }
}

/// An offer on an item.
public struct AdvancedCommerceOffer: Codable, Hashable, Sendable {
    /// How long one period of the offer lasts.
    public var period: BillingPeriod
    /// How many periods it lasts, 1 to 12.
    public var periodCount: Int
    /// The price of one period, in thousandths of the main unit.
    public var price: Int64
    /// Why it is given.
    public var reason: AdvancedCommerceOfferReason

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        period: BillingPeriod,
        periodCount: Int,
        price: Int64,
        reason: AdvancedCommerceOfferReason
    ) {
        self.period = period
        self.periodCount = periodCount
        self.price = price
        self.reason = reason
    }
}

/// A higher price of an item that renews.
public struct AdvancedCommercePriceIncreaseInfo: Codable, Hashable, Sendable {
    /// Other items whose new prices depend on this one.
    public var dependentSKUs: [String]?
    /// The new price, in thousandths of the main unit.
    public var price: Int64?
    /// How far it has come.
    public var status: AdvancedCommercePriceIncreaseStatus?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        dependentSKUs: [String]? = nil,
        price: Int64? = nil,
        status: AdvancedCommercePriceIncreaseStatus? = nil
    ) {
        self.dependentSKUs = dependentSKUs
        self.price = price
        self.status = status
    }
}

/// One refund of an item.
public struct AdvancedCommerceRefund: Codable, Hashable, Sendable {
    /// What was refunded, in thousandths of the main unit.
    public var refundAmount: Int64?
    /// When.
    public var refundDate: Instant?
    /// Why.
    public var refundReason: AdvancedCommerceRefundReason?
    /// How much of it.
    public var refundType: AdvancedCommerceRefundType?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        refundAmount: Int64? = nil,
        refundDate: Instant? = nil,
        refundReason: AdvancedCommerceRefundReason? = nil,
        refundType: AdvancedCommerceRefundType? = nil
    ) {
        self.refundAmount = refundAmount
        self.refundDate = refundDate
        self.refundReason = refundReason
        self.refundType = refundType
    }
}
