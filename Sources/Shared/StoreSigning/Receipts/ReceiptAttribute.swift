/// One attribute of a receipt as it stands in the bytes: a number that says what it is, and a value.
package struct ReceiptAttribute: Hashable, Sendable {
    package var type: Int64
    package var version: Int64
    package var value: [UInt8]

    package init(type: Int64, version: Int64 = 1, value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }

    var encoded: [UInt8] {
        DER.sequence(DER.integer(type), DER.integer(version), DER.octetString(value))
    }
}
