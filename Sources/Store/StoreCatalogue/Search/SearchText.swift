import Foundation

/// What makes two spellings of a text the same to a search, and into which words it falls.
///
/// Case, diacritics, the width of letters and the two scripts of Japanese syllables make no difference. Scripts that are
/// written without spaces fall into pairs of neighbouring characters, so that every word in them is a row of pairs.
package enum SearchText {
    /// The most characters of a word that count.
    static let longestWord = 40
    /// The most words of one text that count.
    static let mostWords = 1_000

    /// A piece of a text between what separates words.
    enum Piece: Hashable, Sendable {
        // Closed: a script either separates words or does not.
        /// A word as it is written with spaces around it.
        case word(String)
        /// Characters of a script without spaces.
        case characters([Unicode.Scalar])
    }

    /// The text without what makes no difference.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !isDropped(scalar) {
            if let letters = others[scalar] {
                folded.append(contentsOf: letters.unicodeScalars)
            } else if (0x30A1...0x30F6).contains(scalar.value), let hiragana = Unicode.Scalar(scalar.value - 0x60) {
                folded.append(hiragana)
            } else {
                folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(folded).precomposedStringWithCanonicalMapping
    }

    /// The pieces of a text, folded. What comes after the limit of words is left out.
    static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var word = String.UnicodeScalarView()
        var characters: [Unicode.Scalar] = []
        var count = 0
        func end() {
            if !word.isEmpty { pieces.append(.word(String(word.prefix(longestWord)))) }
            if !characters.isEmpty { pieces.append(.characters(characters)) }
            count += characters.count + (word.isEmpty ? 0 : 1)
            word.removeAll()
            characters.removeAll()
        }
        for scalar in folded(text).unicodeScalars {
            guard count + characters.count < mostWords else { break }
            if isWrittenWithoutSpaces(scalar) {
                if !word.isEmpty { end() }
                characters.append(scalar)
            } else if isOfWord(scalar) {
                if !characters.isEmpty { end() }
                word.append(scalar)
            } else if !isApostrophe(scalar) {
                end()
            }
        }
        end()
        return pieces
    }

    /// The words of a text as an index keeps them: of characters without spaces every pair, and the last one alone.
    static func words(of text: String) -> [String] {
        pieces(of: text).flatMap { piece -> [String] in
            switch piece {
            case .word(let word): [word]
            case .characters(let characters): pairs(of: characters) + characters.suffix(1).map { String($0) }
            }
        }
    }

    /// Each character with the one that follows it.
    static func pairs(of characters: [Unicode.Scalar]) -> [String] {
        zip(characters, characters.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
    }

    /// The folded text with one space between its words: what two names have in common that a search takes for the same.
    package static func key(of name: String) -> String {
        text(of: pieces(of: name))
    }

    /// Pieces with spaces between them.
    static func text(of pieces: [Piece]) -> String {
        pieces.map { piece in
            switch piece {
            case .word(let word): word
            case .characters(let characters): String(String.UnicodeScalarView(characters))
            }
        }.joined(separator: " ")
    }

    /// A word in ASCII, of which typing errors change little: other letters are written as their numbers. Engines know
    /// letters by locales that differ, and all of them know those of ASCII.
    static func spelling(of word: String) -> String {
        word.unicodeScalars.reduce(into: "") { spelling, scalar in
            spelling += scalar.isASCII ? String(scalar) : String(scalar.value, radix: 36)
        }
    }

    /// Marks above, below and within letters that many people leave out when they type.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Latin, Greek and Cyrillic; Hebrew points; Arabic vowels; marks of symbols.
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670, 0x640,
            0x20D0...0x20FF, 0xFE20...0xFE2F:
            true
        // Variation selectors, and what is not to be seen.
        case 0xFE00...0xFE0F, 0x200B...0x200F, 0x2060, 0xFEFF, 0xAD: true
        default: false
        }
    }

    /// Letters that do not come apart into one of ASCII and a mark, but are typed as such.
    private static let others: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
        "ł": "l", "Ł": "l", "ı": "i", "þ": "th", "Þ": "th", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h", "ς": "σ",
    ]

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { ["'", "’", "ʼ", "‘", "`"].contains(scalar) }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    /// Scripts of Chinese and Japanese, and of Thai, Lao, Burmese and Khmer.
    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005...0x3007, 0x3040...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        case 0xE01...0xE4E, 0xE80...0xEFF, 0x1000...0x109F, 0x1780...0x17FF: isOfWord(scalar)
        default: false
        }
    }
}
