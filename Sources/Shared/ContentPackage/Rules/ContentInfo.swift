import Foundation
package import StoreModel

/// The description of content: `ContentInfo.plist`.
package struct ContentInfo: Sendable {
    package static let versionKey = "ContentVersion"
    package static let identifierKey = "IAPProductIdentifier"

    /// As they are written; what is missing or no text is nil.
    package var versionText: String?
    package var identifierText: String?
    /// The whole property list as XML, with keys that are not ours.
    private var encoded: [UInt8]

    package init(product: ProductID, version: ContentVersion = .first) {
        versionText = version.text
        identifierText = product.text
        encoded = []
    }

    package var version: ContentVersion? { versionText.flatMap { ContentVersion($0) } }
    package var product: ProductID? { identifierText.flatMap { ProductID($0) } }

    /// Reads a property list, XML or binary; nil if it is none, or not the list of a dictionary.
    package init?(_ bytes: [UInt8], limits: ContentLimits = ContentLimits()) {
        guard bytes.count <= limits.infoBytes, PropertyListShape.isHarmless(bytes),
            let list = try? PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil),
            let entries = list as? [String: Any]
        else { return nil }
        versionText = entries[Self.versionKey] as? String
        identifierText = entries[Self.identifierKey] as? String
        encoded = bytes
    }

    /// As XML, with the keys it was read with.
    package func xml() throws -> [UInt8] {
        var entries: [String: Any] = [:]
        if !encoded.isEmpty,
            let list = try? PropertyListSerialization.propertyList(from: Data(encoded), options: [], format: nil)
        {
            entries = list as? [String: Any] ?? [:]
        }
        entries[Self.versionKey] = versionText
        entries[Self.identifierKey] = identifierText
        let data = try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
        return Array(data)
    }

    /// Reports each part of the expectation that the content does not meet.
    func check(_ expectation: ContentExpectation, into rules: inout ContentRules) {
        let path = ContentRoot.info
        switch (versionText, version) {
        case (nil, _):
            rules.find(
                path, .versionMissing, "\(Self.versionKey) is missing; the first version is \(ContentVersion.first)")
        case (_?, nil):
            rules.find(path, .versionMalformed, "\(Self.versionKey) has to be numbers joined by periods, as in 1.0")
        case (_?, let version?):
            let previous = expectation.previousVersion
            if version < .first {
                rules.find(
                    path, .versionTooLow,
                    "\(Self.versionKey) is \(version); versions begin with \(ContentVersion.first)")
            } else if let previous, version <= previous {
                rules.find(
                    path, .versionNotRaised,
                    "\(Self.versionKey) is \(version), and has to be above \(previous), which was before")
            }
        }
        switch (identifierText, product) {
        case (nil, _): rules.find(path, .identifierMissing, "\(Self.identifierKey) is missing: the id of the product")
        case (_?, nil): rules.find(path, .identifierMalformed, "\(Self.identifierKey) is no product id")
        case (_?, let product?):
            if let expected = expectation.product, expected != product {
                rules.find(path, .identifierMismatch, "\(Self.identifierKey) is \(product), and has to be \(expected)")
            }
        }
    }
}

/// Whether Foundation can read a property list in bounded time: its reader of binary lists reads an object as often as it
/// is referred to, so that a few lists within lists, each named twice by the one before, take it hours.
enum PropertyListShape {
    private static let mostObjects = 1024

    static func isHarmless(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: "bplist".utf8) { return isTree(bytes) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        // The oldest form, which begins with a brace, is not read.
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Whether no array, set or dictionary of a binary list is referred to twice.
    private static func isTree(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 40 else { return false }
        let trailer = bytes.suffix(32)
        let number: (ArraySlice<UInt8>) -> Int? = { part in
            part.reduce(Optional(0)) { sum, byte in
                sum.flatMap { $0 < 1 << 32 ? $0 << 8 | Int(byte) : nil }
            }
        }
        let base = trailer.startIndex
        let (offsetBytes, referenceBytes) = (Int(trailer[base + 6]), Int(trailer[base + 7]))
        guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
            let count = number(trailer[(base + 8)..<(base + 16)]), (1...mostObjects).contains(count),
            let table = number(trailer[(base + 24)..<(base + 32)]), table <= base, count * offsetBytes <= base - table
        else { return false }
        var references = [Int](repeating: 0, count: count)
        var containers: [Int] = []
        for object in 0..<count {
            let place = table + object * offsetBytes
            guard let offset = number(bytes[place..<(place + offsetBytes)]), offset < table else { return false }
            let marker = bytes[offset]
            guard marker >> 4 >= 0xA else { continue }
            containers.append(object)
            var (size, start) = (Int(marker & 0xF), offset + 1)
            if size == 0xF {
                guard start < table, bytes[start] >> 4 == 1 else { return false }
                let width = 1 << Int(bytes[start] & 0xF)
                guard width <= 8, start + 1 + width <= table,
                    let long = number(bytes[(start + 1)..<(start + 1 + width)])
                else { return false }
                (size, start) = (long, start + 1 + width)
            }
            let all = marker >> 4 == 0xD ? size * 2 : size
            guard size <= mostObjects, start + all * referenceBytes <= table else { return false }
            for index in 0..<all {
                let place = start + index * referenceBytes
                guard let other = number(bytes[place..<(place + referenceBytes)]), other < count else { return false }
                references[other] += 1
            }
        }
        return containers.allSatisfy { references[$0] <= 1 }
    }
}
