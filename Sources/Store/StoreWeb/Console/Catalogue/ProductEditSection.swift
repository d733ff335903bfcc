import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What a developer changes of a product on one page: its words in all languages, what reviewers are told, its pictures; how it
/// is submitted, and removed for good.
struct ProductEditSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        let product = "/apps/{bundleId}/products/{productId}"
        return [
            page(product + "/edit", for: .catalogue, .both) { try await ProductEditPage.response($0) },
            shown(product + "/edit", for: .catalogue, .both, limits: .catalogue, keep) {
                try await ProductEditPage.response($0)
            },
            page(product + "/screenshot", for: .catalogue, .both, screenshot),
            upload(
                product + "/screenshot", for: .catalogue, .both, limit: ProductImages.mostBytes, setScreenshot
            ) { try await ProductEditPage.response($0) },
            form(product + "/image-removal", for: .catalogue, .both) { visit, input in
                let path = try visit.product
                _ = try await visit.editing.removeImage(ProductImage.Kind(rawValue: input["kind"]), of: path)
                return visit.link(path.link + "/edit", done: .removed)
            } else: {
                try await ProductEditPage.response($0)
            },
            form(product + "/removal", for: .catalogue, .both) { visit, _ in
                let path = try visit.product
                try await visit.editing.remove(path)
                return visit.link("/apps/\(path.app)", done: .removed)
            } else: {
                try await ProductEditPage.response($0)
            },
            form(product + "/purchase", for: .customers, .here, buy) { try await ProductPage.response($0) },
        ]
    }

    // MARK: The form

    private func keep(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        let path = try visit.product
        let words = input["do"].split(separator: ":", maxSplits: 1).map(String.init)
        if words.first == "language" {
            var visit = visit
            visit.sent = SentForm(
                action: String(visit.request.target.raw.prefix { $0 != "?" }), items: input.items)
            return try await ProductEditPage.response(visit, adding: input["newLanguage"])
        }
        let removed = words.first == "remove" ? words.last : nil
        let product = try await visit.editing.product(path)
        let edit = Self.edit(input, of: product, without: removed)
        _ = try await visit.editing.change(edit, of: path)
        if let removed { _ = try await visit.editing.removeText(removed, of: path) }
        guard words.first == "submit" else {
            return redirect(to: visit.link(path.link + "/edit", done: removed == nil ? .kept : .removed))
        }
        let submission = ProductReviews.Submission(
            category: edit.facts.category ?? ProductCategory(rawValue: ""), delivers: edit.facts.delivers ?? "",
            version: input.text("version"), note: edit.facts.note)
        _ = try await visit.editing.submit(path, submission)
        return redirect(to: visit.link(path.link, done: .submitted))
    }

    /// - Parameter removed: the language of a text that is about to be taken away.
    private static func edit(
        _ input: FormInput, of product: CatalogueProduct, without removed: String?
    ) -> ProductEdit {
        var edit = ProductEdit()
        edit.referenceName = input.trimmed("referenceName")
        edit.isFamilyShareable = input["isFamilyShareable"] == "on"
        edit.taxCategory = TaxCategory(rawValue: input["taxCategory"])
        for item in input.items.all where item.name.hasPrefix("texts.") && item.name.hasSuffix(".title") {
            let language = String(item.name.dropFirst("texts.".count).dropLast(".title".count))
            guard language != removed else { continue }
            edit.texts[language] = ProductText(
                title: input.trimmed(item.name), description: input.lines("texts.\(language).description"))
        }
        edit.facts = ProductEntryForm.facts(input, of: product.kind)
        return edit
    }

    // MARK: Pictures

    private func screenshot(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let images = try await visit.editing.overview(of: visit.product).details.newestImages
        var response = try await images.first { $0.kind == .reviewScreenshot }.response(from: visit.services.blobs)
        response.fields["Cache-Control"] = "private, max-age=60"
        return response
    }

    private func setScreenshot(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> Link {
        let path = try visit.product
        try await visit.editing.setPicture(
            input.collect(), as: .reviewScreenshot, of: path, in: visit.services.blobs)
        return visit.link(path.link + "/edit", done: .kept)
    }

    // MARK: A try

    /// Sells the product to a tester, as an app of theirs would.
    private func buy(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let path = try visit.product
        guard visit.environment == .sandbox else {
            throw ServiceError(.notAllowed, "only testers buy by a press of somebody else", parameter: "customer")
        }
        let selection = try Checkout.Selection(product: path.product.text, quantity: nil, accountToken: nil)
        let sold: (status: SaleStatus, isNew: Bool)
        do {
            sold = try await Checkout(visit.store).sell(
                selection, to: input.trimmed("customer"), app: path.app, key: nil, visit.cause)
        } catch let error as ServiceError where error.code == .customerUnknown {
            throw ServiceError(
                error.code, "there is no tester of this number or address; make one under Testers",
                parameter: "customer")
        }
        if let transaction = sold.status.bought?.id { return visit.link("/transactions/\(transaction)", done: .made) }
        return visit.link("/purchases/\(sold.status.id)", done: .made)
    }
}
