import StoreCatalogue
import StoreModel
import StoreService

/// Sells a product to a tester as an app would, and offers the testers that there are.
struct TesterForm {
    let visit: ConsoleVisit
    /// The page of the product, below the environment.
    let path: String
    /// Addresses of testers.
    let testers: [String]

    /// How many are offered; any other may be typed.
    private static let most = 20

    /// The testers that are offered; none to whom may not see them.
    static func testers(_ visit: ConsoleVisit) async throws -> [String] {
        guard visit.environment == .sandbox, visit.may(.customers) else { return [] }
        return try await Accounts(visit.store).list(after: nil, limit: most).map { "\($0.customer.email)" }
    }

    var element: Element {
        visit.form(path + "/purchase") {
            div(.class("f")) {
                label(.for("tester")) { "Tester" }
                input(
                    .id("tester"), .name("customer"), .list("testers"), .longest(254), .isUnspelled, .isRequired,
                    .describedBy("tester-hint"))
                p(.class("h"), .id("tester-hint")) {
                    testers.isEmpty
                        ? "There is no tester yet: " : "E-mail or number; it is paid with the tester’s card. "
                    if visit.may(.customers) { a(.href(visit.link("/customers"))) { "Make a tester" } }
                }
            }
            datalist(.id("testers")) { for tester in testers { option(.value(tester)) { tester } } }
            p { button { "Buy it as the tester" } }
        }
    }
}
