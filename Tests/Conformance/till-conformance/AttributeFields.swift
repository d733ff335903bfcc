import Foundation
import StoreSigning

/// An attribute without a name of its own, in JSON.
struct AttributeFields: Codable {
    var type: Int64
    var version: Int64
    var value: Data

    init(_ attribute: ReceiptAttribute) {
        type = attribute.type
        version = attribute.version
        value = Data(attribute.value)
    }

    var attribute: ReceiptAttribute { ReceiptAttribute(type: type, version: version, value: Array(value)) }
}
