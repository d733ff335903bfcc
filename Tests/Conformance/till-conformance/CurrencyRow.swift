import StoreModel

/// A currency as the conformance tests read it.
struct CurrencyRow: Encodable {
    let code: String
    let number: Int
    let digits: Int?
    let name: String
    let withdrawn: Bool

    init(_ currency: Currency) {
        code = currency.code
        number = currency.numericCode
        digits = currency.minorUnitDigits
        name = currency.name
        withdrawn = currency.isWithdrawn
    }
}
