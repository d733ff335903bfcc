import StoreModel
import StoreRules

/// What the first version of the message about consumption says besides what the second has: numbers with a meaning each.
package struct ConsumptionFirstVersion: Codable, Hashable, Sendable {
    /// By the names of the fields; what may be left out may be missing.
    package let numbers: [String: Int]
    /// The token of the account; empty if there is none.
    package let appAccountToken: String

    /// A number of the message.
    package struct Field: Sendable {
        package let name: String
        package let code: ServerAPIError.Code
        /// What it tells of, before its meaning.
        let subject: String
        /// What each number means, from 0.
        package let meanings: [String]
        var mayBeMissing = false
    }

    package static let fields: [Field] = [
        Field(
            name: "consumptionStatus", code: .invalidConsumptionStatus, subject: "consumed",
            meanings: ["undeclared", "not", "partially", "fully"]),
        Field(
            name: "platform", code: .invalidPlatform, subject: "platform",
            meanings: ["undeclared", "one of Apple's", "another"]),
        Field(
            name: "deliveryStatus", code: .invalidDeliveryStatus, subject: "delivery",
            meanings: [
                "delivered and working", "quality issue", "wrong item", "server outage", "in-game currency change",
                "other reason",
            ]),
        Field(
            name: "accountTenure", code: .invalidAccountTenure, subject: "age of the account",
            meanings: [
                "undeclared", "0–3 days", "3–10 days", "10–30 days", "30–90 days", "90–180 days", "180–365 days",
                "over 365 days",
            ]),
        Field(
            name: "playTime", code: .invalidPlayTime, subject: "time of use",
            meanings: [
                "undeclared", "0–5 minutes", "5–60 minutes", "1–6 hours", "6–24 hours", "1–4 days", "4–16 days",
                "over 16 days",
            ]),
        Field(
            name: "lifetimeDollarsRefunded", code: .invalidDollarsRefunded, subject: "dollars given back",
            meanings: dollars),
        Field(
            name: "lifetimeDollarsPurchased", code: .invalidDollarsPurchased, subject: "dollars spent",
            meanings: dollars),
        Field(
            name: "userStatus", code: .invalidUserStatus, subject: "account",
            meanings: ["undeclared", "active", "suspended", "terminated", "limited"]),
        // Older than its code: clients of the first years do not send it.
        Field(
            name: "refundPreference", code: .generalBadRequest, subject: "preference",
            meanings: ["undeclared", "grant", "decline", "none"], mayBeMissing: true),
    ]

    private static let dollars = [
        "undeclared", "0", "0.01–49.99", "50–99.99", "100–499.99", "500–999.99", "1000–1999.99", "2000 or more",
    ]

    init(_ numbers: [String: Int], accountToken: String?) throws(ServerAPIError) {
        for field in Self.fields {
            let number = numbers[field.name]
            if number == nil, field.mayBeMissing { continue }
            guard let number, field.meanings.indices.contains(number) else {
                throw ServerAPIError(field.code, "\(field.name) is 0 to \(field.meanings.count - 1)")
            }
        }
        guard let accountToken, accountToken.isEmpty || AppAccountToken(accountToken) != nil else {
            throw ServerAPIError(.invalidAppAccountToken, "appAccountToken is a UUID, or empty")
        }
        (self.numbers, appAccountToken) = (numbers, accountToken)
    }

    /// What it says, a few words for each field.
    package var words: [String] {
        Self.fields.compactMap { field in
            guard let number = numbers[field.name], field.meanings.indices.contains(number) else { return nil }
            return "\(field.subject): \(field.meanings[number])"
        } + (appAccountToken.isEmpty ? [] : ["account token: \(appAccountToken)"])
    }

    // MARK: As the second version says it

    var delivery: ConsumptionDeliveryStatus {
        switch numbers["deliveryStatus"] {
        case 0: .delivered
        case 1: .qualityIssue
        case 2: .wrongItem
        case 3: .serverOutage
        default: .undelivered
        }
    }

    /// In thousandths of a percent; nil for a part of which nobody says how large it is.
    var percentage: Int? {
        switch numbers["consumptionStatus"] {
        case 1: 0
        case 3: RefundPart.whole
        default: nil
        }
    }

    var preference: ConsumptionRefundPreference? {
        switch numbers["refundPreference"] {
        case 1: .full
        case 2: .decline
        default: nil
        }
    }
}
