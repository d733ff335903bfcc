import Foundation

/// Progress and complaints, which must not mix with the table or the JSON.
enum StandardError {
    static func print(_ line: String) {
        // Nothing can be done about a standard error that is closed.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
