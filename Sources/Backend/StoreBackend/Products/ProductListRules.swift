import StoreModel

/// What a list has to keep to before it is published.
struct ProductListRules {
    /// How long names of balances, contents and titles may be, in characters.
    static let nameLength = 1...100
    /// How long a reason may be, in characters.
    static let longestReason = 500

    let settings: BackendSettings

    /// The list as it is kept; throws ``BackendError/Code/invalidValue`` with the product and the rule that it breaks.
    ///
    /// - Parameter former: the subscriptions that earlier lists had, which may include a product still.
    func checked(_ list: ProductList, subscriptions former: Set<ProductID>) throws -> ProductList {
        guard list.products.count <= settings.limits.productsPerList else {
            throw BackendError(
                .invalidValue, "A list has at most \(settings.limits.productsPerList) products.", parameter: "products")
        }
        let listed = Set(list.products.map(\.productID))
        let subscriptions = Set(list.products.lazy.filter { $0.kind.isSubscription }.map(\.productID))
            .union(former.subtracting(listed))
        var known: Set<ProductID> = []
        var checked = list
        for index in checked.products.indices {
            let product = checked.products[index]
            guard known.insert(product.productID).inserted else {
                throw broken(product, "is listed twice", "productId")
            }
            try check(product, subscriptions: subscriptions)
            // What the backend says itself.
            (checked.products[index].contentVersion, checked.products[index].contentBytes) = (nil, nil)
        }
        return checked
    }

    private func check(_ product: ListedProduct, subscriptions: Set<ProductID>) throws {
        guard product.kind.isKnown else {
            let kinds = ProductKind.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw broken(product, "has a kind that is none of \(kinds)", "kind")
        }
        try checkName(product.title, of: product, "title")
        try checkName(product.content, of: product, "content")
        if let credit = product.credit {
            try checkName(credit.name, of: product, "credit.name")
            guard (1...settings.limits.balanceAmount).contains(credit.amount) else {
                throw broken(product, "credits 1 to \(settings.limits.balanceAmount)", "credit.amount")
            }
        }
        for subscription in product.includedIn ?? [] where !subscriptions.contains(subscription) {
            throw broken(
                product, "is included in \(subscription), which is no subscription of this list or an earlier one",
                "includedIn")
        }
        do {
            let range = try AppVersionRange(product)
            if let first = range.first, let last = range.last, last < first {
                throw broken(product, "has a last app version before its first", "maximumAppVersion")
            }
        } catch let error as InvalidValue {
            throw broken(product, "has an app version that is wrong: \(error)", "minimumAppVersion")
        }
        try checkPeriods(of: product)
    }

    private func checkPeriods(of product: ListedProduct) throws {
        guard product.kind.isSubscription else {
            guard product.period == nil, product.minimumPeriod == nil, product.minimumPeriodReason == nil else {
                throw broken(product, "has a period, and only subscriptions have one", "period")
            }
            return
        }
        if product.kind == .nonRenewing, product.period == nil {
            throw broken(
                product, "needs a period: that of a subscription which does not renew is counted here", "period")
        }
        if let period = product.period, period.isShorter(than: settings.minimumPeriod) {
            throw broken(
                product,
                "has the period \(period), and the shortest is \(settings.minimumPeriod): subscribers would be asked too often",
                "period")
        }
        let reason = product.minimumPeriodReason
        guard (product.minimumPeriod == nil) == (reason == nil) else {
            throw broken(product, "has a minimum period or its reason alone, and needs both", "minimumPeriodReason")
        }
        if let reason, reason.isEmpty || reason.count > Self.longestReason || NameRule.flaw(of: reason) != nil {
            throw broken(
                product, "has a reason that is empty, longer than \(Self.longestReason) characters, or not plain text",
                "minimumPeriodReason")
        }
    }

    private func checkName(_ name: String?, of product: ListedProduct, _ parameter: String) throws {
        guard let name else { return }
        guard Self.nameLength.contains(name.count), NameRule.flaw(of: name) == nil else {
            throw broken(
                product,
                "has a \(parameter) that is not of 1 to \(Self.nameLength.upperBound) characters without control characters",
                parameter)
        }
    }

    private func broken(_ product: ListedProduct, _ rule: String, _ parameter: String) -> BackendError {
        BackendError(.invalidValue, "\(product.productID) \(rule).", parameter: parameter)
    }
}

extension ProductKind {
    /// Whether it gives something for a time.
    var isSubscription: Bool { self == .autoRenewable || self == .nonRenewing || self == .freeSubscription }
}

extension BillingPeriod {
    /// Whether it ends earlier than another that begins with it.
    func isShorter(than other: BillingPeriod) -> Bool {
        let start = Instant(millisecondsSinceEpoch: 0)
        return start.adding(self) < start.adding(other)
    }
}

/// The versions of an app that may have something.
struct AppVersionRange: Hashable, Sendable {
    var first: ContentVersion?
    var last: ContentVersion?

    init(first: String?, last: String?) throws(InvalidValue) {
        self.first = if let first { try ContentVersion(parsing: first) } else { nil }
        self.last = if let last { try ContentVersion(parsing: last) } else { nil }
    }

    init(_ product: ListedProduct) throws(InvalidValue) {
        try self.init(first: product.minimumAppVersion, last: product.maximumAppVersion)
    }

    /// Whether a version is among them. An app that does not say its version is given everything.
    func contains(_ version: ContentVersion?) -> Bool {
        guard let version else { return true }
        return first.map { $0 <= version } ?? true && last.map { version <= $0 } ?? true
    }

    /// Reads the version of an app.
    static func read(_ text: String, parameter: String) throws -> ContentVersion {
        do {
            return try ContentVersion(parsing: text)
        } catch {
            throw BackendError(.invalidValue, "The version is wrong: \(error.rule).", parameter: parameter)
        }
    }
}
