import StoreFoundation

/// A word of a command, in which names stand for values that were captured.
package struct ScenarioWord: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        // Closed: a word has nothing else.
        case text(String)
        case name(String)

        var name: String? { if case .name(let name) = self { name } else { nil } }
    }

    package let pieces: [Piece]
    package let column: Int

    // The place is no part of what a word is.
    package static func == (left: ScenarioWord, right: ScenarioWord) -> Bool { left.pieces == right.pieces }

    package func hash(into hasher: inout Hasher) { hasher.combine(pieces) }

    /// The word, if it has no names.
    package var literal: String? {
        var text = ""
        for piece in pieces {
            guard case .text(let part) = piece else { return nil }
            text += part
        }
        return text
    }

    /// The word with the values of its names; nil if one of them is no text, number or flag.
    func text(_ values: [String: JSONNode]) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .name(let name):
                switch values[name] {
                case .text(let value), .number(let value): text += value
                case .flag(let flag): text += flag ? "true" : "false"
                default: return nil
                }
            }
        }
        return text
    }
}

extension ScenarioWord: CustomStringConvertible {
    /// The word as it is written, quoted where it has to be.
    package var description: String {
        let texts = pieces.map { piece in
            switch piece {
            case .name(let name): "${\(name)}"
            case .text(let text): Self.quoted(text)
            }
        }
        return texts.isEmpty ? "''" : texts.joined()
    }

    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.allSatisfy { !$0.isWhitespace && !ScenarioScanner.marks.contains($0) }
        if isPlain { return text }
        var quoted = "\""
        for character in text {
            if "\"\\$".contains(character) { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}
