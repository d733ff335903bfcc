import StoreModel
import StoreServer

extension AdminConnection {
    /// Every app, a page at a time.
    func apps() async throws -> [CatalogueAppAnswer] {
        var (found, after): ([CatalogueAppAnswer], String) = ([], "")
        while true {
            let page = try await ask(
                "GET", "\(CatalogueOptions.path)/apps?limit=1000\(after)", as: CatalogueAppList.self)
            found += page.apps
            guard let next = page.next else { return found }
            after = "&after=\(next)"
        }
    }

    /// Every product of an app, a page at a time.
    func products(of bundle: BundleID) async throws -> [CatalogueProductAnswer] {
        var (found, after): ([CatalogueProductAnswer], String) = ([], "")
        while true {
            let path = "\(CatalogueOptions.path(bundle))/products?limit=1000\(after)"
            let page = try await ask("GET", path, as: CatalogueProductList.self)
            found += page.products
            guard let next = page.next else { return found }
            after = "&after=\(next)"
        }
    }
}
