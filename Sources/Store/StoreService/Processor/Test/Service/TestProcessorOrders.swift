import StoreModel

/// What the routes of the test processor read.
enum TestProcessorOrders {
    struct Authorise: Codable {
        let key: String
        let amount: Int64
        let currency: Currency
        let method: String
        let description: String

        var call: TestProcessorCall {
            .authorise(
                AuthorisationRequest(
                    key: key, amount: Money(minorUnits: amount, currency: currency), method: method,
                    description: description))
        }
    }

    /// A capture or a refund.
    struct Amount: Codable {
        let key: String
        let reference: String
        let amount: Int64
        let currency: Currency

        var money: Money { Money(minorUnits: amount, currency: currency) }
    }

    struct Void: Codable {
        let key: String
        let reference: String
    }

    struct Action: Codable {
        enum Result: String, Codable { case completed, failed }

        let result: Result
    }
}
