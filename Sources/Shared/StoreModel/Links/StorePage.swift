/// A kind of page of the store, as it stands in the path of a link.
package struct StorePage: WireValue {
    package let rawValue: String

    /// Any kind, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An app.
    package static let app = StorePage(rawValue: "app")
    /// An album, and its songs with `i=`.
    package static let album = StorePage(rawValue: "album")
    /// A song that is on no album; others are links to their albums with `i=`.
    package static let song = StorePage(rawValue: "song")
    /// A music video.
    package static let musicVideo = StorePage(rawValue: "music-video")
    /// A film.
    package static let movie = StorePage(rawValue: "movie")
    /// A season, and its episodes with `i=`.
    package static let season = StorePage(rawValue: "tv-season")
    /// An episode of no season; others are links to their seasons with `i=`.
    package static let episode = StorePage(rawValue: "tv-episode")
    /// A book.
    package static let book = StorePage(rawValue: "book")
    /// An audiobook.
    package static let audiobook = StorePage(rawValue: "audiobook")
    /// A podcast.
    package static let podcast = StorePage(rawValue: "podcast")
    /// Whoever made music, films or books.
    package static let artist = StorePage(rawValue: "artist")
    /// Whoever made apps.
    package static let developer = StorePage(rawValue: "developer")

    /// The kinds that this version knows.
    package static let known: Set<StorePage> = Set(rows.map(\.page))

    /// The kinds with the words of the old actions (`viewSoftware`), and the number of the medium in links (`mt`).
    private static let rows: [(page: StorePage, actions: [String], medium: Int?)] = [
        (.app, ["viewsoftware"], 8),
        (.album, ["viewalbum", "viewcollection"], 1),
        (.song, ["viewsong"], 1),
        (.musicVideo, ["viewmusicvideo", "viewvideo"], 5),
        (.movie, ["viewmovie"], 6),
        (.season, ["viewtvseason", "viewtvshow"], 4),
        (.episode, ["viewtvepisode"], 4),
        (.book, ["viewbook"], 11),
        (.audiobook, ["viewaudiobook"], 3),
        (.podcast, ["viewpodcast"], 2),
        (.artist, ["viewartist"], nil),
        (.developer, ["viewdeveloper"], nil),
    ]

    /// The medium that links to such a page name with `mt`; nil for people.
    package var medium: Int? { Self.rows.first { $0.page == self }?.medium }

    /// The page that a segment of a path names.
    init?(segment: some StringProtocol) {
        let page = StorePage(rawValue: segment.lowercased())
        guard page.isKnown else { return nil }
        self = page
    }

    /// The page of one of the old actions.
    init?(action: some StringProtocol) {
        let action = action.lowercased()
        guard let row = Self.rows.first(where: { $0.actions.contains(action) }) else { return nil }
        self = row.page
    }

    /// The page of a medium; 12 is that of apps for the desktop.
    init?(medium: Int) {
        guard let row = Self.rows.first(where: { $0.medium == (medium == 12 ? 8 : medium) }) else { return nil }
        self = row.page
    }
}

/// The name of an item or artist as it stands in a link, for people to read.
package enum StoreSlug {
    /// The most characters that a slug has.
    package static let longest = 80

    /// The slug of a name: its letters and digits of every script in lower case, with hyphens between words. Empty if
    /// the name has none.
    package static func of(_ name: String) -> String {
        var slug = ""
        var isBetweenWords = false
        for character in name.lowercased() where slug.count + 1 < longest {
            if character.isLetter || character.isNumber {
                if isBetweenWords, !slug.isEmpty { slug.append("-") }
                slug.append(character)
                isBetweenWords = false
            } else if character != "'", character != "’" {
                isBetweenWords = true
            }
        }
        return slug
    }

    /// The slug with escapes for all that is not ASCII, as paths are sent; browsers show it unescaped.
    static func escaped(_ slug: String) -> String {
        var escaped = ""
        for byte in slug.utf8 {
            if byte < 0x80, byte == UInt8(ascii: "-") || Unicode.Scalar(byte).isASCIIAlphanumeric {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += byte < 16 ? "%0" : "%"
                escaped += String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    /// The slug of a segment of a path; one with wrong escapes stays as it is.
    static func unescaped(_ segment: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(segment).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2 else {
                return String(segment)
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? String(segment)
    }
}
