import CommandOptions
import Foundation
import StoreModel
import StoreRules
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

    @Test("X7: The page for backends says which triggers the apps of the demo have nothing for") func beyondDemo()
        throws
    {
        let page = try String(
            contentsOf: URL(filePath: #filePath + "/../../../Documentation/Backends.md").standardizedFileURL,
            encoding: .utf8)
        let refused = try #require(page.firstMatch(of: /families, and refuse ([^.]*)\./)).1
        let named = refused.matches(of: /`([a-z-]+)`/).map { String($0.1) }
        let needs: Set<TriggerScene.Need> = [.levels, .offer, .offerAbove, .offerBelow, .grace(true), .shared]
        let beyond = NotificationTrigger.all.filter { needs.contains($0.need) }
        #expect(named.count == Set(named).count && Set(named) == Set(beyond.map(\.name)))
        #expect(page.contains(TriggerApp.bundle.text))
    }

    @Test("X7: A trigger says at the end whether no address took what it brought about") func ending() throws {
        let id = try #require(NotificationID("7c1e0d6a-3b52-4d0f-9a6e-51b2f0c4e8aa"))
        let trigger = try #require(NotificationTrigger.named("refund"))
        func lines(_ state: NotificationState) -> [String] {
            TriggerOutcome(
                trigger: trigger.name, bundleId: TriggerApp.bundle, customerId: nil, steps: [],
                notifications: [
                    .init(notificationUUID: id, notificationType: "REFUND", subtype: nil, state: WireWord(state))
                ], notificationUUID: id
            ).ending(trigger)
        }
        #expect(lines(.waiting).last == "To see what became of it: till notifications show com.example.trigger \(id)")
        #expect(
            lines(.unaddressed).last?.hasPrefix(
                "Only those who listen were told: com.example.trigger has no address that wants it.") == true)
    }

    @Test("X7: Notifications are forwarded to addresses of HTTP alone") func targets() throws {
        #expect(try ForwardTarget("http://localhost:3000/till").url == "http://localhost:3000/till")
        for wrong in ["localhost:3000", "ftp://localhost/", "http://", "http://localhost/#here", ""] {
            #expect(throws: CommandFailure.self, "\(wrong)") { try ForwardTarget(wrong) }
        }
    }
}
