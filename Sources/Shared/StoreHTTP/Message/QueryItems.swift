/// The items of a query or of a form, in their order. A name may occur several times.
package struct QueryItems: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package let all: [Item]

    package init(_ all: [Item] = []) {
        self.all = all
    }

    /// Reads `a=1&b=2`; nil for bad escapes and for too many items.
    package init?(parsing text: some StringProtocol) {
        var items: [Item] = []
        for piece in text.split(separator: "&", omittingEmptySubsequences: true) {
            guard items.count < HTTPLimits.queryItems else { return nil }
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(sides[0], plusIsSpace: true),
                let value = PercentEncoding.decode(sides.count == 2 ? String(sides[1]) : "", plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        all = items
    }

    /// The first value of a name.
    package subscript(name: String) -> String? { all.first { $0.name == name }?.value }

    package func values(_ name: String) -> [String] { all.filter { $0.name == name }.map(\.value) }
}
