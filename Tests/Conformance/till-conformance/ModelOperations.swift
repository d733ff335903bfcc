import StoreModel

/// Shows the tables of StoreModel.
enum ModelOperations {
    static var table: [String: Operation] {
        ["model.tables": Operation(tables)]
    }

    private struct Request: Decodable {}

    private struct Answer: Encodable {
        var currencies = Currency.all.map(CurrencyRow.init)
        var storefronts = StorefrontRecord.all.map(StorefrontRow.init)
    }

    private static func tables(_ request: Request, in session: Session) -> Answer {
        Answer()
    }
}
