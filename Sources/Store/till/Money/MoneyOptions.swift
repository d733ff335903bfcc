import CommandOptions
import StoreModel
import StoreService

/// What the commands on money and on lists share: a period, and between which amounts.
enum MoneyOptions {
    private static let dayFormat = ValueFormat(
        "DAY", rule: "a day, like 2026-11-25", parse: { ReportDay($0) })
    static let from = Option<ReportDay?>.optional(
        "from", dayFormat, help: "From this day on, in GMT by the store's clock.")
    static let until = Option<ReportDay?>.optional("until", dayFormat, help: "Until this day, with it.")

    static let currency = Option<Currency?>.optional(
        "currency", ValueFormat("CODE", rule: "a currency, like USD", parse: { Currency($0) }),
        help: "Only amounts in this currency.")
    private static let amountFormat = ValueFormat("AMOUNT", rule: "an amount, like 1.99", parse: { $0 as String? })
    static let least = Option<String?>.optional(
        "amount-from", amountFormat, help: "Only amounts of at least so much; needs --currency.")
    static let most = Option<String?>.optional(
        "amount-to", amountFormat, help: "Only amounts of at most so much; needs --currency.")

    static let period: [any OptionDeclaration] = [from, until]
    static let filters: [any OptionDeclaration] = [from, until, currency, least, most]

    /// What of them a query has.
    static func periodQuery(_ arguments: ParsedArguments) -> [String] {
        [
            arguments[from].map { "from=\($0)" }, arguments[until].map { "until=\($0)" },
        ].compactMap(\.self)
    }

    static func query(_ arguments: ParsedArguments) -> [String] {
        periodQuery(arguments)
            + [
                arguments[currency].map { "currency=\($0)" },
                arguments[least].map { "amountFrom=\(SaleOptions.escaped($0))" },
                arguments[most].map { "amountTo=\(SaleOptions.escaped($0))" },
            ].compactMap(\.self)
    }

    /// What follows a path.
    static func words(_ query: [String]) -> String { query.isEmpty ? "" : "?" + query.joined(separator: "&") }
}
