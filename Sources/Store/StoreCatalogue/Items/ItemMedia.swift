import ContentPackage
package import StoreDatabase

/// The limits of the files of items.
package enum ItemFileLimits {
    package static let screenshots = 10
    package static let previews = 3
    /// The packages of one version of an app, the parts of an audiobook.
    package static let packages = 20
    /// The bytes of a picture.
    package static let pictureBytes: Int64 = 5 << 20
    /// The bytes of a sample that is heard, seen or read before something is bought.
    package static let sampleBytes: Int64 = 50 << 20
    /// The bytes of what is bought.
    package static let packageBytes: Int64 = 4_000_000_000
    /// The files of a book, which is an archive.
    package static let archiveEntries = 20_000

    /// How many bytes a file of a role may have.
    package static func bytes(of role: ItemFile.Role) -> Int64 {
        switch role {
        case .package: packageBytes
        case .preview, .sample: sampleBytes
        default: pictureBytes
        }
    }
}

/// What the bytes of a file say that it is, whatever its name or its sender say.
package struct MediaHead: Hashable, Sendable {
    package let mediaType: String
    package var width: Int?
    package var height: Int?
    /// How long it plays; nil if that is not said where it is looked for.
    package var milliseconds: Int64?

    init(_ mediaType: String, width: Int? = nil, height: Int? = nil, milliseconds: Int64? = nil) {
        (self.mediaType, self.width, self.height) = (mediaType, width, height)
        self.milliseconds = milliseconds
    }
}

/// A kind of media that a file of an item may be.
enum MediaForm: String, Sendable {
    case picture = "a PNG or JPEG picture"
    case audio = "audio as MP3, M4A, Ogg, FLAC or WAV"
    case video = "video as MP4 or WebM"
    case book = "a book as EPUB or PDF"
    case package = "a .deb package, an AppImage, a .tar archive that is compressed, or a .zip archive"

    /// How many bytes say which kind of media a file is.
    static let bytesNeeded = 64

    /// The form of a file that begins with these bytes, and its media type; nil if it is none.
    static func of(_ bytes: [UInt8]) -> (form: MediaForm, mediaType: String)? {
        for (form, mediaType, offset, mark) in marks
        where bytes.count >= offset + mark.count && bytes[offset...].starts(with: mark) {
            return (form, mediaType)
        }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WAVE".utf8)) {
            return (.audio, "audio/wav")
        }
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return (.video, "video/mp4") }
        // The head of a frame: layer III of MPEG 1 or 2 with a rate that there is.
        if bytes.count >= 4, bytes[0] == 0xFF, [0xFA, 0xFB, 0xF2, 0xF3].contains(bytes[1]), bytes[2] >> 4 != 0xF {
            return (.audio, "audio/mpeg")
        }
        return nil
    }

    private static let marks: [(MediaForm, String, offset: Int, mark: [UInt8])] = [
        (.picture, "image/png", 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        (.picture, "image/jpeg", 0, [0xFF, 0xD8, 0xFF]),
        (.audio, "audio/ogg", 0, Array("OggS".utf8)),
        (.audio, "audio/flac", 0, Array("fLaC".utf8)),
        (.audio, "audio/mpeg", 0, Array("ID3".utf8)),
        (.video, "video/webm", 0, [0x1A, 0x45, 0xDF, 0xA3]),
        (.book, "application/pdf", 0, Array("%PDF-".utf8)),
        (.book, "application/epub+zip", 30, Array("mimetypeapplication/epub+zip".utf8)),
        (.package, "application/vnd.debian.binary-package", 0, Array("!<arch>\ndebian-binary".utf8)),
        (.package, "application/vnd.appimage", 8, [0x41, 0x49, 0x02]),
        (.package, "application/gzip", 0, [0x1F, 0x8B, 0x08]),
        (.package, "application/x-xz", 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        (.package, "application/zstd", 0, [0x28, 0xB5, 0x2F, 0xFD]),
        (.package, "application/x-bzip2", 0, Array("BZh".utf8)),
        (.package, "application/zip", 0, [0x50, 0x4B, 0x03, 0x04]),
    ]

    /// What the name of a file of a media type may end with, the usual end first.
    static func endings(of mediaType: String) -> [String] {
        endingsByType[mediaType] ?? []
    }

    private static let endingsByType: [String: [String]] = [
        "image/png": [".png"], "image/jpeg": [".jpg", ".jpeg"], "audio/ogg": [".ogg", ".oga", ".opus"],
        "audio/flac": [".flac"], "audio/mpeg": [".mp3"], "audio/wav": [".wav"], "audio/mp4": [".m4a", ".m4b", ".mp4"],
        "video/mp4": [".mp4", ".m4v"], "video/webm": [".webm"], "application/pdf": [".pdf"],
        "application/epub+zip": [".epub"], "application/vnd.debian.binary-package": [".deb"],
        "application/vnd.appimage": [".AppImage"], "application/gzip": [".tar.gz", ".tgz"],
        "application/x-xz": [".tar.xz", ".txz"], "application/zstd": [".tar.zst"],
        "application/x-bzip2": [".tar.bz2"], "application/zip": [".zip"],
    ]

    /// A name under which a file can be kept: without folders and signs that mean something to a system, and with an end that
    /// says what it is.
    static func name(_ text: String, _ mediaType: String) -> String {
        let base = text.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let plain = base.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || "._-+()~ ".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
        }
        var name = String(String(plain).drop { $0 == "." || $0 == " " || $0 == "-" })
        let endings = endings(of: mediaType)
        let ending = endings.first { name.lowercased().hasSuffix($0.lowercased()) }
        if let ending { name = String(name.dropLast(ending.count)) }
        while name.utf8.count > ItemLimits.fileName - 10 { name.removeLast() }
        return (name.isEmpty ? "file" : name) + (ending ?? endings.first ?? "")
    }
}

extension ItemFile.Role {
    /// What files of this role may be.
    func forms(of kind: ItemKind) -> [MediaForm] {
        switch self {
        case .preview: [.film, .season, .episode, .app].contains(kind) ? [.video] : [.audio]
        case .sample: [.book]
        case .package:
            switch kind {
            case .app: [.package]
            case .film, .episode: [.video]
            case .book: [.book]
            default: [.audio]
            }
        default: [.picture]
        }
    }
}

/// A file that has come, was looked at and kept.
package struct ReceivedFile: Hashable, Sendable {
    package let blob: BlobID
    package let head: MediaHead
    package let bytes: Int64
    /// What it is called, made safe.
    package let name: String
}

/// The bytes of a file that is looked at, wherever they are.
struct MediaBytes {
    let count: Int64
    /// Some of them, fewer at the end.
    let read: (_ offset: Int64, _ count: Int) throws -> [UInt8]

    init(count: Int64, read: @escaping (Int64, Int) throws -> [UInt8]) {
        (self.count, self.read) = (count, read)
    }

    init(_ bytes: [UInt8]) {
        self.init(count: Int64(bytes.count)) { offset, count in
            let start = min(max(0, Int(offset)), bytes.count)
            return Array(bytes[start..<min(start + max(0, count), bytes.count)])
        }
    }

    /// A number that is written with its highest byte first.
    func big(_ offset: Int64, _ count: Int) throws -> UInt64 {
        try read(offset, count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that is written with its lowest byte first.
    func little(_ offset: Int64, _ count: Int) throws -> UInt64 {
        try read(offset, count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether some text stands at a place.
    func has(_ text: String, at offset: Int64) throws -> Bool {
        try read(offset, text.utf8.count) == Array(text.utf8)
    }
}
