/// What names of apps, products, people and the like may not have, wherever they are shown beside other text.
package enum NameRule {
    /// What is wrong with a name, to be said behind "it has"; nil if nothing is.
    ///
    /// Controls of the direction of writing turn what is shown around a name: `gpj.exe` becomes `exe.jpg` behind U+202E.
    package static func flaw(of name: String) -> String? {
        for scalar in name.unicodeScalars {
            if scalar.properties.generalCategory == .control { return "a control character" }
            if scalar.properties.isBidiControl {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                return "U+\(number), which changes the direction of writing"
            }
        }
        return nil
    }
}
