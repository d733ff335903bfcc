import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Content that the store hosts: what each environment delivers, uploads in the browser, and the way of a version.
extension ConsoleRoutes {
    private static let number = PathParameter<Int>("number", rule: "the number of a version of the content") {
        Int($0).flatMap { (1...HostingLimits.versions).contains($0) ? $0 : nil }
    }

    var contentRoutes: [Route] {
        let product = "/apps/{bundleId}/products/{productId}"
        return [
            page(product + "/content", for: .catalogue, .both) { try await Self.content($0) },
            upload(product + "/content", for: .catalogue, .both, limit: Int(HostingLimits.packageBytes)) {
                try await Self.receive($0, &$1)
            } else: {
                try await Self.content($0)
            },
            page(product + "/content/{number}", for: .catalogue, .both) { try await Self.version($0) },
            form(product + "/content/{number}/withdrawal", for: .catalogue, .both) { visit, _ in
                let number = try visit.request[Self.number]
                let path = try await Self.change(visit) { product, cause, transaction in
                    try HostedContent.withdraw(number, of: product, cause, in: transaction)
                }
                return visit.link(path + "/content", done: .changed)
            } else: {
                try await Self.version($0)
            },
            form(product + "/hosting/{act}", for: .catalogue, .both) { visit, _ in
                let isHosted = try visit.act(HostingAct.self) == .on
                let path = try await Self.change(visit) { product, cause, transaction in
                    try Catalogue.setHosting(isHosted, of: product, cause, in: transaction)
                }
                return visit.link(isHosted ? path + "/content" : path, done: .changed)
            } else: {
                try await Self.product($0)
            },
        ]
    }

    /// Changes the product of the path. Returns the path of its page.
    static func change(
        _ visit: ConsoleVisit,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueCause, any WriteTransaction) throws -> Void
    ) async throws -> String {
        let (bundle, id) = (try visit.request[Self.bundle], try visit.request[Self.product])
        let cause = visit.catalogueCause
        try await visit.desk.catalogue.write { transaction in
            try body(listed(visit, in: transaction).product, cause, transaction)
        }
        return "/apps/\(bundle)/products/\(id)"
    }

    /// The product of the path, and its app.
    static func listed(
        _ visit: ConsoleVisit, in transaction: any ReadTransaction
    ) throws -> (app: CatalogueApp, product: CatalogueProduct) {
        let app = try found(visit, in: transaction)
        guard let product = try Catalogue.product(visit.request[Self.product], of: app.id, in: transaction),
            product.removedAt == nil
        else { throw CatalogueError(.productUnknown, "the app has no such product", field: "productId") }
        return (app, product)
    }

    private static func content(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (app, product, versions) = try await visit.desk.catalogue.read { transaction in
            let (app, product) = try listed(visit, in: transaction)
            return (app, product, try HostedContent.list(of: product.itemID, in: transaction))
        }
        let promises =
            visit.may(.customers)
            ? try await ContentPromise.list(of: product.itemID, limit: ContentPage.mostPromises, by: visit.store) : nil
        return try await ContentPage(
            visit: visit, app: app, product: product, versions: versions, promises: promises
        ).response()
    }

    private static func version(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let number = try visit.request[Self.number]
        let (app, product, content, files) = try await visit.desk.catalogue.read { transaction in
            let (app, product) = try listed(visit, in: transaction)
            let content = try HostedContent.require(number, of: product, in: transaction)
            return (app, product, content, try content.files(in: transaction))
        }
        return try await ContentVersionPage(
            visit: visit, app: app, product: product, content: content, files: files
        ).response()
    }

    /// Takes a package in that a form sends.
    private static func receive(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> Link {
        guard let blobs = try visit.desk.blobs() else {
            throw ServiceError(.storeUnavailable, "no folder for content is open in this process")
        }
        // Said before two gigabytes have come.
        try await visit.desk.catalogue.read { transaction in
            try ContentUploads.requireOpen(listed(visit, in: transaction).product)
        }
        var receiver = try ContentReceiver(blobs, of: visit.desk.catalogue, wall: visit.desk.wall)
        while let piece = try await input.next() { try await receiver.add(piece) }
        let (received, intake) = (try await receiver.finish(), visit.desk.content)
        let path = try await change(visit) { product, cause, transaction in
            _ = try ContentUploads.enter(received, for: product, intake: intake, cause, in: transaction)
        }
        return visit.link(path + "/content", done: .uploaded)
    }
}
