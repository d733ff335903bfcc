import Foundation
import StoreHTTP
import StoreHTTPListener
import TestSupport
import Testing

@Suite("The listener carries what the transport in memory carries", .ownThread, .bounded)
struct TransportTests {
    @Test("Every case of the shared test holds over TCP")
    func tcp() async throws {
        try await withListener(TransportService.make()) { try await check($0.endpoint) }
    }

    @Test("Every case of the shared test holds over a socket in the file system")
    func unix() async throws {
        try await withFolder { folder in
            try await withListener(TransportService.make(), on: .unix(folder.path + "/till.sock")) {
                try await check($0.endpoint)
            }
        }
    }

    private func check(_ endpoint: ListenerEndpoint) async throws {
        let transport = SocketTransport(endpoint: endpoint)
        for example in TransportCase.all {
            let faults = try await example.faults(over: transport)
            #expect(faults == [], "\(example)")
        }
    }
}
