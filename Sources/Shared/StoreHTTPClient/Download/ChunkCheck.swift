/// The digests that consecutive chunks of a file must have: damage is noticed when a chunk is complete, and only that chunk is
/// requested again.
package struct ChunkDigests: Sendable {
    /// How long each chunk is; the last may be shorter.
    let length: Int
    let digests: [[UInt8]]
    let make: @Sendable () throws -> any ContentDigest

    /// Nil if there are not as many digests as a file of this length has chunks.
    ///
    /// - Parameters:
    ///   - length: how long each chunk is.
    ///   - whole: how long the file is.
    ///   - make: starts the computation of a digest of the kind of `digests`.
    package init?(
        _ digests: [[UInt8]], ofEach length: Int, in whole: Int,
        _ make: @escaping @Sendable () throws -> any ContentDigest
    ) {
        guard length > 0, whole >= 0, digests.count == whole / length + (whole % length == 0 ? 0 : 1) else {
            return nil
        }
        self.length = length
        self.digests = digests
        self.make = make
    }

    /// The chunk that a byte belongs to, as far as the file goes.
    func chunk(at offset: Int, of whole: Int) -> Range<Int> {
        let start = offset / length * length
        return start..<min(start + length, whole)
    }
}

/// Checks the chunks of a part as they become complete. Belongs to the disk thread.
// Safe: it is used on the disk thread only.
final class ChunkCheck: @unchecked Sendable {
    private let expected: ChunkDigests
    private let whole: Int
    /// The digest of the chunk that is being written, as far as it goes.
    private var running: (digest: any ContentDigest, range: Range<Int>)?

    /// - Parameter whole: how long the file is.
    init(_ expected: ChunkDigests, of whole: Int) {
        self.expected = expected
        self.whole = whole
    }

    /// Cuts off what an earlier process may have written and not checked: the last chunk of the part, if it is complete.
    func begin(_ part: PartFile) throws(DownloadError) {
        if part.length > whole { try part.truncate(to: 0) }
        guard part.length > 0 else { return }
        let last = expected.chunk(at: part.length - 1, of: whole)
        guard last.upperBound == part.length, try !isRight(last, of: part) else { return }
        try part.truncate(to: last.lowerBound)
    }

    /// Appends bytes. Returns the number of a chunk that turned out to be damaged; the part then ends before it.
    func append(_ bytes: [UInt8], to part: PartFile) throws(DownloadError) -> Int? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = expected.chunk(at: part.length, of: whole)
            guard chunk.upperBound > part.length else {
                throw DownloadError(.unexpectedContent, "More came than the \(whole) bytes that the file has.")
            }
            try catchUp(with: part, chunk)
            let piece = Array(rest.prefix(chunk.upperBound - part.length))
            rest = rest.dropFirst(piece.count)
            try part.append(piece)
            let updated = piece.withUnsafeBytes { bytes in
                Result { () throws(DownloadError) in try update(bytes, to: part.length) }
            }
            try updated.get()
            guard part.length == chunk.upperBound else { continue }
            let number = chunk.lowerBound / expected.length
            guard try finish() != expected.digests[number] else { continue }
            try part.truncate(to: chunk.lowerBound)
            return number
        }
        return nil
    }

    /// The first chunk of a complete part that is not right any more; the part then ends before it.
    func firstDamage(of part: PartFile) throws(DownloadError) -> Int? {
        running = nil
        for number in expected.digests.indices {
            let chunk = expected.chunk(at: number * expected.length, of: whole)
            guard try !isRight(chunk, of: part) else { continue }
            try part.truncate(to: chunk.lowerBound)
            return number
        }
        return nil
    }

    // MARK: Digests

    /// Makes the running digest one of what the part has of a chunk, after a restart or a cut.
    private func catchUp(with part: PartFile, _ chunk: Range<Int>) throws(DownloadError) {
        let range = chunk.lowerBound..<part.length
        if let running, running.range == range { return }
        running = (try computing { try expected.make() }, chunk.lowerBound..<chunk.lowerBound)
        try read(range, of: part)
    }

    private func isRight(_ chunk: Range<Int>, of part: PartFile) throws(DownloadError) -> Bool {
        running = (try computing { try expected.make() }, chunk.lowerBound..<chunk.lowerBound)
        try read(chunk, of: part)
        return try finish() == expected.digests[chunk.lowerBound / expected.length]
    }

    private func read(_ range: Range<Int>, of part: PartFile) throws(DownloadError) {
        do {
            try part.read(range) { bytes in
                let end = (running?.range.upperBound ?? 0) + bytes.count
                try update(bytes, to: end)
            }
        } catch let error as DownloadError {
            throw error
        } catch {
            throw Self.failure
        }
    }

    private func update(_ bytes: UnsafeRawBufferPointer, to end: Int) throws(DownloadError) {
        guard var (digest, range) = running.take() else { return }
        try computing { try digest.update(bytes) }
        range = range.lowerBound..<end
        running = (digest, range)
    }

    private func finish() throws(DownloadError) -> [UInt8] {
        guard var (digest, _) = running.take() else { return [] }
        return try computing { try digest.finish() }
    }

    private func computing<Result>(_ body: () throws -> Result) throws(DownloadError) -> Result {
        do {
            return try body()
        } catch {
            throw Self.failure
        }
    }

    private static let failure = DownloadError(.file, "The digest of the file cannot be computed.")
}
