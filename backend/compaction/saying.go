package compaction

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// saying is what a line says: its words, and which of them it says yes and no to.
type saying struct{ words, yes, no map[string]bool }

var (
	// clauseEnd is where a line goes on with something else.
	clauseEnd = regexp.MustCompile(`(?i)[;!?]|[.,](?:\s|$)|\bbut\b`)
	// ratherThan is what stands between what is wanted and what is not.
	ratherThan = regexp.MustCompile(`(?i)\b(?:instead of|rather than|over)\b`)
	// denial turns what is said into its opposite; two of them in a clause are none.
	denial = regexp.MustCompile(`(?i)\b(?:no|not|never|none|nothing|without|avoid\w*|forbidden|forbids?|prohibit\w*|refuse\w*|alone|cannot|\w+n['’]t)\b`)
)

func sayingOf(line string) saying {
	s := saying{words: wordsOf(line), yes: map[string]bool{}, no: map[string]bool{}}
	for _, clause := range clauseEnd.Split(line, -1) {
		for i, part := range ratherThan.Split(clause, -1) {
			side := s.yes
			if denied := len(denial.FindAllString(part, -1))%2 == 1; denied || i > 0 {
				side = s.no
			}
			for word := range wordsOf(part) {
				side[word] = true
			}
		}
	}
	return s
}

// holds tells whether a line says a rule in other words, and not its opposite.
func (s *saying) holds(rule *saying) bool {
	if len(rule.no) == 0 {
		return has(s.yes, rule.words)
	}
	if !has(s.words, rule.words) {
		return false
	}
	for word := range rule.no {
		if s.no[word] && !weakWords[word] {
			return true
		}
	}
	return false
}

// has tells whether words have most of those that are wanted, and one among them that means something by itself.
func has(words, wanted map[string]bool) bool {
	const most = 0.6
	n, weak := 0, true
	for word := range wanted {
		if words[word] {
			n++
			weak = weak && weakWords[word]
		}
	}
	return !weak && float64(n) >= most*float64(len(wanted))
}

// emptyWords say nothing by themselves.
var emptyWords = setOf("the and for that this with you are was has have from but its any all our your please will")

// weakWords do not tell one rule, or one error, from others.
var weakWords = setOf("must never always prefer don't not mustn't use using do make run want need ever when " +
	"error err fail failed failing failure fatal panic exception exit exited statu code command npm")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	add(set, strings.Fields(words)...)
	return set
}

// tells is whether a line of an error says anything but that there is one.
func tells(line string) bool {
	for word := range wordsOf(line) {
		if !weakWords[word] && strings.ContainsFunc(word, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// wordsOf are the words of a text that say something, in small letters and without the s of many.
func wordsOf(text string) map[string]bool {
	const least = 3
	words := map[string]bool{}
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if word = strings.Trim(word, "'"); utf8.RuneCountInString(word) >= least && !emptyWords[word] {
			words[strings.TrimSuffix(word, "s")] = true
		}
	}
	return words
}
