public import Foundation

/// How far a download of hosted content has come, as a value. Not known on Apple's platforms.
public struct ContentProgress: Sendable {
    /// The state of the download.
    public let state: SKDownloadState
    /// How much has come, from 0 to 1. It is 1 while what came is unpacked.
    public let fraction: Double
    /// How many bytes have come.
    public let receivedBytes: Int64
    /// How many bytes come in all.
    public let totalBytes: Int64
    /// How many seconds are left; nil while that is unknown.
    public let secondsRemaining: TimeInterval?
    /// The folder of the content; nil until the download has finished.
    public let contentURL: URL?
    /// Why the download failed; nil otherwise.
    public let error: SKError?

    init(_ entry: DownloadEntry?, _ folder: URL?, _ error: SKError?) {
        state = entry.map { SKDownloadState($0.state) } ?? .waiting
        let (received, total) = (entry?.received ?? 0, entry?.content.length ?? 0)
        fraction = total > 0 ? min(1, Double(received) / Double(total)) : 0
        (receivedBytes, totalBytes) = (received, total)
        secondsRemaining = entry?.secondsLeft.map { TimeInterval($0) }
        contentURL = folder
        self.error = error
    }
}
