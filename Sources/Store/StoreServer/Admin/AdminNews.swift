import Foundation
package import StoreDatabase

/// A line of an answer that takes long: how far it is, or how it ended.
package struct AdminNews: Codable, Hashable, Sendable {
    package var progress: UpkeepProgress?
    /// How many bytes the backup has, once it is made.
    package var bytes: Int?
    /// Why it was not made, as a code and a sentence.
    package var code: String?
    package var message: String?

    static func progress(_ progress: UpkeepProgress) -> AdminNews { AdminNews(progress: progress) }

    static func done(bytes: Int) -> AdminNews { AdminNews(bytes: bytes) }

    static func failed(_ error: any Error) -> AdminNews {
        let code = (error as? UpkeepError)?.code ?? .inputOutput
        return AdminNews(code: code.rawValue, message: "\(error)")
    }

    /// The line with its end.
    var line: [UInt8] { ((try? JSONEncoder().encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")] }

    /// Reads a line.
    package init(line: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(AdminNews.self, from: Data(line))
    }

    init(progress: UpkeepProgress? = nil, bytes: Int? = nil, code: String? = nil, message: String? = nil) {
        self.progress = progress
        self.bytes = bytes
        self.code = code
        self.message = message
    }
}
