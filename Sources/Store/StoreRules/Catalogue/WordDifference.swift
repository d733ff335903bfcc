/// What differs between two texts, word by word.
///
/// ```
/// Ten credits every month.
/// Ten credits ⟨+and a banana, ⟩every month.
/// ```
///
/// The pieces that are the same or removed make the old text, those that are the same or added the new one. Texts that differ in
/// more than ``limit`` pairs of words are not compared further than to where they begin and end alike.
package struct WordDifference: Hashable, Sendable {
    // Closed: a piece is in both texts or in one of them.
    package enum Piece: Hashable, Sendable {
        case same(String)
        case removed(String)
        case added(String)
    }

    package let pieces: [Piece]

    /// The pairs of words that are compared at most.
    package static let limit = 1_000_000

    package init(from old: String, to new: String, limit: Int = Self.limit) {
        let (old, new) = (Self.words(of: old), Self.words(of: new))
        let start = zip(old, new).prefix { $0 == $1 }.count
        let (oldRest, newRest) = (old[start...], new[start...])
        let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
        var joined = Joined()
        for word in old[..<start] { joined.take(.same(word)) }
        for piece in Self.pieces(Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)), limit: limit) {
            joined.take(piece)
        }
        for word in oldRest.suffix(end) { joined.take(.same(word)) }
        pieces = joined.pieces
    }

    package var isEmpty: Bool { pieces.allSatisfy { if case .same = $0 { true } else { false } } }

    package var old: String {
        pieces.map { if case .added = $0 { "" } else { $0.text } }.joined()
    }

    package var new: String {
        pieces.map { if case .removed = $0 { "" } else { $0.text } }.joined()
    }
}

extension WordDifference.Piece {
    package var text: String {
        switch self {
        case .same(let text), .removed(let text), .added(let text): text
        }
    }
}

extension WordDifference {
    /// The words of a text, and what is between them. Scripts without spaces have a word in each character; amounts, versions
    /// and dates are one word each.
    static func words(of text: String) -> [String] {
        // Closed: characters of one of the first two kinds make a word together.
        enum Kind { case letter, space, single }
        var words: [String] = []
        var last = Kind.single
        var rest = text[...]
        while let character = rest.popFirst() {
            let isInNumber =
                ".,:-".contains(character) && words.last?.last?.isNumber == true && rest.first?.isNumber == true
            let kind: Kind =
                isInNumber
                ? .letter
                : character.isWhitespace
                    ? .space
                    : (character.isLetter || character.isNumber || character == "_") && !standsAlone(character)
                        ? .letter : .single
            if kind != .single, kind == last {
                words[words.count - 1].append(character)
            } else {
                words.append(String(character))
            }
            last = kind
        }
        return words
    }

    /// Whether a character is of a script that is written without spaces.
    private static func standsAlone(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// The difference by the longest sequence of words that both have.
    private static func pieces(_ old: [String], _ new: [String], limit: Int) -> [Piece] {
        guard !old.isEmpty, !new.isEmpty, old.count * new.count <= limit else {
            return old.map(Piece.removed) + new.map(Piece.added)
        }
        let width = new.count + 1
        // How many words the rests have in common from each pair of places on.
        var common = [Int32](repeating: 0, count: (old.count + 1) * width)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                common[row * width + column] =
                    old[row] == new[column]
                    ? common[(row + 1) * width + column + 1] + 1
                    : max(common[(row + 1) * width + column], common[row * width + column + 1])
            }
        }
        var (row, column) = (0, 0)
        var pieces: [Piece] = []
        while row < old.count || column < new.count {
            if row < old.count, column < new.count, old[row] == new[column] {
                pieces.append(.same(old[row]))
                (row, column) = (row + 1, column + 1)
            } else if column == new.count
                || row < old.count && common[(row + 1) * width + column] >= common[row * width + column + 1]
            {
                pieces.append(.removed(old[row]))
                row += 1
            } else {
                pieces.append(.added(new[column]))
                column += 1
            }
        }
        return pieces
    }
}

/// Joins pieces of a kind, and changes that only a space lies between: so they are read as one.
private struct Joined {
    private(set) var finished: [WordDifference.Piece] = []
    private var same = ""
    private var removed = ""
    private var added = ""

    mutating func take(_ piece: WordDifference.Piece) {
        switch piece {
        case .same(let text): same += text
        case .removed(let text):
            settle()
            removed += text
        case .added(let text):
            settle()
            added += text
        }
    }

    /// Ends what is the same before a change.
    private mutating func settle() {
        guard !same.isEmpty else { return }
        // What is replaced word by word goes on over the space.
        if !removed.isEmpty, !added.isEmpty, same.allSatisfy({ $0 == " " }) {
            (removed, added, same) = (removed + same, added + same, "")
            return
        }
        finish()
        finished.append(.same(same))
        same = ""
    }

    /// Ends a change.
    private mutating func finish() {
        if !removed.isEmpty { finished.append(.removed(removed)) }
        if !added.isEmpty { finished.append(.added(added)) }
        (removed, added) = ("", "")
    }

    var pieces: [WordDifference.Piece] {
        var all = self
        all.finish()
        return all.finished + (same.isEmpty ? [] : [.same(same)])
    }
}
