import CommandOptions
import Foundation
import StoreModel
import StoreSigning
import Testing

@testable import till

@Suite("Triggers") struct NotificationTriggerTests {
    @Test("X7: Every type that the store sends has a trigger, and each pair of type and subtype has one only")
    func completeness() {
        let all = NotificationTrigger.all
        let apple = NotificationType.known.subtracting(NotificationType.own)
        #expect(Set(all.map(\.type)).union(NotificationTrigger.unsent) == apple)
        #expect(NotificationTrigger.unsent.isDisjoint(with: all.map(\.type)))
        let pairs = all.map { "\($0.type.rawValue)/\($0.subtype?.rawValue ?? "")" }
        #expect(Set(pairs).count == pairs.count && Set(all.map(\.name)).count == all.count)
        let subtypes = Set(all.compactMap(\.subtype))
        #expect(NotificationSubtype.known.subtracting(subtypes) == [.unreported])
    }

    @Test("X7: Every one is a command") func commands() {
        for trigger in NotificationTrigger.all {
            guard
                case .run(let invocation) = TillProgram.program.parse(
                    ["trigger", trigger.name, "--app", "com.example.app"], environment: [:], width: nil)
            else {
                Issue.record("\(trigger.name) is no command")
                continue
            }
            #expect(invocation.path == ["till", "trigger", trigger.name])
        }
    }

    @Test("X7: Notifications are forwarded to addresses of HTTP alone") func targets() throws {
        #expect(try ForwardTarget("http://localhost:3000/till").url == "http://localhost:3000/till")
        for wrong in ["localhost:3000", "ftp://localhost/", "http://", "http://localhost/#here", ""] {
            #expect(throws: CommandFailure.self, "\(wrong)") { try ForwardTarget(wrong) }
        }
    }
}
