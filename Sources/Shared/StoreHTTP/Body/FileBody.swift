/// Part of an open file. The file stays open as long as somebody has this value.
package struct FileBody: Sendable {
    package let file: OpenFile
    /// Which bytes of it.
    package let range: Range<Int>

    package init(_ file: OpenFile, range: Range<Int>) {
        self.file = file
        self.range = range.clamped(to: 0..<file.length)
    }

    package init(_ file: OpenFile) {
        self.init(file, range: 0..<file.length)
    }
}
