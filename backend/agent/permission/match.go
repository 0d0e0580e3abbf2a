package permission

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// decideCommand judges every command in a text, and what can't be told about it.
func decideCommand(rules []Rule, call Call) Decision {
	s := script{hidden: "PowerShell is not read, only compared"}
	if call.Shell == Bash {
		s = readScript(call.Command, call.FoldCase)
	}
	var decision *Decision
	take := func(d Decision) {
		if decision == nil {
			decision = &d
			return
		}
		*decision = stricter(*decision, d)
	}
	for _, c := range s.commands {
		d := judge(rules, func(r Rule) match { return coversCommand(r, call, c) }, "the command "+excerpt(c.text))
		if !c.free || d.Rule != nil {
			take(d)
		}
	}
	if s.hidden != "" {
		guarded := hasPatterns(rules)
		take(because(judge(rules, func(r Rule) match {
			return matchIf(isWhole(r, call) || (r.Pattern == "" && (!guarded || r.Effect != Allow)))
		}, "this command"), s.hidden))
	}
	if s.effects != "" {
		take(because(judge(rules, func(r Rule) match { return matchIf(isWhole(r, call) || r.Pattern == "") }, "this command"), s.effects))
	}
	return *decision
}

func because(d Decision, why string) Decision {
	if d.Rule == nil {
		d.Why = "No rule allows this command word for word, and " + why + "."
	}
	return d
}

// hasPatterns tells whether some commands are meant to be held back. What a command line hides may be one of them.
func hasPatterns(rules []Rule) bool {
	for _, r := range rules {
		if r.Pattern != "" && r.Effect != Allow {
			return true
		}
	}
	return false
}

// isWhole tells whether a rule is the very text of the command. What allows any arguments is not, though a command may look
// the same: to that one, * is the names of files.
func isWhole(r Rule, call Call) bool {
	return r.Pattern != "" && r.Pattern == strings.TrimSpace(call.Command) && (r.Effect != Allow || !strings.HasSuffix(r.Pattern, " *"))
}

func coversCommand(r Rule, call Call, c command) match {
	if r.Pattern == "" || isWhole(r, call) {
		return yes
	}
	text, rest := strings.CutSuffix(r.Pattern, " *")
	words, ok := simple(text)
	if !ok {
		return no
	}
	if r.Effect == Allow {
		return strictMatch(words, rest, c)
	}
	return generousMatch(words, rest, c, call.FoldCase)
}

// simple reads a pattern as the words of one command. A pattern that is none, such as "make > log", is compared with
// whole texts only.
func simple(text string) ([]string, bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	statement := file.Stmts[0]
	call, ok := statement.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(statement.Redirs) > 0 || statement.Background || statement.Negated {
		return nil, false
	}
	words := make([]string, len(call.Args))
	for i, w := range wordsOf(call.Args) {
		if !w.known {
			return nil, false
		}
		words[i] = w.text
	}
	return words, len(words) > 0
}

// strictMatch is for what is allowed: every word that the pattern names is known, and the same.
func strictMatch(pattern []string, rest bool, c command) match {
	if len(c.words) < len(pattern) || (!rest && (len(c.words) > len(pattern) || c.open)) {
		return no
	}
	for i, want := range pattern {
		if !c.words[i].known || c.words[i].text != want {
			return no
		}
	}
	return yes
}

// generousMatch is for what is not allowed: a program is known by its name wherever it lies, and a word that can't be known
// may be the pattern's.
func generousMatch(pattern []string, rest bool, c command, fold bool) match {
	for i, want := range pattern {
		if i >= len(c.words) {
			if c.open {
				return unsure
			}
			return no
		}
		if !c.words[i].known {
			return unsure
		}
		got := c.words[i].text
		same := got == want || (i == 0 && path.Base(got) == want)
		if fold && i == 0 {
			same = strings.EqualFold(got, want) || strings.EqualFold(path.Base(got), want)
		}
		switch {
		case same:
		case i > 0 && strings.HasPrefix(got, "-"):
			return behindOptions(pattern[i:], c.words[i:], c)
		default:
			return no
		}
	}
	switch {
	case rest || len(c.words) == len(pattern) && !c.open:
		return yes
	case len(c.words) == len(pattern), !c.words[len(pattern)].known:
		return unsure
	}
	return no
}

// behindOptions looks for the rest of a pattern among words that begin with an option: git -C x push is git push. Which of them
// are values of options is not known here, so it can't be told for sure.
func behindOptions(pattern []string, words []word, c command) match {
	if c.open || path.Base(c.words[0].text) == "git" && slices.ContainsFunc(words, isGitSetting) {
		return unsure
	}
	for _, w := range words {
		if len(pattern) > 0 && (!w.known || w.text == pattern[0]) {
			pattern = pattern[1:]
		}
	}
	if len(pattern) > 0 {
		return no
	}
	return unsure
}

// isGitSetting knows the options by which git is given other commands under any name.
func isGitSetting(w word) bool {
	return slices.ContainsFunc([]string{"-c", "--config-env", "--exec-path"}, func(option string) bool { return strings.HasPrefix(w.text, option) })
}

// excerpt is a command as a sentence can hold it.
func excerpt(text string) string {
	const most = 120
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return "“" + text + "”"
}
