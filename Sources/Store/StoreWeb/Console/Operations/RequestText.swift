import StoreHTTP
import StoreModel
import StoreService

/// Requests in words.
struct RequestText {
    let visit: ConsoleVisit

    /// What was asked for, by the path.
    static func sentence(_ entry: RequestHistory.Entry) -> String {
        let path = entry.path
        func isAt(_ prefix: String) -> Bool { path.hasPrefix(prefix) }
        if path == "/verifyReceipt" { return "A server has a receipt verified" }
        if isAt("/inApps/") { return server(entry.method, path) }
        if isAt("/device/v1/devices") { return "An app registers" }
        if isAt("/device/v1/products") { return "An app asks for products" }
        if isAt("/device/v1/events") { return "An app asks what has happened" }
        if isAt("/device/v1/purchases") {
            return entry.method == "GET" ? "An app looks after a purchase" : "An app buys"
        }
        if isAt("/device/v1/transactions") {
            return path.hasSuffix("/finish") ? "An app finishes" : "An app asks for transactions"
        }
        if isAt("/device/v1/restorations") { return "An app restores" }
        if isAt("/device/v1/entitlements") { return "An app asks what is owned" }
        if isAt("/device/v1/receipt") { return "An app gets its receipt" }
        if isAt("/device/v1/sign-in") { return "Somebody signs in" }
        if isAt("/device/v1/sign-out") { return "Somebody signs out" }
        if isAt("/device/v1/password-recovery") { return "Somebody has forgotten a password" }
        if isAt("/device/v1/storefront") { return "A device changes its storefront" }
        if isAt("/device/") { return "A device" }
        if isAt("/pay/") { return "A customer on the page of a purchase" }
        if isAt("/approve/") { return "A parent on the page of a purchase" }
        if path == "/redeem" { return "A customer redeems a code" }
        let act = (entry.method, path.split(separator: "/").last.map(String.init) ?? "")
        return switch act {
        case ("POST", "refund"): "An operator gives money back"
        case ("POST", "revocation"): "An operator takes something back"
        case ("POST", "purchases"): "An operator or a test buys"
        case ("POST", "customers"): "An operator or a test makes an account"
        case ("POST", "profiles"): "An operator or a test gets a profile"
        case ("GET", "receipt"): "An operator or a test gets a receipt"
        default: "An operator or a test"
        }
    }

    /// What a developer's server wants by the App Store Server API.
    private static func server(_ method: String, _ path: String) -> String {
        if path.hasSuffix("/notifications/history") { return "A server asks what it was told" }
        if path.contains("/notifications/") { return "A server tests its notifications" }
        if path.contains("/subscriptions/extend/") {
            return method == "GET" ? "A server asks how far an extension is" : "A server extends subscriptions"
        }
        if path.contains("/consumption/") { return "A server says what was used up" }
        if path.hasSuffix("/appAccountToken") { return "A server says whose a purchase is" }
        if path.hasSuffix("/finish") { return "A server finishes" }
        return "A server asks for what was sold"
    }

    /// What was answered.
    static func tag(_ entry: RequestHistory.Entry) -> Element {
        if let code = entry.code { return StoreWeb.tag(entry.status >= 500 ? .bad : .warn, code) }
        return switch entry.status {
        case ..<300: StoreWeb.tag(.good, "\(entry.status)")
        case ..<400: StoreWeb.tag(.calm, "\(entry.status)")
        case ..<500: StoreWeb.tag(.warn, "\(entry.status)")
        default: StoreWeb.tag(.bad, "\(entry.status)")
        }
    }

    /// By what requests are sorted; they are in memory.
    // Closed: each has its comparison.
    enum Column: String {
        case when, request, answer

        func areInOrder(_ one: RequestHistory.Entry, _ other: RequestHistory.Entry) -> Bool {
            switch self {
            case .when: one.number < other.number
            case .request: (one.path, one.method, one.number) < (other.path, other.method, other.number)
            case .answer:
                (one.status, one.code ?? "", one.number) < (other.status, other.code ?? "", other.number)
            }
        }
    }

    func table(
        _ entries: [RequestHistory.Entry], empty: String, heading: (Column) -> DataTable.Sorting? = { _ in nil },
        next: Link? = nil
    ) -> [any HTML] {
        DataTable(
            title: "Requests",
            columns: [
                .text("When", heading(.when)), .text("What"), .optional("Request", heading(.request)),
                .text("Answer", heading(.answer)),
            ],
            rows: entries.map { entry in
                [
                    [ago(entry.lastAt, visit.now)],
                    [
                        a(.href(visit.link("/requests/\(PercentEncoding.encode(entry.id))"))) { Self.sentence(entry) },
                        entry.repeats > 1 ? span(.class("faint")) { " \(entry.repeats) times" } : "",
                        entry.message.map { message -> any HTML in p(.class("faint")) { message } } ?? "",
                    ], [span(.class("id")) { "\(entry.method) \(entry.path)" }], [Self.tag(entry)],
                ]
            }, empty: [p { empty }], next: next
        ).element
    }
}
