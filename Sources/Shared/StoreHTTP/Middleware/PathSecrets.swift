/// What no log shows of paths: the values of some parameters, whatever else of a path is said.
///
/// A path that fits no route is not known by its parameters. Of such a path nothing is shown that follows the words before a
/// secret value: in capitals, with a slash at its end, behind other words, or on a listener that has no such route.
///
/// ```swift
/// let secrets = PathSecrets(["link"], after: ["/console/enter"])
/// ```
package struct PathSecrets: Hashable, Sendable {
    private let parameters: Set<String>
    /// The words before secret values, in small letters.
    private let beginnings: Set<[String]>

    private init(_ parameters: Set<String>, _ beginnings: Set<[String]>) {
        self.parameters = parameters
        self.beginnings = beginnings
    }

    /// - Parameters:
    ///   - parameters: the names of parameters whose values are secret.
    ///   - beginnings: what comes before such a value.
    package init(_ parameters: Set<String>, after beginnings: [String]) {
        self.init(parameters, Set(beginnings.map { Self.words(of: [$0]) }))
    }

    /// Nothing is secret.
    package static let none = PathSecrets([], [])

    package func union(_ others: PathSecrets) -> PathSecrets {
        PathSecrets(parameters.union(others.parameters), beginnings.union(others.beginnings))
    }

    func hides(parameter name: String) -> Bool { parameters.contains(name) }

    /// What may be shown of a path that fits no route; nil for all of it.
    func shown(of segments: [String]) -> [String]? {
        // A slash that an escape hides separates words, too, for whoever reads the log.
        let words = Self.words(of: segments)
        let ends = words.indices.flatMap { start in
            beginnings.filter { words[start...].starts(with: $0) }.map { start + $0.count }
        }
        guard let end = ends.min(), end < words.count else { return nil }
        return Array(Self.parts(of: segments)[..<end])
    }

    private static func parts(of segments: [String]) -> [String] {
        segments.flatMap { $0.split(separator: "/").map(String.init) }
    }

    private static func words(of segments: [String]) -> [String] { parts(of: segments).map { $0.lowercased() } }
}
