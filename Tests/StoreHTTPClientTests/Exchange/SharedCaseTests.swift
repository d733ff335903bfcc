import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import TestSupport
import Testing

@Suite("The client carries to a listener what the transport in memory carries", .bounded) struct SharedCaseTests {
    @Test("every case of the shared test holds over TCP") func everyCaseShared() async throws {
        try await check(.tcp(port: 0))
    }

    @Test("every case of the shared test holds over a socket in the file system") func everyCaseSharedTest()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("till.sock")
        try await check(.unix(path), socketPath: path)
    }

    /// Cases whose large body may still be on its way when the server has answered and closed. Then libcurl may find that it
    /// cannot send the rest before it finds the answer, and does not look for that any more.
    private static let refusedOnTheWay: Set<String> = [
        "a declared length beyond the limit is refused", "a stream is held to the limit while it arrives",
        "a handler need not read its body",
    ]

    private func check(_ endpoint: ListenerEndpoint, socketPath: String? = nil) async throws {
        let listener = try HTTPListener(ListenerConfiguration(endpoint, threads: 2), serving: TransportService.make())
        let client = TestClient.make()
        let origin = "http://127.0.0.1:\(listener.endpoint.port ?? 80)"
        let transport = ClientTransport(client, origin: origin, socketPath: socketPath)
        for example in TransportCase.all {
            do {
                let faults = try await example.faults(over: transport)
                #expect(faults == [], "\(example)")
            } catch let error as HTTPClientError where Self.refusedOnTheWay.contains(example.name) {
                #expect(error.code == .connectionLost && error.outcome == .unknown, "\(example): \(error)")
            }
        }
        await client.shutDown()
        await listener.stop(within: .seconds(5))
    }
}
