import StoreCatalogue
import StoreModel

// Small parts that many pages of the storefront have.

/// A picture of something, which is known by its outline: an app has round corners, films and books are high, the rest is
/// square. What has no picture shows its first letter.
struct Artwork: Sendable {
    enum Outline: String, Sendable {
        case app, album, film, book, wide
        /// A picture of another form within a wide one.
        case boxed = "wide boxed"

        init(_ kind: ItemKind) {
            self =
                switch kind {
                case .app: .app
                case .film: .film
                case .book: .book
                default: .album
                }
        }

        /// The size that a browser keeps free, before it knows that of the picture.
        fileprivate var size: (width: Int, height: Int) {
            switch self {
            case .app: (64, 64)
            case .album: (240, 240)
            case .film, .book: (240, 360)
            case .wide, .boxed: (1200, 600)
            }
        }
    }

    let outline: Outline
    /// Where the picture is; nil without one.
    let link: Link?
    /// What it is a picture of.
    let title: String

    init(outline: Outline, link: Link?, title: String) {
        (self.outline, self.link, self.title) = (outline, link, title)
    }

    /// The wide picture of something; its artwork, whole, where it has none.
    init(wide: Link?, else artwork: Link?, title: String) {
        self.init(outline: wide == nil ? .boxed : .wide, link: wide ?? artwork, title: title)
    }

    /// - Parameters:
    ///   - isLazy: whether it is got once it comes into sight.
    ///   - words: what is to be seen on it; empty where its name stands beside it.
    func element(isLazy: Bool = true, words: String = "") -> Element {
        guard let link else {
            return span(.class("art \(outline.rawValue) letter"), .isHidden) { String(title.prefix(1)) }
        }
        let size = outline.size
        return img(
            .class("art \(outline.rawValue)"), .src(link), .width(size.width), .height(size.height), .alt(words),
            isLazy ? .isLazy : nil)
    }
}

/// Something in a list of the storefront: its picture, its name, a line about it, and what it costs.
struct Tile: Sendable {
    let artwork: Artwork
    let title: String
    /// The language of the title, where it is not that of the page.
    var language: String?
    let line: String
    let link: Link
    let cost: Cost

    /// What stands in a list in the place of a button.
    enum Cost: Hashable, Sendable {
        case price(String)
        case owned(String)
        /// Why there is no price, in a word.
        case none(String)
    }
}

extension Tile.Cost {
    var element: Element? {
        switch self {
        case .price(let text): span(.class("cost")) { text }
        case .owned(let text): span(.class("cost owned")) { text }
        case .none(let text): text.isEmpty ? nil : span(.class("cost muted")) { text }
        }
    }
}

extension Tile {
    fileprivate var name: Element {
        h3 { a(.href(link), language.map { .lang($0) }) { title } }
    }

    /// As one of a shelf, under one another.
    ///
    /// - Parameter acts: what can be done with it there.
    func tile(_ acts: [any HTML] = []) -> Element {
        li(.class("tile")) {
            artwork.element()
            name
            p { line }
            cost.element
            if !acts.isEmpty { div(.class("does")) { acts } }
        }
    }

    /// As one of some rows, beside one another.
    func row(rank: Int? = nil) -> Element {
        li {
            if let rank { span(.class("rank")) { "\(rank)" } }
            artwork.element()
            div {
                name
                p { line }
            }
            cost.element
        }
    }
}

/// A shelf that scrolls sideways.
///
/// - Parameter isHigh: whether its pictures are higher than wide, so that more of them fit.
func shelf(_ tiles: [Tile], isHigh: Bool = false, isMixed: Bool = false) -> Element {
    ul(.class("shelf" + (isHigh ? " three" : "") + (isMixed ? " mixed" : ""))) {
        for tile in tiles { tile.tile() }
    }
}

/// Rows in three columns, which narrow windows put side by side.
func rows(_ tiles: [Tile], isDeck: Bool = false) -> Element {
    ul(.class("rows" + (isDeck ? " deck" : ""))) {
        for tile in tiles { tile.row() }
    }
}

/// Apps as rows, everything else as a shelf.
func list(_ tiles: [Tile], isDeck: Bool = false) -> Element {
    let outlines = Set(tiles.map(\.artwork.outline))
    if outlines == [.app] { return rows(tiles, isDeck: isDeck) }
    return shelf(tiles, isHigh: outlines.isDisjoint(with: [.app, .album]), isMixed: outlines.count > 1)
}

/// A part of a page with its heading, and perhaps where there is more of it.
func part(
    _ heading: String, id: String? = nil, more: (text: String, link: Link)? = nil,
    @HTMLBuilder _ content: () -> [any HTML]
) -> Element {
    let content = content()
    return section(.class("part"), id.map { .id($0) }) {
        header {
            h2 { heading }
            if let more { a(.href(more.link)) { more.text } }
        }
        content
    }
}

/// How many stars something has, drawn and in words.
///
/// - Parameter tenths: ten times the stars.
func stars(_ tenths: Int, _ words: String) -> Element {
    // The style sheet draws halves.
    let half = min(50, max(10, (tenths + 2) / 5 * 5))
    return span(.class("stars s\(half)"), .role("img"), .label(words))
}

/// A text of a developer: its paragraphs, and lines that begin with a dash or a dot as a list.
func reading(_ text: String) -> [any HTML] {
    var (pieces, items): ([any HTML], [String]) = ([], [])
    func endList() {
        guard !items.isEmpty else { return }
        let lines = items
        pieces.append(
            ul {
                for line in lines { li { line } }
            })
        items = []
    }
    for line in text.split(whereSeparator: \.isNewline) {
        let words = line.drop { $0.isWhitespace }
        guard !words.isEmpty else { continue }
        if let mark = words.first, "-•*–".contains(mark), words.dropFirst().first == " " {
            items.append(String(words.dropFirst(2)))
        } else {
            endList()
            pieces.append(p { String(words) })
        }
    }
    endList()
    return pieces
}
