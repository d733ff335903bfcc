package import StoreModel

/// What goes wrong on purpose in a sandbox: what it is about, which calls of that it strikes, and what it does to them.
///
/// A rule counts what it is about, each call once, whatever other rules there are. Which calls it strikes follows from that
/// count and its seed alone, so that a test goes the same way each time.
package struct FaultRule: Hashable, Sendable {
    package let target: Target
    /// The app whose calls it is about; nil for all.
    package let bundle: BundleID?
    package let customer: CustomerID?
    package let choice: Choice
    /// How many calls it strikes at most.
    package let most: Int?
    /// How long a call that it strikes waits first.
    package let delay: Duration
    /// What else becomes of it; nil where it only waits.
    package let effect: Effect?

    // Closed: the store answers requests and sends notifications.
    package enum Target: Hashable, Sendable {
        case requests(path: PathPattern, method: String?)
        /// Each attempt to send one.
        case notifications(type: String?)
    }

    // Closed: each is a way to count.
    package enum Choice: Hashable, Sendable {
        case each
        case call(Int)
        case every(Int)
        case chance(percent: Int, seed: Int)
    }

    // Closed: whoever answers or sends has to do each.
    package enum Effect: Hashable, Sendable {
        // Closed: there is no third.
        package enum Moment: String, CaseIterable, Hashable, Sendable {
            case before
            case after
        }

        /// This is answered, and nothing done. For a notification: it is not sent, and taken as answered so.
        case status(Int, retryAfter: Int?)
        /// The connection is closed without an answer, before anything is done or after all of it. For a notification:
        /// nothing is sent, or it is sent and the receiver's answer is not taken.
        case drop(Effect.Moment)
        /// It is done twice; the second answer is given.
        case duplicate
        /// The next notification of the same subscription goes out first.
        case reorder
    }

    /// Whether the call with this number, 1 for the first, is struck, after so many that were.
    package func strikes(call number: Int, after struck: Int) -> Bool {
        if let most, struck >= most { return false }
        return switch choice {
        case .each: true
        case .call(let only): number == only
        case .every(let step): number.isMultiple(of: step)
        case .chance(let percent, let seed): Self.draw(number, seed: seed) < percent
        }
    }

    /// Whether it strikes nothing any more, having counted and struck so many.
    package func isOver(counted: Int, struck: Int) -> Bool {
        if case .call(let only) = choice, counted >= only { return true }
        return most.map { struck >= $0 } ?? false
    }

    /// A number from 0 to 99 that follows from a seed and the number of a call: a step of SplitMix64.
    private static func draw(_ number: Int, seed: Int) -> Int {
        var bits = UInt64(bitPattern: Int64(seed)) &+ UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % 100)
    }
}

/// A path in which `*` stands for anything, slashes too.
package struct PathPattern: Hashable, Sendable {
    package let text: String
    private let parts: [String]

    init(_ text: String) throws(InvalidValue) {
        guard text.hasPrefix("/") || text.hasPrefix("*"), text.utf8.count <= FaultLimits.path,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") })
        else {
            throw InvalidValue(
                subject: "path", value: text,
                rule: "begins with / or *, has no spaces and no query, and at most \(FaultLimits.path) characters")
        }
        self.text = text
        parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    package func matches(_ path: String) -> Bool {
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return path == text }
        guard path.hasPrefix(first) else { return false }
        var rest = path.dropFirst(first.count)
        // Each part at its first place leaves the most for those that follow.
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

extension FaultRule: CustomStringConvertible {
    /// What it does in one line: "answers 500 to the first 2 of POST /inApps/*".
    package var description: String {
        let whose = (bundle.map { " of \($0)" } ?? "") + (customer.map { " of customer \($0)" } ?? "")
        return "\(words) \(calls) \(subject)\(whose)"
    }

    private var words: String {
        let wait = delay > .zero ? "delays by \(Int(delay / .milliseconds(1))) ms" : nil
        let act: String? =
            switch effect {
            case .status(let status, _): "answers \(status) to"
            case .drop(.before): "drops, before it is acted on,"
            case .drop(.after): "drops, after it was acted on,"
            case .duplicate: "doubles"
            case .reorder: "sends after the next one"
            case nil: nil
            }
        return [wait, act].compactMap(\.self).joined(separator: " and ")
    }

    private var calls: String {
        let limit = most.map { ", \($0) at most," } ?? ""
        return switch choice {
        case .each: most.map { $0 == 1 ? "the first of" : "the first \($0) of" } ?? "each of"
        case .call(let number): "call \(number) of"
        case .every(let step): "one in \(step) of" + limit
        case .chance(let percent, let seed): "\(percent) % (seed \(seed)) of" + limit
        }
    }

    private var subject: String {
        switch target {
        case .requests(let path, let method): (method.map { "\($0) " } ?? "") + path.text
        case .notifications(let type): type.map { "notifications \($0)" } ?? "notifications"
        }
    }
}
