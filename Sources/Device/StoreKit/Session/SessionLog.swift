import Foundation

/// What StoreKit says to the developer: single lines on standard error.
package enum SessionLog {
    package static func write(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
