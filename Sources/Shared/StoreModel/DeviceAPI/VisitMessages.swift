/// A page of the store that an app wants to show.
package struct VisitRequest: Codable, Hashable, Sendable {
    /// The number of the item as the app has it; what is no number is explained in the refusal.
    package var itemId: String
    /// The product of the app that the page is to begin with.
    package var productId: String?

    package init(itemId: String, productId: String? = nil) {
        self.itemId = itemId
        self.productId = productId
    }
}

/// A page of the store that an app may show now.
package struct VisitAnswer: Codable, Hashable, Sendable {
    package var visitId: VisitID
    /// The number of the item.
    package var storeId: Int64
    /// The path of the page, which is a secret of this visit; missing if the store has no pages.
    package var page: String?
    /// The name of the item, in the language of the device.
    package var title: String
    /// Whoever made it.
    package var maker: String?
    /// What is said of it.
    package var text: String?
    /// What it costs in the storefront; missing if it is not sold there by itself.
    package var price: PriceAnswer?
    /// What can be bought in the app, if the page is the app's own.
    package var products: [VisitProductAnswer]
    /// When the visit ends by itself.
    package var expires: Instant

    package init(
        visitId: VisitID, storeId: Int64, page: String? = nil, title: String, maker: String? = nil,
        text: String? = nil, price: PriceAnswer? = nil, products: [VisitProductAnswer] = [], expires: Instant
    ) {
        self.visitId = visitId
        self.storeId = storeId
        self.page = page
        self.title = title
        self.maker = maker
        self.text = text
        self.price = price
        self.products = products
        self.expires = expires
    }
}

/// A product of an app, as the app's own page has it.
package struct VisitProductAnswer: Codable, Hashable, Sendable {
    package var productId: ProductID
    package var title: String
    package var price: PriceAnswer

    package init(productId: ProductID, title: String, price: PriceAnswer) {
        self.productId = productId
        self.title = title
        self.price = price
    }
}

/// How a visit stands.
package struct VisitStateAnswer: Codable, Hashable, Sendable {
    package var visitId: VisitID
    package var state: VisitState
    /// The product of the app that was chosen on the page; the app decides whether it is bought.
    package var productId: ProductID?

    package init(visitId: VisitID, state: VisitState, productId: ProductID? = nil) {
        self.visitId = visitId
        self.state = state
        self.productId = productId
    }
}

/// How far a visit has come, as `/device/v1` tells it.
package struct VisitState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The page may be shown.
    package static let open = VisitState(rawValue: "open")
    /// The person has seen enough, or the app has taken the page away.
    package static let closed = VisitState(rawValue: "closed")
    /// The person has bought something on the page.
    package static let bought = VisitState(rawValue: "bought")
    /// The person has chosen a product of the app.
    package static let chosen = VisitState(rawValue: "chosen")
    /// Nobody ended it in time.
    package static let expired = VisitState(rawValue: "expired")

    package static let known: Set<VisitState> = [.open, .closed, .bought, .chosen, .expired]
}
