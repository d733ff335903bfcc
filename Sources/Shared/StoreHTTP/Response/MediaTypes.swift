/// The types of files by their extensions.
enum MediaTypes {
    private static let table = [
        "avif": "image/avif", "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "gif": "image/gif", "gz": "application/gzip", "html": "text/html; charset=utf-8",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "m4a": "audio/mp4",
        "mov": "video/quicktime",
        "mjs": "text/javascript; charset=utf-8", "mp3": "audio/mpeg", "mp4": "video/mp4", "otf": "font/otf",
        "pdf": "application/pdf", "pem": "application/x-pem-file", "pkg": "application/octet-stream",
        "png": "image/png", "svg": "image/svg+xml", "tar": "application/x-tar", "ttf": "font/ttf",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm",
        "webmanifest": "application/manifest+json", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xml": "application/xml", "zip": "application/zip",
    ]

    /// The type of a file; of one whose extension says nothing, that of mere bytes.
    static func ofFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return table[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
