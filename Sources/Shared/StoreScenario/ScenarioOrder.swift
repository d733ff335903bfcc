/// Checks what the lines of a scenario have to do with one another.
struct ScenarioOrder {
    private let name: String
    private let steps: [ScenarioStep]

    init(_ name: String, _ steps: [ScenarioStep]) {
        self.name = name
        self.steps = steps
    }

    /// The steps, with each command knowing whether it is to fail.
    func checked() throws(ScenarioFault) -> [ScenarioStep] {
        var (checked, names, command): ([ScenarioStep], Set<String>, Int?) = ([], [], nil)
        for step in steps {
            for (used, column) in step.work.names where !names.contains(used) {
                throw fault(step, column, "$\(used)", "nothing above has this name; give it with let \(used) = PATH")
            }
            if case .command = step.work {
                command = checked.count
                checked.append(step)
                continue
            }
            guard let command, case .command(let words, _) = checked[command].work else {
                throw fault(step, 1, "", "there is no command above this line whose answer it could be about")
            }
            switch step.work {
            case .expectation(let expectation) where expectation.isError:
                checked[command].work = .command(words, fails: true)
            case .capture(let name, _, let column):
                guard names.insert(name).inserted else {
                    throw fault(step, column, name, "a line above has given this name already")
                }
                guard names.count <= ScenarioLimits.names else {
                    throw fault(step, column, name, "a scenario has at most \(ScenarioLimits.names) names")
                }
            default: break
            }
            checked.append(step)
        }
        return checked
    }

    private func fault(_ step: ScenarioStep, _ column: Int, _ word: String, _ message: String) -> ScenarioFault {
        ScenarioFault(scenario: name, place: ScenarioPlace(line: step.line, column: column), word: word, message)
    }
}

extension ScenarioStep.Work {
    /// The names that it uses, with where.
    var names: [(name: String, column: Int)] {
        switch self {
        case .command(let words, _):
            words.flatMap { word in word.pieces.compactMap { piece in piece.name.map { ($0, word.column) } } }
        case .expectation(let expectation):
            expectation.path.names + (expectation.value.map { $0.names(at: expectation.valueColumn) } ?? [])
        case .capture(_, let path, _): path.names
        }
    }
}
