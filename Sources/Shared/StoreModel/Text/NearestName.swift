/// Finds the name that was probably meant.
package enum NearestName {
    /// The longest word that is looked for, in bytes. Comparing takes time in proportion to it.
    package static let longest = 64

    /// The closest of the names, or nil when none is close: at most one slip in every three letters.
    package static func of(_ word: String, among names: [String]) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let typed = Array(word.unicodeScalars)
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(from: typed, to: Array(name.unicodeScalars))
            // A name of one letter is near to every other letter.
            guard distance <= max(1, name.count / 3), distance < name.count, distance < best?.distance ?? .max else {
                continue
            }
            best = (name, distance)
        }
        return best?.name
    }

    /// How many letters to insert, remove, replace or swap with their neighbour.
    private static func distance(from typed: [Unicode.Scalar], to name: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...name.count)
        for row in typed.indices {
            var current = [row + 1]
            for column in name.indices {
                let isSame = typed[row] == name[column]
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, typed[row] == name[column - 1], typed[row - 1] == name[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[name.count]
    }
}
