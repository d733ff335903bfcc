/// What pages read of their own pieces before they are written.
extension Element {
    func isNamed(_ name: String) -> Bool { "\(tag.name)" == name }

    /// The value of an attribute.
    subscript(name: String) -> String? { attributes.first { "\($0.name)" == name }?.value }

    /// The elements of some pieces, however deep, for which something holds; none within another.
    static func all(in pieces: [any HTML], where isMeant: (Element) -> Bool) -> [Element] {
        pieces.flatMap { piece -> [Element] in
            if let inner = piece as? [any HTML] { return all(in: inner, where: isMeant) }
            guard let element = piece as? Element else { return [] }
            return isMeant(element) ? [element] : all(in: element.content, where: isMeant)
        }
    }

    /// The texts in it.
    var text: String { Self.text(of: content) }

    private static func text(of pieces: [any HTML]) -> String {
        pieces.map { piece in
            switch piece {
            case let inner as [any HTML]: text(of: inner)
            case let element as Element: element.text
            default: (piece as? String) ?? ""
            }
        }.joined()
    }
}
