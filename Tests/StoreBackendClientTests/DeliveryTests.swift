import Foundation
import StoreBackendClient
import StoreHTTP
import StoreModel
import StoreSigning
import TestSupport
import Testing

@Suite("A purchase from its receipt to its first page", .bounded)
struct DeliveryTests {
    private static let page = Array("The first page.\n".utf8)
    private static let asking = "POST /v1/content/\(Played.issue)"
    private static let loading = "GET /v1/content/\(Played.issue)/versions/1"

    @Test("R5.2, R5.8: The receipt goes along, and what comes is saved, activated, finished, and then shown")
    func whole() async throws {
        let steps = Observed<[String]>([])
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            try server.offer(Self.page)
            let delivery = try client.delivery(of: Played.issue, quantity: 1, proof: Played.receipt) {
                steps.update { $0.append("finished") }
            }
            let saved = try await delivery.download()
            #expect(client.content(of: Played.issue) == nil, "what is not activated is not shown")
            let activated = try saved.activate { saved in
                let isThere = saved.content.map { FileManager.default.fileExists(atPath: $0.file.path) } ?? false
                steps.update { $0.append(isThere ? "activated what is saved" : "activated nothing") }
            }
            let content = try #require(activated.finish().content)
            #expect(steps.value == ["activated what is saved", "finished"])
            #expect(try Data(contentsOf: content.file) == Data(Self.page))
            #expect(client.content(of: Played.issue) == content)
            let asked = try #require(server.asked(Self.asking).first)
            #expect(asked.body.bytes == Array(Played.receipt))
            #expect(asked.fields["Authorization"] == "Bearer secret")
            #expect(asked.target.raw == "/v1/content/\(Played.issue)?quantity=1&appVersion=1.0")
        }
    }

    @Test("R5.8: What cannot be activated is neither shown nor finished, and is not loaded a second time")
    func activationFails() async throws {
        let finishes = Observed(0)
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            try server.offer(Self.page)
            func delivery() throws -> Delivery {
                try client.delivery(of: Played.issue, proof: Played.receipt) { finishes.update { $0 += 1 } }
            }
            let saved = try await delivery().download()
            #expect(throws: CocoaError.self) { try saved.activate { _ in throw CocoaError(.fileWriteOutOfSpace) } }
            #expect(client.content(of: Played.issue) == nil)
            #expect(finishes.value == 0)
            // The store brings the transaction again.
            try await delivery().download().activate { _ in }.finish()
            #expect(client.content(of: Played.issue) != nil)
            #expect(finishes.value == 1)
            #expect(server.asked(Self.loading).count == 1)
        }
    }

    @Test("R5.2: A receipt goes as Base64 where only text passes")
    func base64() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            server.play("POST /v1/purchases") { _ in try .json(RecordedAnswer(recorded: [])) }
            let texts = try server.client(encoding: .base64)
            _ = try await texts.delivery(of: Played.issue, proof: Played.receipt) {}.record()
            let asked = try #require(server.asked("POST /v1/purchases").first)
            #expect(try asked.decode(ProofRequest.self).proof == "ewD/CjE=")
        }
    }

    @Test("R5.4: A download that breaks off goes on where it was, and is asked for once")
    func resumes() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let breaks = Observed(1)
        let arrived = Observed<Int64>(0)
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            try server.offer(bytes)
            let whole = "\"\(Hexadecimal.encode(try DigestAlgorithm.sha256.digest(bytes)))\""
            server.play(Self.loading) { request in
                var response = HTTPResponse(.ok, bytes, as: "application/octet-stream")
                response.fields["ETag"] = whole
                response.fields["Accept-Ranges"] = "bytes"
                guard
                    breaks.update({ count in
                        count -= 1
                        return count >= 0
                    })
                else {
                    return response.narrowed(to: request) { "boundary" }
                }
                let stream = BodyStream()
                Task {
                    try await stream.write(Array(bytes[..<120_000]))
                    // Not before some of it has come.
                    try await arrived.wait { $0 > 0 }
                    stream.fail(CancellationError())
                }
                response.body = .stream(length: bytes.count, stream)
                return response
            }
            let saved = try await client.delivery(of: Played.issue, proof: Played.receipt) {}.download { progress in
                arrived.update { $0 = progress.receivedBytes }
            }
            #expect(try Data(contentsOf: try #require(saved.content).file) == Data(bytes))
            let ranges = server.asked(Self.loading).map { $0.fields["Range"] ?? "all" }
            #expect(ranges.count == 2)
            #expect(ranges.last?.hasPrefix("bytes=") == true)
            #expect(server.asked(Self.asking).count == 1)
        }
    }

    @Test("R5.4: What differs from its digest is not kept, and the next try has the right one")
    func wrongDigest() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            try server.offer(Self.page) { _ in
                HTTPResponse(.ok, Array("Another page...\n".utf8), as: "application/octet-stream")
            }
            let delivery = try client.delivery(of: Played.issue, proof: Played.receipt) {}
            #expect(try await failure { _ = try await delivery.download() } == .wrongContent)
            try server.offer(Self.page)
            let saved = try await delivery.download()
            #expect(try Data(contentsOf: try #require(saved.content).file) == Data(Self.page))
        }
    }

    @Test("R5.3: A receipt that was kept pays for the download after another start, and is forgotten then")
    func deferred() async throws {
        let finishes = Observed(0)
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            let kept = try client.delivery(of: Played.issue, proof: Played.receipt) { finishes.update { $0 += 1 } }
                .keep()
            #expect(try kept.activate { _ in }.finish().content == nil)
            #expect(finishes.value == 1)
            #expect(server.asked(Self.asking).isEmpty)

            let later = try server.client()
            try server.offer(Self.page)
            let delivery = try #require(later.keptDeliveries.first)
            #expect(delivery.productID == Played.issue)
            try await delivery.download().activate { _ in }.finish()
            #expect(server.asked(Self.asking).first?.body.bytes == Array(Played.receipt))
            #expect(later.keptDeliveries.isEmpty)
            #expect(later.content(of: Played.issue)?.bytes == Int64(Self.page.count))
            #expect(finishes.value == 1)
        }
    }

    @Test("P27: A receipt that was kept for one user is not sent for another")
    func keptForAnother() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            _ = try client.delivery(of: Played.issue, proof: Played.receipt) {}.keep()
            #expect(client.keptDeliveries.count == 1)
            try await server.signIn(client, as: "bob")
            #expect(client.keptDeliveries.isEmpty)
            try await server.signIn(client)
            #expect(client.keptDeliveries.count == 1)
        }
    }

    @Test("R5.4: A refusal in the middle of a download says its reason")
    func refusedLater() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            try server.offer(Self.page)
            let offered = Observed(0)
            server.play(Self.loading) { _ in
                server.play(Self.asking) { _ in throw APIError(.forbidden, code: "revoked", "It was refunded.") }
                offered.update { $0 += 1 }
                throw APIError(.forbidden, code: "revoked", "It was refunded.")
            }
            let delivery = try client.delivery(of: Played.issue, proof: Played.receipt) {}
            #expect(try await failure { _ = try await delivery.download() } == .revoked)
            #expect(offered.value == 1)
        }
    }

    @Test("A newer version takes the place of the old one when it is activated, and not before")
    func newVersion() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            try server.offer(Self.page)
            try await client.delivery(of: Played.issue).download().activate { _ in }.finish()
            let old = try #require(client.content(of: Played.issue))
            var listed = OfferedProduct(productId: try ProductID(parsing: Played.issue), kind: .nonConsumable)
            listed.contentVersion = "2"
            #expect(client.hasNewer(listed))

            try server.offer(Array("Corrected.\n".utf8), version: "2")
            let saved = try await client.delivery(of: Played.issue).download()
            #expect(client.content(of: Played.issue) == old)
            try saved.activate { _ in }.finish()
            #expect(client.content(of: Played.issue)?.version == "2")
            #expect(!client.hasNewer(listed))
            #expect(!FileManager.default.fileExists(atPath: old.file.path))
        }
    }

    @Test("A name that leads elsewhere is no name of a file")
    func names() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            server.play(Self.asking) { _ in
                let offered = ContentAnswer(
                    productId: try ProductID(parsing: Played.issue), name: "../../escape", version: "1", bytes: 1,
                    sha256: String(repeating: "a", count: 64), path: "/elsewhere")
                return try .json(offered, status: .seeOther)
            }
            let delivery = try client.delivery(of: Played.issue)
            #expect(try await failure { _ = try await delivery.download() } == .malformedAnswer)
            #expect(try await failure { _ = try client.delivery(of: "..") } == .invalidValue)
        }
    }
}
