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

extension RefundRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["reason": .integer("1: an issue with the app; 0: another reason.", minimum: 0, maximum: 1)]
    }
}

extension RefundReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["state": .string(among: ["refunding", "refunded", "failed"])] }
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

enum SaleSchemas {
    static let customerOrder = JSONSchema.of(CustomerRequest.self)
    static let customer = JSONSchema.of(CustomerReport.self)
    static let customers = JSONSchema.of(CustomerList.self)
    static let customerChange = JSONSchema.of(CustomerChange.self)
    static let paymentMethod = JSONSchema.of(PaymentMethodRequest.self)
    static let recovery = JSONSchema.of(RecoveryReport.self)
    static let recoveryOrder = JSONSchema.of(RecoveryRequest.self)
    static let device = JSONSchema.of(DeviceReport.self)
    static let devices = JSONSchema.of(DeviceList.self)
    static let deviceChange = JSONSchema.of(DeviceChange.self)
    static let voidSettlement = JSONSchema.of(VoidSettlementRequest.self)
    static let purchaseOrder = JSONSchema.of(OperatorPurchaseRequest.self)
    static let approval = JSONSchema.of(ApprovalRequest.self)
    static let purchase = JSONSchema.of(PurchaseReport.self)
    static let purchases = JSONSchema.of(PurchaseList.self)
    static let transaction = JSONSchema.of(TransactionReport.self)
    static let transactions = JSONSchema.of(TransactionList.self)
    static let refund = JSONSchema.of(RefundReport.self)
    static let refundOrder = JSONSchema.of(RefundRequest.self)
    static let entry = JSONSchema.of(LedgerEntryReport.self)
    static let ledger = JSONSchema.of(LedgerPage.self)
    static let ledgerCheck = JSONSchema.of(LedgerCheckReport.self)
    static let details = JSONSchema.of(TransactionDetails.self)
    static let customerQuery = OperationDocumentation.Parameter.ofCustomer
    static let afterQuery = OperationDocumentation.Parameter.query(
        "after", "The number of the last one seen.", schema: TransactionID.schema)
}
