import Foundation
import StoreHTTP
import StoreHTTPListener
import TestSupport
import Testing

@Suite("A socket in the file system is replaced when it is stale, and only then", .ownThread, .bounded)
struct SocketFileTests {
    @Test("Its mode is as told, and it goes with the listener")
    func mode() async throws {
        try await withFolder { folder in
            let path = folder.path + "/a.sock"
            try await withListener(on: .unix(path, mode: 0o660)) { _ in
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o660)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("A socket that somebody listens at is left alone")
    func inUse() async throws {
        try await withFolder { folder in
            let path = folder.path + "/a.sock"
            try await withListener(on: .unix(path)) { first in
                let error = #expect(throws: ListenerError.self) {
                    try HTTPListener(ListenerConfiguration(.unix(path)), serving: ProbeService.make())
                }
                #expect(error?.code == .addressInUse)
                let response = try await SocketTransport(endpoint: first.endpoint).send(.get("/"))
                #expect(response.status == .ok)
            }
        }
    }

    @Test("A stale socket is replaced")
    func stale() async throws {
        try await withFolder { folder in
            let path = folder.path + "/a.sock"
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafeBytes(of: &address) { bytes in
                bytes.baseAddress.map {
                    bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
                }
            }
            #expect(bound == 0)
            close(descriptor)
            try await withListener(on: .unix(path)) { listener in
                let response = try await SocketTransport(endpoint: listener.endpoint).send(.get("/"))
                #expect(response.status == .ok)
            }
        }
    }

    @Test("A file that is no socket is left alone")
    func occupied() async throws {
        try await withFolder { folder in
            let path = folder.path + "/a.sock"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: ListenerError.self) {
                try HTTPListener(ListenerConfiguration(.unix(path)), serving: ProbeService.make())
            }
            #expect(error?.code == .pathOccupied)
        }
    }

    @Test("A port that is taken is named, and an address that is none")
    func port() async throws {
        try await withListener { first in
            let taken = #expect(throws: ListenerError.self) {
                try HTTPListener(ListenerConfiguration(first.endpoint), serving: ProbeService.make())
            }
            #expect(taken?.code == .addressInUse)
        }
        let none = #expect(throws: ListenerError.self) {
            try HTTPListener(ListenerConfiguration(.tcp("nowhere", port: 0)), serving: ProbeService.make())
        }
        #expect(none?.code == .addressInvalid)
    }
}
