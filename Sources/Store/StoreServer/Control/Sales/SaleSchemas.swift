package import StoreHTTP
import StoreModel
import StoreService

// What the types of the messages about customers and sales do not say of their members.

extension CustomerRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "birthDate": .string(format: "date"),
            "paymentMethod": .string("The processor's token of what the account pays with."),
        ]
    }
}

extension OperatorPurchaseRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["customer": .string("The number or the e-mail address of the account."), "quantity": .quantity]
    }
}

extension ApprovalRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["isApproved": .boolean("No, if it is false.")] }
}

extension VoidSettlementRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "because": .string(
                "How the money was let go of, and who says so; it stays in the history.",
                lengths: 1...ChargeDriver.longestReason)
        ]
    }
}

extension PurchaseReport.Entry: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["actor": .string("Whose act it was: customer, operator, store.")]
    }
}

extension RefundOrder: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "reason": .integer("1: an issue with the app; 0: another reason.", minimum: 0, maximum: 1),
            "amount": .string("Of a refund: a part of what was paid, in its currency; without it all that is left."),
            "revokes": .boolean("Whether the customer loses it with an amount; without one this is refused."),
        ]
    }
}

extension LedgerCheckReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["movements": .integer("How many movements of the processor were held against the books.")]
    }
}

extension TransactionDetails: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["signedTransaction": .jws] }
}

extension OperationDocumentation.Parameter {
    static let ofCustomer = query("customer", "Only of this account, by its number or e-mail address.")
}
