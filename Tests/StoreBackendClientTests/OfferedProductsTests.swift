import StoreBackendClient
import StoreHTTP
import StoreHTTPListener
import StoreModel
import TestSupport
import Testing

@Suite("The list of what an app may sell", .bounded)
struct OfferedProductsTests {
    private static let path = "GET /v1/apps/com.example.magazines/products"

    private static func list(_ version: Int, _ issues: [Int]) throws -> HTTPResponse {
        let products = try issues.map { number in
            OfferedProduct(productId: try ProductID(parsing: "issue\(number)"), kind: .nonConsumable)
        }
        var response = try HTTPResponse.json(
            ProductListAnswer(bundleId: BundleID(parsing: Played.bundle), version: version, products: products))
        response.fields["ETag"] = "\"list-\(version)\""
        return response
    }

    @Test("R1.7, R5.1: An issue that is added while the app runs is there with the next question")
    func grows() async throws {
        try await PlayedServer.with { server, client in
            server.play(Self.path) { _ in try Self.list(1, [1]) }
            let before = try await client.offeredProducts()
            server.play(Self.path) { _ in try Self.list(2, [1, 2]) }
            let after = try await client.offeredProducts()
            #expect(after.added(since: before).map(\.productId.text) == ["issue2"])
            #expect(after.version == 2)
            #expect(server.asked(Self.path).map { $0.target.query["appVersion"] } == ["1.0", "1.0"])
        }
    }

    @Test("R5.1: A list that has not changed is asked for by its tag, and comes without a body")
    func unchanged() async throws {
        try await PlayedServer.with { server, client in
            server.play(Self.path) { request in try Self.list(1, [1]).narrowed(to: request) { "boundary" } }
            let first = try await client.offeredProducts()
            let again = try await server.client().offeredProducts()
            #expect(first == again)
            #expect(server.asked(Self.path).map { $0.fields["If-None-Match"] } == [nil, "\"list-1\""])
        }
    }

    @Test("R5.1: The last list is there when the server is not, and says so")
    func offline() async throws {
        try await PlayedServer.with { server, client in
            server.play(Self.path) { _ in try Self.list(3, [1, 2]) }
            _ = try await client.offeredProducts()
            await server.listener.stop(within: .milliseconds(300))
            let last = try await client.offeredProducts()
            #expect(last.isOffline)
            #expect(last.staleness?.code == .unreachable)
            #expect(last.identifiers == ["issue1", "issue2"])
            #expect(client.lastOfferedProducts?.version == 3)
            // What was offered to another version of the app is not for this one.
            let updated = try server.client(appVersion: "2.0")
            #expect(try await failure { _ = try await updated.offeredProducts() } == .unreachable)
        }
    }

    @Test("A refusal of the server is no reason for an old list")
    func refused() async throws {
        try await PlayedServer.with { server, client in
            server.play(Self.path) { _ in try Self.list(1, [1]) }
            _ = try await client.offeredProducts()
            server.play(Self.path) { _ in throw APIError(.notFound, code: "unknown_app", "There is no such app.") }
            let code = try await failure { _ = try await client.offeredProducts() }
            #expect(code?.rawValue == "unknown_app")
        }
    }

    @Test("R5.1: What the store does not know is reported to the server, and nothing otherwise")
    func reports() async throws {
        let path = "POST /v1/apps/com.example.magazines/products/unknown"
        try await PlayedServer.with { server, client in
            server.play(path) { _ in HTTPResponse(.noContent) }
            try await client.reportUnknownProducts([])
            try await client.reportUnknownProducts(["issue9"])
            let told = try server.asked(path).map { try $0.decode(UnknownProductsRequest.self).productIds.map(\.text) }
            #expect(told == [["issue9"]])
        }
    }

    @Test(
        "Secrets are sent by https, and by http only on this machine",
        arguments: [
            ("https://magazines.example", true), ("https://magazines.example/shop/", true),
            ("http://localhost:8090", true),
            ("http://127.0.0.1:1", true), ("http://[::1]:8090", true), ("http://magazines.example", false),
            ("http://192.168.1.2", false), ("https://magazines.example/?a=1", false), ("magazines.example", false),
        ])
    func secrecy(address: String, isTaken: Bool) async throws {
        try await PlayedServer.with { server, _ in
            let code = try await failure {
                _ = try BackendClient(address: address, bundleID: Played.bundle, folder: server.folder)
            }
            #expect(code == (isTaken ? nil : .invalidValue))
        }
    }
}
