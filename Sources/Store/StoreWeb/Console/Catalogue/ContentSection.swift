import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Content that the store hosts: what each environment delivers, uploads in the browser, and the way of a version.
struct ContentSection: ConsoleSection {
    let services: ConsoleServices

    private static let number = PathParameter<Int>("number", rule: "the number of a version of the content") {
        Int($0).flatMap { (1...HostingLimits.versions).contains($0) ? $0 : nil }
    }

    var routes: [Route] {
        let product = "/apps/{bundleId}/products/{productId}"
        return [
            page(product + "/content", for: .catalogue, .both, list),
            upload(
                product + "/content", for: .catalogue, .both, limit: Int(HostingLimits.packageBytes),
                receive, else: list),
            page(product + "/content/{number}", for: .catalogue, .both, show),
            form(product + "/content/{number}/withdrawal", for: .catalogue, .both) { visit, _ in
                let path = try visit.product
                _ = try await visit.editing.withdrawContent(visit.request[Self.number], of: path)
                return visit.link(path.link + "/content", done: .changed)
            } else: {
                try await show($0)
            },
            form(product + "/hosting/{act}", for: .catalogue, .both) { visit, _ in
                let isHosted = try visit.act(HostingAct.self) == .on
                let path = try visit.product
                _ = try await visit.editing.setHosting(isHosted, of: path)
                return visit.link(isHosted ? path.link + "/content" : path.link, done: .changed)
            } else: {
                try await ProductPage.response($0)
            },
        ]
    }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let found = try await visit.editing.productContents(of: visit.product)
        let promises =
            visit.may(.customers)
            ? try await ContentPromise.list(of: found.product.itemID, limit: ContentPage.mostPromises, by: visit.store)
            : nil
        return try await ContentPage(
            visit: visit, app: found.app, product: found.product, versions: found.versions, promises: promises
        ).response()
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let number = try visit.request[Self.number]
        let found = try await visit.editing.productContents(of: visit.product, version: number)
        guard let content = found.versions.first else {
            throw APIError(.notFound, code: "path_unknown", "There is no such page.")
        }
        return try await ContentVersionPage(
            visit: visit, app: found.app, product: found.product, content: content, files: found.files
        ).response()
    }

    /// Takes a package in that a form sends.
    private func receive(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> Link {
        let path = try visit.product
        try await visit.editing.takePackage(
            of: path, called: input.fileName, visit.services.content, in: visit.services.blobs
        ) { try await input.next() }
        return visit.link(path.link + "/content", done: .uploaded)
    }
}
