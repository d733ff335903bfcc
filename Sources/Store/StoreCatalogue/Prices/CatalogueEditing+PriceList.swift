import StoreDatabase
import StoreModel
import StoreRules

extension CatalogueEditing {
    /// What a product costs in every storefront.
    package func priceList(of path: ProductPath) async throws -> PriceList {
        let commerce = commerce()
        return try await read { try priceList(of: path, at: commerce, in: $0) }
    }

    /// Sets many prices of a product in one change: all of them or none.
    ///
    /// - Parameter isTrial: whether to tell only what it would do; it is done and undone, so that the same rules hold.
    package func setPrices(
        _ edits: PriceEdits, of path: ProductPath, isTrial: Bool = false
    ) async throws -> PriceListChange {
        let commerce = commerce()
        do {
            return try await write { change in
                _ = try product(path, in: change.transaction)
                let before = try priceList(of: path, at: commerce, in: change.transaction)
                try Catalogue.setPrices(edits, of: before, change)
                let after = try priceList(of: path, at: commerce, in: change.transaction)
                let made = PriceListChange(before: before, after: after)
                if isTrial { throw Trial(change: made) }
                return made
            }
        } catch let trial as Trial {
            return trial.change
        }
    }

    private struct Trial: Error {
        let change: PriceListChange
    }

    private func priceList(
        of path: ProductPath, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> PriceList {
        try PriceList(
            Catalogue.details(of: shown(path, in: transaction), at: commerce, in: transaction), at: commerce)
    }
}

extension Catalogue {
    /// Sets the prices that differ from those of a table.
    static func setPrices(_ edits: PriceEdits, of list: PriceList, _ change: CatalogueChange) throws {
        let product = list.product
        let wanted = edits.storefronts.sorted { $0.key.rawValue < $1.key.rawValue }
        // All of it is looked at before anything is changed, so that the error names the value.
        for (code, price) in wanted {
            guard let storefront = code.storefront else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "prices.\(code.rawValue)")
            }
            guard case .own(let price) = price else { continue }
            try ProductDraft.check(price, in: storefront, field: "prices.\(code.rawValue)")
            try product.kind.checkFree(price, field: "prices.\(code.rawValue)")
        }
        if let base = edits.base {
            try ProductDraft.check(base, field: "base")
            try product.kind.checkFree(base, field: "base")
        }
        let base = edits.base.flatMap { $0 == list.base ? nil : $0 }
        let former = Dictionary(uniqueKeysWithValues: list.rows.map { ($0.code, $0) })
        let edited = wanted.filter { code, price in
            guard let row = former[code], row.wanted == price else { return true }
            // A new base price takes the place of own ones in its currency; those that are asked for stay.
            return base != nil && row.own?.currency == base?.currency
        }
        guard base != nil || !edited.isEmpty else { return }
        try Self.change(product, action(base, edited.count), change) {
            if let base { try setBasePrice(base, of: product, change.part) }
            for (code, price) in edited {
                guard let storefront = code.storefront else { continue }
                try setPrice(price, of: product, in: storefront, change.part)
            }
        }
    }

    private static func action(_ base: Money?, _ count: Int) -> String {
        let storefronts = count == 1 ? "1 storefront" : "\(count) storefronts"
        return base == nil ? "prices in \(storefronts)" : count == 0 ? "price" : "price, and prices in \(storefronts)"
    }
}

extension PriceList.Row {
    /// What would have to be asked for to have it as it is.
    fileprivate var wanted: StorefrontPrice {
        isWithdrawn ? .notSold : own.map(StorefrontPrice.own) ?? .derived
    }
}
