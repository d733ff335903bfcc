import CommandOptions
import StoreHTTPListener
import Testing

@testable import till

@Suite("Where a store for the moment listens (X9)") struct ListeningPlacesTests {
    private static func settings(_ words: String...) throws -> ServeSettings {
        guard case .run(let invocation) = TillProgram.program.parse(["dev"] + words) else {
            throw CommandFailure(.usage, "\(words)")
        }
        return try ServeSettings(invocation.arguments, isForDevelopment: true)
    }

    @Test("is the next pair of ports where one of the usual is taken") func next() throws {
        // Somebody else may have it already, which comes to the same.
        let taken = try? ListeningSocket(.tcp(port: 8081))
        let places = try ListeningPlaces(Self.settings())
        let (production, sandbox) = try (
            #require(places.production.endpoint.port), #require(places.sandbox.endpoint.port)
        )
        #expect(places.areOthers && production > 8081 && sandbox == production + 1)
        withExtendedLifetime(taken) {}
    }

    @Test("is what was asked for, or nowhere") func asked() throws {
        let taken = try ListeningSocket(.tcp(port: 0))
        let address = taken.endpoint.description
        for option in ["--listen", "--sandbox-listen"] {
            let error = #expect(throws: ListenerError.self) { try ListeningPlaces(Self.settings(option, address)) }
            #expect(error?.code == .addressInUse)
        }
        let free = try ListeningPlaces(Self.settings("--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"))
        #expect(!free.areOthers && free.production.endpoint != free.sandbox.endpoint)
    }
}
