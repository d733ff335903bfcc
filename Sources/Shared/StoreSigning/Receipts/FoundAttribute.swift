/// One attribute as it was found; ``AttributeReader`` reads its value as what its number says it is.
struct FoundAttribute {
    let type: Int64
    let version: Int64
    /// The octet string that holds the value.
    let element: BERElement
    /// The place behind it, which knows how deep the attribute lies.
    let cursor: BERCursor

    var name: String { "attribute \(type)" }

    /// The start of what the octet string holds.
    var contents: BERCursor { get throws { try cursor.contents(of: element) } }
}
