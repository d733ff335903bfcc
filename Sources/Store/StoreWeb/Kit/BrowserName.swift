import Foundation

/// What somebody looks at the console with: `Chrome on Linux` of the text that browsers send about themselves.
enum BrowserName {
    /// How much is shown of a program that is not known.
    static let longest = 60

    /// Browsers by the words that name them. Many send the names of others too, so that the first that is found counts.
    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Vivaldi/", "Vivaldi"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"),
        ("HeadlessChrome/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Version/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ]

    static func words(of client: String?) -> String {
        guard let client, !client.isEmpty else { return "unknown" }
        guard let browser = browsers.first(where: { client.contains($0.0) })?.1, client.hasPrefix("Mozilla/") else {
            return client.count > longest ? client.prefix(longest - 1) + "…" : client
        }
        return browser + (systems.first { client.contains($0.0) }.map { " on \($0.1)" } ?? "")
    }
}
