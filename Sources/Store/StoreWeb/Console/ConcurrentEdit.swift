import StoreHTTP
import Synchronization

/// What somebody else has changed since a form was opened that edits the same.
///
/// Such a form (``ConsoleVisit/edit(_:_:content:)``) carries digests of the values that it showed. When it is sent, its page is
/// asked for anew, as the same visitor may see it, and the three are compared: what was shown, what stands there now, and what
/// was sent. Nothing is written if something stands there now that the form did not show: it comes back with what others have
/// set, with what was typed, and with a sentence beside each field, and the next press is made knowing that.
struct ConcurrentEdit: Sendable {
    /// The member of a form that carries what it showed.
    static let member = "shown"

    /// What was sent, with the new value in each field that the sender has left as it was.
    let merged: QueryItems
    let problems: [FormProblem]
    /// Digests of what stands there now, which the sender is told of.
    let shown: String

    /// Nil where nobody has changed anything that the sender does not know.
    ///
    /// - Parameter form: the content of the form as its page has it now.
    init?(_ sent: QueryItems, form: [any HTML]) {
        guard let shown = sent[Self.member].flatMap(FieldValues.shown(in:)) else { return nil }
        let now = FieldValues(of: form)
        var items = sent.all
        var problems: [FormProblem] = []
        for name in now.names {
            // A field that the form did not have is new, and so was nothing that one could leave as it was.
            guard let before = shown[FieldValues.digest(name)] else { continue }
            let theirs = now[name]
            let yours = sent.values(name).map(FieldValues.plain)
            guard FieldValues.digest(theirs) != before, theirs.sorted() != yours.sorted() else { continue }
            if FieldValues.digest(yours) == before {
                items.removeAll { $0.name == name }
                items += theirs.map { QueryItems.Item(name: name, value: $0) }
                problems.append(FormProblem(name, "somebody has changed this meanwhile; it was \(Self.text(yours))"))
            } else {
                problems.append(
                    FormProblem(
                        name, "somebody has set this to \(Self.text(theirs)) meanwhile; you have \(Self.text(yours))"))
            }
        }
        guard !problems.isEmpty else { return nil }
        merged = QueryItems(items)
        self.problems = problems
        self.shown = now.digest
    }

    /// What is said before the fields.
    static let summary =
        "Nothing was saved: somebody has changed this since you opened it. What you typed is still here; look "
        + "at what is marked, and save again to set all of it as it stands here now."

    private static func text(_ values: [String]) -> String {
        let text = values.joined(separator: ", ")
        return text.isEmpty ? "nothing" : "“\(text.prefix(longest))\(text.count > longest ? "…" : "")”"
    }

    /// The characters of a value that a sentence shows.
    private static let longest = 80
}

/// What a page would show now, for whoever compares it with what was sent.
final class PageReading: Sendable {
    private let pieces = Mutex<[any HTML]>([])

    func take(_ content: [any HTML]) { pieces.withLock { $0 = content } }

    /// The content of the form that is sent to an address, as far as there is one of its kind.
    func form(sentTo action: String) -> [any HTML]? {
        let forms = Element.all(in: pieces.withLock { $0 }) { $0.isForm(sentTo: action) }
        return forms.count == 1 ? forms[0].content : nil
    }
}

/// Lets the forms of one address be looked at and obeyed one after another, so that of two that arrive at the same moment the
/// second sees what the first has changed.
actor EditQueue {
    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func run<Result: Sendable>(
        _ address: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if !busy.insert(address).inserted {
            await withCheckedContinuation { waiting[address, default: []].append($0) }
        }
        defer { end(address) }
        return try await body()
    }

    private func end(_ address: String) {
        guard var line = waiting[address], !line.isEmpty else {
            busy.remove(address)
            return
        }
        let next = line.removeFirst()
        waiting[address] = line.isEmpty ? nil : line
        next.resume()
    }
}

extension ConsoleVisit {
    /// A form that changes something that others may change, too: they are not overwritten unknowingly.
    ///
    /// - Parameter path: where it is sent, below the environment.
    func edit(
        _ path: String, _ attributes: Attribute?..., @HTMLBuilder content: () throws -> [any HTML]
    ) rethrows -> Element {
        let content = try content()
        // A form that comes back may have what was typed in it. It goes on from what it showed at first.
        let isBack = sent?.action == link(path).text
        let known = isBack ? sent?.shown ?? sent?.items[ConcurrentEdit.member] : nil
        return form(
            path, attributes, [hidden(ConcurrentEdit.member, known ?? FieldValues(of: content).digest)] + content)
    }
}
