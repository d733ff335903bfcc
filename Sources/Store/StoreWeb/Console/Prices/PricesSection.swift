import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The prices of a product: all storefronts as one form, what was set beforehand, and the same as a file.
struct PricesSection: ConsoleSection {
    let services: ConsoleServices

    static let path = "/apps/{bundleId}/products/{productId}/prices"

    var routes: [Route] {
        [
            page(Self.path, for: .catalogue, .both) { try await PricesPage.response($0) },
            page(Self.path + "/file.csv", for: .catalogue, .both, file),
            shown(Self.path, for: .catalogue, .both, limits: PriceForm.limits, change) {
                try await PricesPage.response($0)
            },
            lookedAt(Self.path + "/file", for: .catalogue, .both, limit: PriceFile.limit, look) {
                try await PricesPage.response($0)
            },
            form(Self.path + "/schedule", for: .catalogue, .both, schedule) { try await PricesPage.response($0) },
            form(Self.path + "/cancellation", for: .catalogue, .both, cancel) { try await PricesPage.response($0) },
            form(Self.path + "/tax", for: .catalogue, .both) { visit, input in
                let path = try visit.product
                _ = try await visit.editing.setTaxCategory(TaxCategory(rawValue: input["taxCategory"]), of: path)
                return visit.link(path.link + "/prices", done: .changed)
            } else: {
                try await PricesPage.response($0)
            },
        ]
    }

    private func file(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let path = try visit.product
        let list = try await visit.editing.priceList(of: path)
        var response = HTTPResponse(.ok, Array(PriceFile.text(of: list).utf8), as: "text/csv")
        response.fields["Cache-Control"] = "private, no-store"
        response.fields["Content-Disposition"] = "attachment; filename=\"prices-\(path.product).csv\""
        return response
    }

    /// Sets the prices of the form, or shows what that would do.
    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        let path = try visit.product
        let edits = try PriceForm.edits(input.items, of: await visit.editing.priceList(of: path))
        let isPreview = input[PriceForm.act] == PriceForm.preview
        let made = try await visit.editing.setPrices(edits, of: path, isTrial: isPreview)
        guard isPreview else { return redirect(to: visit.link(path.link + "/prices", done: .changed)) }
        return try await Self.shown(made, input.items, visit)
    }

    /// Shows what a file would do, in the form that does it.
    private func look(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> HTTPResponse {
        let (path, editing) = (try visit.product, visit.editing)
        let edits = try PriceFile.edits(try await input.collect())
        let list = try await editing.priceList(of: path)
        let made = try await editing.setPrices(edits, of: path, isTrial: true)
        return try await Self.shown(made, PriceForm.items(of: edits, list), visit)
    }

    private static func shown(
        _ made: PriceListChange, _ items: QueryItems, _ visit: ConsoleVisit
    ) async throws -> HTTPResponse {
        var visit = visit
        let path = try visit.product.link + "/prices"
        visit.sent = SentForm(action: visit.link(path).text, items: items)
        return try await PricesPage.response(visit, change: made)
    }

    // MARK: Beforehand

    private func schedule(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let path = try visit.product
        let place = input["storefront"].isEmpty ? nil : StorefrontCode(rawValue: input["storefront"])
        let storefront = try place?.known(parameter: "storefront")
        guard let currency = storefront?.currency ?? Currency(input["laterCurrency"]) else {
            throw CatalogueError(.valueInvalid, "it is the code of a currency", field: "laterCurrency")
        }
        let price = try PriceEdits.money(input["amount"], in: currency, field: "amount")
        _ = try await visit.editing.schedulePrice(price, of: path, in: place, from: Self.day(input["startsAt"]))
        return visit.link(path.link + "/prices", done: .changed)
    }

    private func cancel(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let path = try visit.product
        // A button names the moment and the storefront.
        let parts = input["change"].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let start = try? Instant(rfc3339: parts[0]) else {
            throw CatalogueError(.valueInvalid, "it is a moment and a storefront", field: "change")
        }
        let place = parts[1].isEmpty ? nil : StorefrontCode(rawValue: parts[1])
        _ = try await visit.editing.schedulePrice(nil, of: path, in: place, from: start)
        return visit.link(path.link + "/prices", done: .changed)
    }

    /// The beginning of a day, or a moment that is written out.
    private static func day(_ text: String) throws(CatalogueError) -> Instant {
        if let moment = try? Instant(rfc3339: text.count == 10 ? "\(text)T00:00:00Z" : text) { return moment }
        throw CatalogueError(
            .valueInvalid, "it is a day such as 2027-01-31, or a moment as in 2027-01-31T12:00:00Z", field: "startsAt")
    }
}
