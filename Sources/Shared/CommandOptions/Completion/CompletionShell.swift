/// The shells that completion supports.
// Closed: each has its own script.
package enum CompletionShell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    /// The script with which the shell completes the words of a program.
    ///
    /// - Parameters:
    ///   - name: the program's name, as typed.
    ///   - question: the words after the name with which the program is asked; the words of the line follow.
    package func script(for name: String, asking question: String) -> String {
        let function = "_" + name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        let template =
            switch self {
            case .bash: Self.bashScript
            case .zsh: Self.zshScript
            case .fish: Self.fishScript
            }
        return template.replacing("{function}", with: function).replacing("{name}", with: name)
            .replacing("{question}", with: question)
    }

    // The program returns a line per candidate (word, tab, explanation) and last ":" with none, files or directories.

    private static let bashScript = #"""
        # Completion of {name} for bash; load it with: source <({name} completion bash)
        {function}() {
            local line=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} answer word names=none lead=
            local -a words
            # The line is split at spaces only: bash would split at = and : too.
            read -ra words <<<"$line"
            [[ $line == *[[:space:]] ]] && words+=("")
            COMPREPLY=()
            while IFS= read -r answer; do
                word=${answer%%$'\t'*}
                if [[ $word == :* ]]; then names=${word#:}; else COMPREPLY+=("$word"); fi
            done < <("${words[0]}" {question} "${words[@]:1}" 2>/dev/null)
            word=${words[${#words[@]}-1]}
            if [[ $names != none ]]; then
                compopt -o filenames 2>/dev/null
                [[ $word == --*=* ]] && lead=${word%%=*}= word=${word#*=}
                local -a found=()
                if [[ $names == files ]]; then
                    while IFS= read -r answer; do found+=("$answer"); done < <(compgen -f -- "$word")
                else
                    while IFS= read -r answer; do found+=("$answer"); done < <(compgen -d -- "$word")
                fi
                COMPREPLY=("${found[@]/#/$lead}")
                word=$lead$word
            fi
            # What bash takes for words of their own is on the line already.
            lead=${word%"$current"}
            [[ $current == "=" ]] && lead=$word
            COMPREPLY=("${COMPREPLY[@]#"$lead"}")
        }
        complete -F {function} {name}
        """#

    private static let zshScript = #"""
        #compdef {name}
        # Completion of {name} for zsh; load it with: source <({name} completion zsh)
        {function}() {
            local answer names=none
            local -a offered
            while IFS= read -r answer; do
                if [[ $answer == :* ]]; then names=${answer#:}
                elif [[ $answer == *$'\t'?* ]]; then
                    offered+=("${${answer%%$'\t'*}//:/\\:}:${answer#*$'\t'}")
                else
                    offered+=("${${answer%%$'\t'*}//:/\\:}")
                fi
            done < <("${words[1]}" {question} "${(@)words[2,CURRENT]}" 2>/dev/null)
            if [[ $names != none && $words[CURRENT] == --*=* ]]; then compset -P '*='; fi
            case $names in
                files) _files ;;
                directories) _path_files -/ ;;
                *) _describe '{name}' offered ;;
            esac
        }
        compdef {function} {name}
        """#

    private static let fishScript = #"""
        # Completion of {name} for fish; load it with: {name} completion fish | source
        function {function}
            set -l line (commandline -opc) "$(commandline -ct)"
            # A value after an equals sign is completed alone, and the option put before it again.
            set -l current (commandline -ct)
            set -l option (string match -r '^--[^=]*=' -- "$current")
            set -l value (string replace -r '^--[^=]*=' '' -- "$current")
            for answer in ($line[1] {question} $line[2..-1] 2>/dev/null)
                switch $answer
                    case ':none'
                    case ':files'
                        string replace -r '^' -- "$option" (__fish_complete_path "$value")
                    case ':directories'
                        string replace -r '^' -- "$option" (__fish_complete_directories "$value" '')
                    case '*'
                        echo $answer
                end
            end
        end
        complete -c {name} -f -a '({function})'
        """#
}

/// One word a shell may offer, and what it stands for.
package struct Candidate: Hashable, Sendable {
    package let word: String
    /// A sentence, or empty if the word is enough.
    package let explanation: String

    init(_ word: String, _ explanation: String = "") {
        self.word = word
        self.explanation = explanation
    }
}

/// What a shell may offer for the word under the cursor.
package struct Completion: Hashable, Sendable {
    /// Names that the shell finds itself.
    // Closed: shells have no others.
    package enum Names: String, Hashable, Sendable {
        case none
        case files
        case directories
    }

    /// What the program has to find.
    package struct Question: Hashable, Sendable {
        package let what: String
        /// How the values begin.
        package let beginning: String
        let lead: String
    }

    package var candidates: [Candidate]
    package var names: Names
    package var question: Question?

    init(_ candidates: [Candidate] = [], names: Names = .none, question: Question? = nil) {
        self.candidates = candidates
        self.names = names
        self.question = question
    }

    /// Takes in what the program has found.
    package mutating func answer(_ values: [String]) {
        guard let question else { return }
        candidates += values.filter { $0.utf8.starts(with: question.beginning.utf8) }.map {
            Candidate(question.lead + $0)
        }
    }
}
