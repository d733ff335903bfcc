import StoreFoundation
import StoreModel
import StoreRules

/// What files for Xcode call offers.
enum StoreKitOffers {
    static let lists = OfferKind.allCases.map { ($0, list(of: $0)) }

    /// The member with the offers of a kind.
    private static func list(of kind: OfferKind) -> String {
        switch kind {
        case .introductory: "introductoryOffers"
        case .promotional: "adHocOffers"
        case .code: "codeOffers"
        case .winBack: "winbackOffers"
        }
    }

    static let modes: [String: OfferPaymentMode] = [
        "free": .free, "payAsYouGo": .payAsYouGo, "payUpFront": .payUpFront,
    ]
}

extension StoreKitFileReader {
    /// The offers of the kinds that an object of a file has members for.
    func offers(of item: FileObject, _ period: BillingPeriod?) -> [OfferKind: [SubscriptionOffer]] {
        var offers: [OfferKind: [SubscriptionOffer]] = [:]
        let owner = item.product ?? item.place
        for (kind, name) in StoreKitOffers.lists where item.members[name] != nil {
            var objects = item.list(name).filter(Self.isOffer)
            if kind == .introductory, objects.count > 1 {
                findings.omit("further introductory offers", objects.count - 1, of: owner)
                objects = Array(objects.prefix(1))
            }
            var ids: Set<String> = []
            offers[kind] = objects.compactMap { object in
                guard let offer = offer(object, kind, of: period) else { return nil }
                // Xcode reads such files, and takes the first.
                if ids.insert(offer.id).inserted { return offer }
                findings.omit("offers whose id another offer has", of: "\(offer.id) of \(owner)")
                return nil
            }
        }
        // Where a file has both, the list is what counts.
        if offers[.introductory] == nil, item.members["introductoryOffer"] != nil {
            let one = item.object("introductoryOffer").map { [$0] } ?? []
            offers[.introductory] = one.filter(Self.isOffer).compactMap { offer($0, .introductory, of: period) }
        }
        return offers
    }

    private func offer(
        _ object: FileObject, _ kind: OfferKind, of period: BillingPeriod?
    ) -> SubscriptionOffer? {
        object.tellUnknown(but: [
            "internalID", "paymentMode", "subscriptionPeriod", "displayPrice", "numberOfPeriods", "offerID",
            "referenceName", "eligibility", "isStackable", "billingPlanType", "isEligible",
        ])
        let modes = StoreKitOffers.modes
        guard let name = object.text("paymentMode", isRequired: true) else { return nil }
        guard let mode = modes[name] else {
            object.refuse("it is \(modes.keys.sorted().joined(separator: ", ")) or none", "paymentMode")
            return nil
        }
        let lasting = object.text("subscriptionPeriod", isRequired: true).flatMap { text in
            object.check("subscriptionPeriod") { try BillingPeriod(parsing: text) }
        }
        guard let lasting, let id = id(of: object, kind) else { return nil }
        if mode != .free, object.members["displayPrice"]?.string?.isEmpty == true {
            findings.omit("offers without a price", of: "\(id) of \(object.product ?? object.place)")
            return nil
        }
        let price = mode == .free ? nil : price(object)
        // The number says something only where each period is paid.
        let number = object.number("numberOfPeriods") ?? 1
        let eligibility = object.words("eligibility").map(OfferEligibility.init)
        let reference = object.text("referenceName").flatMap { $0.isEmpty ? nil : $0 }
        let names = ["price": "displayPrice", "periodCount": "numberOfPeriods", "offerId": "offerID"]
        return object.check("subscriptionPeriod", names) {
            let offer = try SubscriptionOffer(
                id: id, kind: kind, referenceName: kind == .code ? nil : reference, paymentMode: mode, period: lasting,
                periodCount: mode == .payAsYouGo ? number : 1, basePrice: price,
                audience: .init(
                    eligibility: Set(eligibility), isStackable: object.flag("isStackable") ?? false))
            try offer.check(for: .autoRenewable, period)
            return offer
        }
    }

    /// An introductory offer has no name in a file, and a code has one only for its developer.
    private func id(of object: FileObject, _ kind: OfferKind) -> String? {
        switch kind {
        case .introductory: SubscriptionOffers.introductoryID
        case .code: object.text("referenceName", isRequired: true)
        default: object.text("offerID", isRequired: true)
        }
    }
}
