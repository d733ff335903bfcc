package import StoreModel

/// The way of a subscription in the order of its group.
package enum LevelMove: String, CaseIterable, Sendable {
    // Closed: a rank has two neighbours.
    case up, down
}

extension SubscriptionGroup {
    /// The ranks of its subscriptions once one was moved: next to those that stood beside it, or out of a rank that it shared.
    /// They are numbered anew from 1, without gaps.
    func levels(moving product: ProductID, _ move: LevelMove) -> [ProductID: Int] {
        var steps: [[ProductID]] = []
        var last: Int?
        for member in members {
            // Those without a level stand last, each by itself.
            if let level = member.level, level == last {
                steps[steps.count - 1].append(member.productId)
            } else {
                steps.append([member.productId])
            }
            last = member.level
        }
        if let place = steps.firstIndex(where: { $0.contains(product) }) {
            let isAlone = steps[place].count == 1
            steps[place].removeAll { $0 == product }
            if isAlone { steps.remove(at: place) }
            let next =
                switch (move, isAlone) {
                case (.up, true): max(0, place - 1)
                case (.down, true), (.down, false): min(steps.count, place + 1)
                case (.up, false): place
                }
            steps.insert([product], at: next)
        }
        let ranked = steps.enumerated().flatMap { index, step in step.map { ($0, index + 1) } }
        return Dictionary(uniqueKeysWithValues: ranked)
    }
}

extension CatalogueEditing {
    /// Moves a subscription one rank up or down in its group.
    package func move(
        _ product: ProductID, _ move: LevelMove, in group: SubscriptionGroupID, of id: BundleID
    ) async throws -> [SubscriptionGroup] {
        try await change(id) { app, change in
            let known = try SubscriptionGroups.list(of: app.id, in: change.transaction).first { $0.id == group }
            guard let known else { throw CatalogueError(.nameUnknown, "the app has no such group", field: "groupId") }
            guard known.members.contains(where: { $0.productId == product }) else {
                throw CatalogueError(
                    .productUnknown, "the group has no subscription of this id", field: "productId")
            }
            let members = known.levels(moving: product, move).sorted { $0.key.text < $1.key.text }.map {
                SubscriptionGroup.Member(productId: $0.key, level: $0.value)
            }
            try SubscriptionGroups.put(
                SubscriptionGroup(id: group, referenceName: known.referenceName, texts: [:], members: members),
                of: app.id, change)
            return try SubscriptionGroups.list(of: app.id, in: change.transaction).filter { $0.id == group }
        }
    }
}
