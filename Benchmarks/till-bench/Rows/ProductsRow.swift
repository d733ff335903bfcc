import Foundation

/// `POST /device/v1/products` of 200 ids, as an app asks at each launch, against nginx with the same bytes in a file.
struct ProductsRow: BenchmarkRow {
    let name = "products"
    let summary = "The products of 200 ids, remembered as long as the catalogue stays as it is, to 64 connections."
    let reference = "nginx, sendfile of the same bytes"

    private static let count = 200
    private static let path = "/device/v1/products"

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: 100)
        let ids = try store.addProducts(Self.count).map { "\"\($0)\"" }.joined(separator: ",")
        let body = "{\"productIds\":[\(ids)]}"
        let bodies = store.path + "/products-bodies.txt"
        try body.write(toFile: bodies, atomically: true, encoding: .utf8)
        let token = "Authorization: Bearer \(StoreFolder.token(of: 1))"
        let server = try ServerProcess(store)
        let answer = try server.post(Self.path, body, fields: [token])
        let files = try ServerFiles()
        let file = files.folder.appendingPathComponent("products.json").path
        try answer.write(toFile: file, atomically: true, encoding: .utf8)
        return Contest(
            ours: WrkContestant(server, Self.path, clients: 64, fields: [token], bodies: bodies),
            reference: WrkContestant(
                try ServerProcess(nginxIn: files, products: file), Self.path, clients: 64, fields: [token],
                bodies: bodies))
    }
}
