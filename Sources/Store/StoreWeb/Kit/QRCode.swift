import CQRCode

/// A text as a square of dark and light modules, which telephones read (ISO 18004).
struct QRCode: Hashable {
    /// The most bytes of a text; what is asked for here has less than half of it.
    static let longest = 1000
    /// The light modules around it, without which readers do not find it.
    static let margin = 4

    /// Modules of a side.
    let size: Int
    /// Row by row.
    private let modules: [Bool]

    /// Nil for an empty text and for one that is too long.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.longest).contains(bytes.count),
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        guard let data = code.pointee.data else { return nil }
        size = Int(code.pointee.width)
        // Of each byte the lowest bit is the colour; the others say what the module is for.
        modules = (0..<size * size).map { data[$0] & 1 == 1 }
    }

    func isDark(_ row: Int, _ column: Int) -> Bool { modules[row * size + column] }

    /// The picture: dark on light in every colour scheme, or it could not be read.
    ///
    /// - Parameter words: what it is, for those who do not see it.
    func element(_ words: String) -> Element {
        let side = size + 2 * Self.margin
        return svg(.class("qr"), .viewBox("0 0 \(side) \(side)"), .role("img"), .label(words)) {
            rect(.class("light"), .width(side), .height(side))
            for row in 0..<size {
                for run in runs(row) {
                    rect(.x(run.lowerBound + Self.margin), .y(row + Self.margin), .width(run.count), .height(1))
                }
            }
        }
    }

    /// The dark modules of a row that lie side by side.
    private func runs(_ row: Int) -> [Range<Int>] {
        var (runs, start) = ([Range<Int>](), Int?.none)
        for column in 0...size {
            let isDark = column < size && isDark(row, column)
            if isDark { start = start ?? column }
            if !isDark, let first = start {
                runs.append(first..<column)
                start = nil
            }
        }
        return runs
    }
}
