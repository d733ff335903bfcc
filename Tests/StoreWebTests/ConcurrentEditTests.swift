import StoreHTTP
import Synchronization
import Testing

@testable import StoreWeb

/// R1.12: of two who edit the same, the second overwrites nothing unknowingly, and loses nothing.
@Suite("What others have changed since a form was opened")
struct ConcurrentEditTests {
    private static func form(
        name: String, note: String = "n", kind: String = "a", more: Bool = false, extra: String? = nil
    ) -> [any HTML] {
        [
            input(.name("name"), .value(name)), textarea(.name("note")) { note },
            select(.name("kind")) {
                for one in ["a", "b"] { option(.value(one), one == kind ? .isSelected : nil) { one } }
            },
            input(.type("checkbox"), .name("more"), .value("yes"), more ? .isChecked : nil),
            input(.type("password"), .name("secret"), .value("never")), hidden("key", "1"),
        ] + (extra.map { [input(.name("extra"), .value($0))] } ?? [])
    }

    /// What comes of sending some fields of a form that was opened as one thing and is another now.
    private static func edit(
        _ opened: [any HTML], _ now: [any HTML], sending fields: String
    ) -> ConcurrentEdit? {
        let text = "\(ConcurrentEdit.member)=\(FieldValues(of: opened).digest)&\(fields)"
        return QueryItems(parsing: text).flatMap { ConcurrentEdit($0, form: now) }
    }

    @Test("Nothing is told where nobody else has changed anything, whatever was typed")
    func alone() {
        let form = Self.form(name: "old")
        #expect(Self.edit(form, form, sending: "name=new&note=n&kind=b&more=yes&secret=x&key=2") == nil)
        // Browsers send the ends of lines in their own way, and drop the first.
        let lines = Self.form(name: "x", note: "\na\nb")
        #expect(Self.edit(lines, lines, sending: "name=x&note=a%0D%0Ab&kind=a") == nil)
    }

    @Test("A field that both have changed is told with both values, and keeps what was typed")
    func both() throws {
        let (opened, now) = (Self.form(name: "old"), Self.form(name: "theirs"))
        let edit = try #require(Self.edit(opened, now, sending: "name=mine&note=n&kind=a"))
        #expect(edit.problems.map(\.field) == ["name"] && edit.merged["name"] == "mine")
        #expect(edit.problems[0].sentence == "Somebody has set this to “theirs” meanwhile; you have “mine”.")
        // The page shows what stands there now, so that the next press knows of it.
        #expect(Self.edit(now, now, sending: "name=mine&note=n&kind=a") == nil)
    }

    @Test("A field that the sender has left takes what others have set, and says so")
    func merged() throws {
        let opened = Self.form(name: "old")
        let now = Self.form(name: "old", note: "their note", kind: "b", more: true)
        let edit = try #require(Self.edit(opened, now, sending: "name=mine&note=n&kind=a"))
        #expect(Set(edit.problems.compactMap(\.field)) == ["note", "kind", "more"])
        #expect(edit.merged["name"] == "mine" && edit.merged["note"] == "their note")
        #expect(edit.merged["kind"] == "b" && edit.merged["more"] == "yes")
    }

    @Test("The same change by both is no conflict; nor is a field that is new, or a password")
    func same() {
        let opened = Self.form(name: "old")
        #expect(Self.edit(opened, Self.form(name: "new"), sending: "name=new&note=n&kind=a") == nil)
        #expect(Self.edit(opened, Self.form(name: "old", extra: "x"), sending: "name=old&note=n&kind=a") == nil)
        #expect(!FieldValues(of: opened).names.contains("secret"))
    }

    @Test(
        "What no page has made is taken for nothing",
        arguments: ["", "x", "1234567", String(repeating: "a", count: 20_000)])
    func forged(_ shown: String) {
        let items = QueryItems(parsing: "shown=\(shown)&name=mine") ?? QueryItems()
        #expect(ConcurrentEdit(items, form: Self.form(name: "theirs")) == nil)
    }

    /// How many are at work at a time.
    private final class Counts: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() {
            state.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }

    @Test("Forms of one address are obeyed one after another, also after one that failed", .timeLimit(.minutes(1)))
    func queue() async throws {
        struct Failure: Error {}
        let (queue, counts) = (EditQueue(), Counts())
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    _ = try? await queue.run("/one") {
                        counts.enter()
                        await Task.yield()
                        counts.leave()
                        if number.isMultiple(of: 3) { throw Failure() }
                    }
                }
            }
        }
        #expect(counts.most == 1)
        #expect(try await queue.run("/one") { 7 } == 7)
    }
}
