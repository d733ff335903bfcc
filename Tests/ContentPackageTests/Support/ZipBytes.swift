@testable import ContentPackage

/// An archive put together by hand, which may say anything.
struct ZipBytes {
    struct File {
        var record: ZipRecord
        var data: [UInt8]
        /// What is said before the bytes, if it is something else than in the directory.
        var local: ZipRecord?

        init(_ name: String, _ text: String = "x", mode: UInt32 = ZipRecord.fileMode, deflated: Bool = false) {
            self.init(name, Array(text.utf8), mode: mode, deflated: deflated)
        }

        init(_ name: String, _ bytes: [UInt8], mode: UInt32 = ZipRecord.fileMode, deflated: Bool = false) {
            record = ZipRecord(name: name, mode: mode)
            data = deflated ? (try? Compressor.compress(bytes, .bare)) ?? [] : bytes
            var crc = CRC32()
            bytes.withUnsafeBytes { crc.update($0) }
            record.isDeflated = deflated
            (record.crc, record.bytes, record.storedBytes) = (crc.value, Int64(bytes.count), Int64(data.count))
        }

        static func folder(_ name: String) -> File { File(name + "/", [], mode: ZipRecord.folderMode) }

        static func link(_ name: String, _ target: String) -> File { File(name, target, mode: ZipRecord.linkMode) }

        func editing(_ change: (inout File) -> Void) -> File {
            var file = self
            change(&file)
            return file
        }
    }

    var files: [File]
    var threshold: Int64 = .init(UInt32.max)
    /// Changes the count in the end of the archive.
    var count: Int?
    /// Changes the finished bytes, of which the directory begins there.
    var edit: (_ bytes: [UInt8], _ directory: Int) -> [UInt8] = { bytes, _ in bytes }

    static func valid(_ more: File...) -> ZipBytes {
        ZipBytes(files: [File("ContentInfo.plist", ContentFolder.info()), File("Contents/1.txt", "one")] + more)
    }

    func bytes() -> [UInt8] {
        var made: [UInt8] = []
        var records: [ZipRecord] = []
        for file in files {
            var record = file.record
            if record.offset == 0 { record.offset = Int64(made.count) }
            made += (file.local ?? file.record).local(threshold: threshold) + file.data
            records.append(record)
        }
        let start = made.count
        for record in records { made += record.directory(threshold: threshold) }
        let end = ZipRecord.end(
            count: count ?? records.count, directory: Int64(start)..<Int64(made.count), threshold: threshold,
            countThreshold: 0xFFFF)
        return edit(made + end, start)
    }
}
