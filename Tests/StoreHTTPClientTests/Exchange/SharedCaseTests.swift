import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import TestSupport
import Testing

@Suite("The client carries to a listener what the transport in memory carries") struct SharedCaseTests {
    @Test func `every case of the shared test holds over TCP`() async throws {
        try await check(.tcp(port: 0))
    }

    @Test func `every case of the shared test holds over a socket in the file system`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("till.sock")
        try await check(.unix(path), socketPath: path)
    }

    private func check(_ endpoint: ListenerEndpoint, socketPath: String? = nil) async throws {
        let listener = try HTTPListener(ListenerConfiguration(endpoint, threads: 2), serving: TransportService.make())
        let client = TestClient.make()
        let origin = "http://127.0.0.1:\(listener.endpoint.port ?? 80)"
        let transport = ClientTransport(client, origin: origin, socketPath: socketPath)
        for example in TransportCase.all {
            let faults = try await example.faults(over: transport)
            #expect(faults == [], "\(example)")
        }
        await client.shutDown()
        await listener.stop(within: .seconds(5))
    }
}
