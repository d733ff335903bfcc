import CResources
package import StoreHTTP

/// A file that pages load: the program carries it, and its address has a digest of it, so that browsers keep it for ever.
struct WebAsset: Sendable {
    let name: String
    let bytes: [UInt8]
    let mediaType: String
    let link: Link

    fileprivate init(_ name: String, _ mediaType: String) {
        var number = 0
        var found: [UInt8] = []
        while let file = webFile(number)?.pointee {
            number += 1
            guard String(cString: file.name) == name else { continue }
            found = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
        }
        self.name = name
        self.mediaType = mediaType
        bytes = found
        link = Link(path: "/assets/\(Self.digest(found))/\(name)") ?? Link("/assets")
    }

    /// FNV-1a: it tells one version of a file from another, and protects nothing.
    private static func digest(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}

/// The files of all pages.
package enum WebAssets {
    static let style = WebAsset("pages.css", "text/css; charset=utf-8")
    /// What the pages of the console have beside it: forms, long tables and differences.
    static let console = WebAsset("console.css", "text/css; charset=utf-8")
    /// What the pages of the storefront have beside it.
    static let storefront = WebAsset("storefront.css", "text/css; charset=utf-8")
    static let script = WebAsset("pages.js", "text/javascript; charset=utf-8")
    static let icon = WebAsset("icon.svg", "image/svg+xml")

    package static var routes: [Route] {
        [style, console, storefront, script, icon].map { asset in
            var route = Route.get(RoutePattern(asset.link.text)) { _ in
                var response = HTTPResponse(.ok, asset.bytes, as: asset.mediaType)
                response.fields["Cache-Control"] = "public, max-age=31536000, immutable"
                return response
            }
            route.middleware.append(SecurityHeaders.pages())
            return route
        }
    }
}
