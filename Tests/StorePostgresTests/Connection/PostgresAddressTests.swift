import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import TestSupport
import Testing

@testable import StorePostgres

@Suite("The address of a server", .bounded)
struct PostgresAddressTests {
    @Test("Both forms say the same")
    func forms() throws {
        let address = try PostgresAddress("postgresql://till:se%20cret@db.example.com:6432/store?sslmode=verify-full")
        let keywords = try PostgresAddress(
            "host=db.example.com port=6432 user=till password='se cret' dbname=store sslmode=verify-full")
        #expect(address.parameters == keywords.parameters)
        #expect(address.parameters["password"] == "se cret")
    }

    @Test("Its description has no password in it")
    func description() throws {
        let address = try PostgresAddress("postgresql://till:hunter2@db.example.com/store?sslpassword=hunter3")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] {
            #expect(!text.contains("hunter"))
            #expect(text.contains("host=db.example.com dbname=store user=till"))
        }
    }

    @Test(
        "One that is wrong is refused, and not quoted",
        arguments: [
            "nonsense hunter2", "host=a password=my hunter2", "postgresql://a:hunter2@[b/", "hunter2=1",
            "postgresql://a@b/?hunter2=1", "host='hunter2", "host=a\0hunter2",
            String(repeating: "hunter2", count: 1000),
        ])
    func refused(_ text: String) {
        let error = #expect(throws: DatabaseError.self) { try PostgresAddress(text) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("hunter") == false)
    }

    @Test("What it says itself outweighs what we would choose")
    func defaults() throws {
        let address = try PostgresAddress("host=a connect_timeout=3 client_encoding=LATIN1")
            .defaulting("connect_timeout", to: "10").defaulting("keepalives_idle", to: "30")
            .setting("client_encoding", to: "UTF8")
        #expect(
            address.parameters
                == ["host": "a", "connect_timeout": "3", "keepalives_idle": "30", "client_encoding": "UTF8"])
    }

    @Test("A wrong password is an error without it")
    func wrongPassword() async throws {
        try await PostgresPlace.with { place in
            _ = try await place.cluster.run("DROP ROLE IF EXISTS with_password")
            _ = try await place.cluster.run("CREATE ROLE with_password LOGIN SUPERUSER PASSWORD 'right horse'")
            var place = place
            let address = place.cluster.address(of: place.name, user: "with_password")
            place.settings.address = try PostgresAddress(address + " password=hunter2")
            let error = await #expect(throws: DatabaseError.self) { _ = try await place.open(.sample()) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("password authentication failed") == true)
            #expect(error?.message.contains("hunter2") == false)
            place.settings.address = try PostgresAddress(address + " password='right horse'")
            try await place.withDatabase(.sample()) { database in
                try await database.write { try $0.openAccount(1, named: "one") }
            }
        }
    }

    @Test("A server that is not there is an error that may be tried again")
    func nobody() async throws {
        let settings = PostgresSettings(try PostgresAddress("host=/nowhere dbname=store"))
        let error = await #expect(throws: DatabaseError.self) {
            _ = try await PostgresDatabase.open(settings, schema: .sample()) { 1 }
        }
        #expect(error?.code == .unavailable)
        #expect(error?.isRetryable == true)
    }
}
