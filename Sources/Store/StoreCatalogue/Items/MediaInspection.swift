import ContentPackage
import Foundation
import StoreModel

/// Looks at the bytes of a file that is to be one of an item: what it is, how large a picture is, how long something plays, and
/// whether there is a program in it.
enum MediaInspection {
    /// What a file is. Throws for what files of its role may not be.
    static func head(of file: MediaBytes, for role: ItemFile.Role, of kind: ItemKind) throws -> MediaHead {
        guard file.count <= ItemFileLimits.bytes(of: role) else { throw tooLarge(role) }
        let form = try requireForm(file.read(0, MediaForm.bytesNeeded), for: role, of: kind)
        var head = MediaHead(form.mediaType)
        switch form.mediaType {
        case "image/png", "image/jpeg": head = try picture(file, role, kind)
        case "audio/wav": head.milliseconds = try wave(file)
        case "audio/ogg": head.milliseconds = try ogg(file)
        case "audio/flac": head.milliseconds = try flac(file)
        case "audio/mpeg": head.milliseconds = try mpegAudio(file)
        case "video/mp4": head = try mpeg4(file)
        case "video/webm": head.milliseconds = try webm(file)
        case "application/pdf": try DocumentInspection.check(file)
        case "application/epub+zip": try checkBook(file)
        default: break
        }
        // Only what is inside an MP4 says whether it can be seen.
        let isSeen = head.mediaType == "audio/mp4" ? MediaForm.audio : form.form
        guard role.forms(of: kind).contains(isSeen) else { throw refused(role, kind) }
        if let milliseconds = head.milliseconds, !(0...ItemLimits.milliseconds).contains(milliseconds) {
            throw damaged
        }
        return head
    }

    /// The form that the first bytes of a file say. Throws if files of its role may not be of it.
    static func requireForm(
        _ bytes: [UInt8], for role: ItemFile.Role, of kind: ItemKind
    ) throws(CatalogueError) -> (form: MediaForm, mediaType: String) {
        let wanted = role.forms(of: kind)
        guard let found = MediaForm.of(bytes),
            wanted.contains(found.form) || found.mediaType == "video/mp4" && wanted.contains(.audio)
        else { throw refused(role, kind) }
        return found
    }

    static func tooLarge(_ role: ItemFile.Role) -> CatalogueError {
        CatalogueError(
            .limitReached, "a file of the role \(role) has at most \(ItemFileLimits.bytes(of: role)) bytes",
            field: "file")
    }

    private static func refused(_ role: ItemFile.Role, _ kind: ItemKind) -> CatalogueError {
        let forms = role.forms(of: kind).map(\.rawValue).joined(separator: ", or ")
        return CatalogueError(
            .valueInvalid, "the \(role) of \(kind.withArticle) is \(forms), and this is not", field: "file")
    }

    static let damaged = CatalogueError(.valueInvalid, "it is cut off or damaged", field: "file")

    // MARK: Pictures

    private static func picture(_ file: MediaBytes, _ role: ItemFile.Role, _ kind: ItemKind) throws -> MediaHead {
        let bytes = try file.read(0, Int(file.count))
        let head: ProductImage.Head
        do {
            head = try ProductImage.Head(of: bytes)
        } catch {
            throw CatalogueError(error.code, error.rule, field: "file")
        }
        try requireWhole(bytes, head, field: "file")
        let isSquare = head.width == head.height
        if role == .artwork, kind == .app, !isSquare {
            throw CatalogueError(.valueInvalid, "the icon of an app is as wide as it is high", field: "file")
        }
        // Two to one, give or take a twentieth.
        if role == .wide, abs(head.width - 2 * head.height) * 20 > head.width {
            throw CatalogueError(.valueInvalid, "the wide picture is twice as wide as it is high", field: "file")
        }
        return MediaHead(head.mediaType, width: head.width, height: head.height)
    }

    /// Refuses a picture that ends before its last row, or after it.
    static func requireWhole(
        _ bytes: [UInt8], _ head: ProductImage.Head, field: String
    ) throws(CatalogueError) {
        guard head.mediaType == "image/png" ? isWholePNG(bytes, head) : bytes.suffix(2) == [0xFF, 0xD9] else {
            throw CatalogueError(
                .valueInvalid, "it is cut off, or there is something behind the picture", field: field)
        }
    }

    /// Whether the chunks of a PNG follow one another up to the end of the file, and have all rows of the picture in them.
    private static func isWholePNG(_ bytes: [UInt8], _ head: ProductImage.Head) -> Bool {
        var (place, packed) = (8, [UInt8]())
        while place + 12 <= bytes.count {
            let length = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            let isEnd = bytes[(place + 4)..<(place + 8)].elementsEqual("IEND".utf8)
            if bytes[(place + 4)..<(place + 8)].elementsEqual("IDAT".utf8) {
                packed += bytes[(place + 8)...].prefix(length)
            }
            place += 12 + length
            if isEnd { return place == bytes.count && hasRows(packed, bytes, head) }
        }
        return false
    }

    /// Whether packed rows are those of a picture: each is one byte longer than its points.
    private static func hasRows(_ packed: [UInt8], _ bytes: [UInt8], _ head: ProductImage.Head) -> Bool {
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[25]] ?? 4
        let rows = head.height * (1 + (head.width * channels * Int(bytes[24]) + 7) / 8)
        // In seven passes a picture has more rows, which are shorter.
        let isInterlaced = bytes[28] != 0
        let count = Inflation.count(of: packed, atMost: isInterlaced ? 2 * rows + 1024 : rows)
        return isInterlaced ? count != nil : count == rows
    }

    // MARK: Books

    private static func checkBook(_ file: MediaBytes) throws {
        let contents: ZipContents
        do {
            contents = try ZipContents(bytes: file.count, atMost: ItemFileLimits.archiveEntries, read: file.read)
        } catch let error as ContentError {
            throw CatalogueError(.valueInvalid, error.message, field: "file")
        }
        if let finding = contents.findings.first {
            throw CatalogueError(.valueInvalid, "\(finding.path ?? "a file in it"): \(finding.message)", field: "file")
        }
        guard contents.names.first == "mimetype", contents.names.contains("META-INF/container.xml") else {
            throw CatalogueError(.valueInvalid, "it is no EPUB: META-INF/container.xml is missing", field: "file")
        }
    }

    // MARK: What plays

    private static func milliseconds(_ count: UInt64, per second: UInt64) -> Int64? {
        guard second > 0, count < 1 << 50 else { return nil }
        return Int64(count * 1000 / second)
    }

    private static func wave(_ file: MediaBytes) throws -> Int64? {
        var (place, rate): (Int64, UInt64) = (12, 0)
        while place + 8 <= file.count {
            let size = try file.little(place + 4, 4)
            if try file.has("fmt ", at: place) { rate = try file.little(place + 16, 4) }
            if try file.has("data", at: place) {
                guard size > 0, size <= UInt64(file.count - place - 8) else { throw damaged }
                return milliseconds(size, per: rate)
            }
            place += 8 + Int64(size + size % 2)
        }
        throw damaged
    }

    private static func ogg(_ file: MediaBytes) throws -> Int64? {
        // The first packet begins behind the table of its page, and names the codec.
        let packet = 27 + Int64(try file.little(26, 1))
        let rate: UInt64
        if try file.read(packet, 7) == [1] + Array("vorbis".utf8) {
            rate = try file.little(packet + 12, 4)
        } else if try file.has("OpusHead", at: packet) {
            rate = 48_000
        } else if try file.read(packet, 5) == [0x7F] + Array("FLAC".utf8) {
            rate = try file.big(packet + 27, 3) >> 4
        } else {
            throw CatalogueError(.valueInvalid, "an Ogg file has Vorbis, Opus or FLAC in it", field: "file")
        }
        let tail = min(file.count, 1 << 17)
        let end = try file.read(file.count - tail, Int(tail))
        let mark = Array("OggS".utf8)
        let last = stride(from: end.count - 27, through: 0, by: -1).first { end[$0...].starts(with: mark) }
        guard let last else { throw damaged }
        return milliseconds(try file.little(file.count - tail + Int64(last) + 6, 8), per: rate)
    }

    private static func flac(_ file: MediaBytes) throws -> Int64? {
        // The first block has a fixed length, and frames follow the last one.
        guard try file.big(4, 4) & 0x7FFF_FFFF == 34, file.count > 42 else { throw damaged }
        let fields = try file.big(18, 8)
        return milliseconds(fields & 0xF_FFFF_FFFF, per: fields >> 44)
    }

    /// The length by the first frame, as if all were like it; what counts its frames is not looked for.
    private static func mpegAudio(_ file: MediaBytes) throws -> Int64? {
        var place: Int64 = 0
        if try file.has("ID3", at: 0) {
            place = 10 + Int64(try file.read(6, 4).reduce(0) { $0 << 7 | UInt64($1 & 0x7F) })
        }
        let head = try file.read(place, 4)
        guard head.count == 4, head[0] == 0xFF, head[1] & 0xE6 == 0xE2 else { throw damaged }
        let isFirst = head[1] & 0x18 == 0x18
        let rates: [UInt64] =
            isFirst
            ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
            : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
        return milliseconds(UInt64(file.count - place) * 8, per: rates[Int(head[2] >> 4)] * 1000)
    }

    /// An MP4 is boxes in boxes: `moov` has the length in `mvhd`, and a handler for each track.
    private static func mpeg4(_ file: MediaBytes) throws -> MediaHead {
        guard let movie = try box("moov", from: 0, to: file.count, of: file),
            let header = try box("mvhd", from: movie.lowerBound, to: movie.upperBound, of: file)
        else { throw damaged }
        let isLong = try file.big(header.lowerBound, 1) == 1
        let times = header.lowerBound + (isLong ? 20 : 12)
        let length = milliseconds(
            try file.big(times + 4, isLong ? 8 : 4), per: try file.big(times, 4))
        var (place, isSeen) = (movie.lowerBound, false)
        while let track = try box("trak", from: place, to: movie.upperBound, of: file) {
            place = track.upperBound
            guard let media = try box("mdia", from: track.lowerBound, to: track.upperBound, of: file),
                let handler = try box("hdlr", from: media.lowerBound, to: media.upperBound, of: file)
            else { throw damaged }
            if try file.has("vide", at: handler.lowerBound + 8) { isSeen = true }
        }
        return MediaHead(isSeen ? "video/mp4" : "audio/mp4", milliseconds: length)
    }

    /// What is in the first box of a name among those that follow one another.
    private static func box(
        _ name: String, from start: Int64, to end: Int64, of file: MediaBytes
    ) throws -> Range<Int64>? {
        var place = start
        while place + 8 <= end {
            var (size, head) = (Int64(try file.big(place, 4)), Int64(8))
            if size == 1 { (size, head) = (Int64(clamping: try file.big(place + 8, 8)), 16) }
            if size == 0 { size = end - place }
            guard size >= head, size <= end - place else { throw damaged }
            if try file.has(name, at: place + 4) { return (place + head)..<(place + size) }
            place += size
        }
        return nil
    }

    /// The bytes at the beginning of a Matroska file within which it says that it is a WebM.
    private static let webmHeader = 256

    /// The elements of a WebM that say how long it is.
    private static func webm(_ file: MediaBytes) throws -> Int64? {
        let head = try file.read(0, 1 << 16)
        guard head.prefix(webmHeader).indices.contains(where: { head[$0...].starts(with: Array("webm".utf8)) }) else {
            throw CatalogueError(.valueInvalid, "a Matroska file is a WebM, or it is not taken", field: "file")
        }
        func value(_ mark: [UInt8]) -> [UInt8]? {
            guard let place = head.indices.first(where: { head[$0...].starts(with: mark) }) else { return nil }
            let start = place + mark.count
            guard start < head.count else { return nil }
            // The zeros before the first one of the length say how many bytes it has.
            let width = head[start].leadingZeroBitCount + 1
            guard width <= 8 else { return nil }
            let length = head[start...].prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let count = length & ((1 << UInt64(7 * width)) - 1)
            return count <= 8 ? Array(head[start...].dropFirst(width).prefix(Int(count))) : nil
        }
        let scale = value([0x2A, 0xD7, 0xB1])?.reduce(0) { $0 << 8 | UInt64($1) } ?? 1_000_000
        guard let duration = value([0x44, 0x89]) else { return nil }
        let bits = duration.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let units = duration.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
        let length = units * Double(scale) / 1_000_000
        return length.isFinite && length >= 0 && length < 1e12 ? Int64(length) : nil
    }
}
