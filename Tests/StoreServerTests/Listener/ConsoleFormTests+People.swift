import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

/// The forms about people: of a team that has everything, of the store, of families and of who is signed in.
extension ConsoleFormTests {
    static let formsOfPeople: Set = [
        "/teams", "/teams/applications/{applicationId}/refusal", "/agreements/{kind}", "/teams/{teamId}/invitations",
        "/teams/{teamId}/role", "/teams/{teamId}/suspension", "/teams/{teamId}/agreements",
        "/teams/{teamId}/agreements/end", "/teams/{teamId}/finance", "/people/invitations", "/people/role",
        "/people/rule", "/families", "/families/{customer}/members", "/account/second-factor/confirmation",
    ]

    /// What only who came in by a password sees, or who has a second factor, or a team that is suspended.
    static let unseenOfPeople: Set = [
        "/account/password", "/account/session", "/account/membership", "/account/second-factor/recovery",
        "/account/second-factor/removal", "/teams/{teamId}/reinstatement", "/families/{customer}/decision",
    ]

    /// What is gone from its page once it is decided; `ConsolePeopleTests.refusal` sends it without a reason.
    static let decidedOnce: Set = ["/teams/applications/{applicationId}/refusal"]

    /// The pages, with something of everything to be changed.
    static func people(_ bench: ListenerBench, _ owner: ConsoleVisitor) async throws -> [String] {
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let agreement = ["kind": "paid", "by": "Ada", "agreed": "yes", "version": "0"]
        #expect(try await owner.send("/teams/zoo/agreements", agreement).status == 303)
        for (place, email) in [("/teams/zoo", "zoo@example.com"), ("/people", "ops@example.com")] {
            let role = place == "/people" ? "operator" : "owner"
            _ = try await ConsoleSignInTests.person(email, as: role, bench, at: place)
            _ = try await ConsoleSignInTests.invite("new-\(email)", as: "support", by: owner, at: place)
            let now = bench.time.current
            try await bench.databases.catalogue.write { transaction in
                try SecondFactors.begin([1], of: email, at: now, in: transaction)
                try SecondFactors.confirm(
                    email, step: 1, recovery: [], CatalogueChange(.store, at: now, in: transaction))
            }
        }
        let application = [
            "teamName": "Ark", "teamId": "ark", "name": "Noa", "email": "noa@ark.example", "plans": "Pairs",
            "version": "0", "agreed": "yes",
        ]
        #expect(try await bench.browse("/console/apply", application).status == 303)
        #expect(try await owner.send("/account/second-factor").status == 303)
        return [
            "/teams", "/teams/applications", "/agreements/free", "/teams/zoo", "/teams/zoo/finance", "/people",
            "/families", "/families/ada@example.com", "/account/second-factor",
        ]
    }
}
