import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreServer

/// Somebody in the console.
struct ConsoleVisitor {
    let bench: ListenerBench
    let cookie: String

    func get(_ path: String) async throws -> ListenerBench.Answer {
        try await bench.browse("/console/sandbox" + path, nil, ["Cookie": cookie])
    }

    /// Sends a form with what the page of the session has.
    func send(
        _ path: String, _ form: [String: String] = [:], proof: String? = nil, _ more: [String: String] = [:]
    ) async throws -> ListenerBench.Answer {
        var form = form
        form["proof"] = try proof ?? OperatorSessions.proof(of: String(cookie.dropFirst("till_console=".count)))
        return try await bench.browse(
            "/console/sandbox" + path, form, more.merging(["Cookie": cookie]) { $1 })
    }

    static func link(_ bench: ListenerBench, _ name: String = "link") async throws -> String {
        let now = bench.time.current
        try await bench.databases.catalogue.write { try OperatorSessions.addLink(name, at: now, in: $0) }
        return "/console/enter/\(name)"
    }

    static func owner(_ bench: ListenerBench) async throws -> ConsoleVisitor {
        let answer = try await bench.browse(link(bench, UUID().uuidString))
        #expect(answer.status == 303 && answer.fields["Location"] == "/console")
        return ConsoleVisitor(bench: bench, cookie: try cookie(of: answer))
    }

    static func cookie(of answer: ListenerBench.Answer) throws -> String {
        let text = try #require(answer.fields["Set-Cookie"])
        return String(text.prefix { $0 != ";" })
    }

    /// Somebody with a token of a role.
    static func visitor(
        _ bench: ListenerBench, _ role: OperatorTokens.Role, member: Bool = false,
        for environment: StoreEnvironment = .sandbox
    ) async throws -> ConsoleVisitor {
        let (token, now) = (OperatorTokens.token(of: try RandomBytes()(32)), bench.time.current)
        try await bench.databases.catalogue.write { transaction in
            if member {
                _ = try Teams.putMember(
                    "m-\(role.rawValue)@example.com", name: "M", role: role, of: Teams.first,
                    CatalogueChange(.store, at: now, in: transaction))
            }
            _ = try OperatorTokens.add(
                token, name: UUID().uuidString, for: environment, role: role,
                member: member ? (Teams.first, "m-\(role.rawValue)@example.com") : nil,
                CatalogueChange(.owner, at: now, in: transaction))
        }
        let answer = try await bench.browse("/console/sign-in", ["token": token])
        #expect(answer.status == 303)
        return ConsoleVisitor(bench: bench, cookie: try cookie(of: answer))
    }

    /// A tester who has bought something; gives the transaction.
    static func sold(_ bench: ListenerBench, _ product: String = "\(ListenerBench.bundle).credits5") async throws
        -> String
    {
        _ = try await bench.control(
            "POST", "/customers",
            ["email": "ada@example.com", "password": ListenerBench.password, "paymentMethod": "test_approved"])
        let answer = try await bench.control(
            "POST", "/purchases",
            ["customer": "ada@example.com", "bundleId": ListenerBench.bundle, "productId": product])
        return try #require(answer.json["transactionId"] as? String, "\(answer.text)")
    }
}
