import CGD
import Foundation

/// A picture in memory, read from a PNG or JPEG file.
final class Picture {
    /// The two kinds of files that are read and written.
    // Closed: only this app switches over them.
    enum Format { case png, jpeg }

    /// A file that is larger is not read.
    static let largestFile = 64 << 20
    /// The most points of a picture: it takes four bytes for each. A small file may promise any number of them.
    static let mostPoints = 50_000_000
    private static let jpegQuality: Int32 = 92
    /// Of the bytes of a colour, as libgd has them, the one that says how much of it is to be seen.
    private static let transparency: Int32 = 0x7F00_0000

    private let image: gdImagePtr
    let format: Format

    init(at path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw PictureError("\(path) cannot be read.")
        }
        defer { try? file.close() }
        // A folder can be opened, and not read.
        guard let data = try? file.read(upToCount: Self.largestFile + 1) else {
            throw PictureError("\(path) cannot be read.")
        }
        guard !data.isEmpty else { throw PictureError("\(path) is empty.") }
        guard data.count <= Self.largestFile else {
            throw PictureError("\(path) exceeds \(Self.largestFile >> 20) MB.")
        }
        let bytes = [UInt8](data)
        guard let found = PictureHead(bytes) else { throw PictureError("\(path) is neither PNG nor JPEG.") }
        guard found.width > 0, found.height > 0, found.width * found.height <= Self.mostPoints else {
            throw PictureError(
                "\(path) has \(found.width) by \(found.height) points; \(Self.mostPoints / 1_000_000) million are taken."
            )
        }
        // libgd fills up what is missing of a JPEG with grey.
        guard found.hasEnd(in: bytes) else { throw PictureError("\(path) is damaged.") }
        format = found.format
        image = try Self.read(bytes, as: found.format, path)
    }

    deinit {
        gdImageDestroy(image)
    }

    private static func read(_ bytes: [UInt8], as format: Format, _ path: String) throws -> gdImagePtr {
        till_silence_gd()
        var copy = bytes
        let image = copy.withUnsafeMutableBytes { bytes in
            switch format {
            case .png: gdImageCreateFromPngPtr(Int32(bytes.count), bytes.baseAddress)
            case .jpeg: gdImageCreateFromJpegPtrEx(Int32(bytes.count), bytes.baseAddress, 0)
            }
        }
        guard let image else { throw PictureError("\(path) is damaged.") }
        // The few colours of a palette are no place for those of a filter.
        guard image.pointee.trueColor != 0 || gdImagePaletteToTrueColor(image) != 0 else {
            gdImageDestroy(image)
            throw PictureError("There is not enough memory for \(path).")
        }
        return image
    }

    /// Whether a point is not opaque.
    private var isTransparent: Bool {
        (0..<Int(image.pointee.sy)).contains { row in
            guard let points = image.pointee.tpixels[row] else { return false }
            return (0..<Int(image.pointee.sx)).contains { points[$0] & Self.transparency != 0 }
        }
    }

    /// Changes every point. What is transparent stays so.
    func apply(_ filter: Filter) {
        for row in 0..<Int(image.pointee.sy) {
            guard let points = image.pointee.tpixels[row] else { continue }
            for column in 0..<Int(image.pointee.sx) {
                let point = points[column]
                let (red, green, blue) = filter(point >> 16 & 0xFF, point >> 8 & 0xFF, point & 0xFF)
                points[column] = point & Self.transparency | red << 16 | green << 8 | blue
            }
        }
    }

    /// Writes it, in the form that the name says, or else in its own. The file is there whole or not at all.
    func write(to path: String) throws {
        let kind = (path as NSString).pathExtension.lowercased()
        let format: Format = kind == "png" ? .png : ["jpg", "jpeg"].contains(kind) ? .jpeg : self.format
        var count: Int32 = 0
        let bytes =
            switch format {
            case .png: pngBytes(&count)
            case .jpeg: gdImageJpegPtr(image, &count, Self.jpegQuality)
            }
        guard let bytes else { throw PictureError("There is not enough memory for \(path).") }
        defer { gdFree(bytes) }
        do {
            try Data(bytes: bytes, count: Int(count)).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            let folder = (path as NSString).deletingLastPathComponent
            let isThere = folder.isEmpty || FileManager.default.fileExists(atPath: folder)
            let reason = isThere ? error.localizedDescription : "there is no folder \(folder)."
            throw PictureError("\(path) cannot be written: \(reason)")
        }
    }
}

extension Picture {
    /// Three bytes for a point, or four where something is transparent.
    private func pngBytes(_ count: inout Int32) -> UnsafeMutableRawPointer? {
        gdImageSaveAlpha(image, isTransparent ? 1 : 0)
        return gdImagePngPtr(image, &count)
    }
}

/// Why a picture cannot be read or written, for the person.
struct PictureError: LocalizedError {
    let message: String

    init(_ message: String) { self.message = message }

    var errorDescription: String? { message }
}

/// What the beginning of a file says about a picture, before memory is taken for it.
struct PictureHead {
    let format: Picture.Format
    let width: Int
    let height: Int
    /// Where the picture itself begins; a small one for overviews may come before it.
    private let start: Int

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    init?(_ bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        if bytes.count >= 24, bytes.starts(with: Self.png) {
            (format, width, height, start) = (.png, number(16..<20), number(20..<24), 0)
            return
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var position = 2
        // Segments: a mark, a length, until the one that begins a frame.
        while position + 9 <= bytes.count, bytes[position] == 0xFF {
            let mark = bytes[position + 1]
            if (0xC0...0xCF).contains(mark), ![0xC4, 0xC8, 0xCC].contains(mark) {
                (format, start) = (.jpeg, position)
                (height, width) = (number(position + 5..<position + 7), number(position + 7..<position + 9))
                return
            }
            // Marks may have more than one byte 0xFF before them.
            position += mark == 0xFF ? 1 : 2 + number(position + 2..<position + 4)
        }
        return nil
    }

    /// Whether the mark of its end is there. libpng looks for that of PNG itself.
    func hasEnd(in bytes: [UInt8]) -> Bool {
        guard format == .jpeg else { return true }
        return (start..<bytes.count - 1).reversed().contains { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
    }
}
