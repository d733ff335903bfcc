import StoreModel

/// Checks the texts of people before the catalogue keeps them.
enum CatalogueText {
    /// A text on one line that is not empty.
    static func line(_ text: String, atMost limit: Int, field: String) throws(CatalogueError) -> String {
        guard !text.isEmpty else { throw CatalogueError(.valueInvalid, "it is empty", field: field) }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw CatalogueError(.valueInvalid, "it has a control character", field: field)
        }
        return try bounded(text, atMost: limit, field)
    }

    /// A text of any number of lines.
    static func lines(_ text: String, atMost limit: Int, field: String) throws(CatalogueError) -> String {
        let isBad = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory == .control && !["\n", "\r", "\t"].contains(scalar)
        }
        guard !text.unicodeScalars.contains(where: isBad) else {
            throw CatalogueError(.valueInvalid, "it has a control character", field: field)
        }
        return try bounded(text, atMost: limit, field)
    }

    /// The tag of a language, `zh-Hans`; as files for Xcode write it, `zh_Hans`, too.
    static func language(_ text: String, field: String) throws(CatalogueError) -> String {
        let tag = text.replacing("_", with: "-")
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.enumerated().allSatisfy { index, part in
            (index == 0 ? 2...3 : 1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { isLetter($0) || (index > 0 && (0x30...0x39).contains($0)) }
        }
        guard isTag, tag.utf8.count <= CatalogueLimits.language else {
            throw CatalogueError(.valueInvalid, "it is the tag of a language such as en-US or zh-Hans", field: field)
        }
        return tag
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func bounded(_ text: String, atMost limit: Int, _ field: String) throws(CatalogueError) -> String {
        guard text.unicodeScalars.count <= limit else {
            throw CatalogueError(.valueInvalid, "it has more than \(limit) characters", field: field)
        }
        return text
    }
}
