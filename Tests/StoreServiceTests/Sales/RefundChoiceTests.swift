import StoreCatalogue
import StoreModel
import StoreRules
import StoreService
import Testing

@Suite("How much a refund gives back") struct RefundChoiceTests {
    private static let half = Money(minorUnits: 50, currency: .usd)

    @Test("Nothing named is all that is left, and each part is what it says")
    func extents() throws {
        #expect(try RefundChoice().extent(in: .usd) == .full)
        #expect(try RefundChoice(amount: "0.50").extent(in: .usd) == .amount(Self.half))
        #expect(try RefundChoice(amount: "0.50", revokes: true).extent(in: .usd) == .amount(Self.half))
        #expect(try RefundChoice(amount: "0.50", revokes: false).extent(in: .usd) == .amount(Self.half))
        #expect(try RefundChoice(percentage: 50_000, revokes: true).extent(in: .usd) == .percentage(50_000))
        #expect(try RefundChoice(prorated: true).extent(in: .usd) == .prorated())
        #expect(try RefundChoice(prorated: true, unused: "0.50").extent(in: .usd) == .prorated(shown: Self.half))
    }

    @Test(
        "X7: A choice that contradicts itself is refused, and never all given back in its place",
        arguments: [
            (RefundChoice(amount: "0.50", percentage: 50_000), "amount"),
            (RefundChoice(amount: "0.50", prorated: true), "amount"),
            (RefundChoice(percentage: 50_000, prorated: true), "percentage"),
            (RefundChoice(revokes: true), "revokes"), (RefundChoice(revokes: false), "revokes"),
            (RefundChoice(prorated: true, revokes: true), "revokes"),
            (RefundChoice(amount: ""), "amount"), (RefundChoice(amount: "half"), "amount"),
            (RefundChoice(amount: "0.505"), "amount"),
        ])
    func contradictions(_ choice: RefundChoice, _ field: String) {
        let refusal = #expect(throws: ServiceError.self) { try choice.extent(in: .usd) }
        #expect(refusal?.code == .valueInvalid && refusal?.parameter == field)
    }

    @Test("An amount is more than nothing, and is told so", arguments: ["0", "0.00", "-0.10"]) func nothing(
        _ amount: String
    ) {
        let error = #expect(throws: ServiceError.self) { try RefundChoice(amount: amount).extent(in: .usd) }
        #expect(error?.code == .valueInvalid && error?.parameter == "amount")
    }
}
