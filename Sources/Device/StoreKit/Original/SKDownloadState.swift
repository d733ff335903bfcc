/// How far a download has come.
@frozen public enum SKDownloadState: Int, Sendable {
    /// It has not begun.
    case waiting = 0
    /// It is running.
    case active = 1
    /// It was paused.
    case paused = 2
    /// The content is there.
    case finished = 3
    /// It failed.
    case failed = 4
    /// It was cancelled.
    case cancelled = 5
}
