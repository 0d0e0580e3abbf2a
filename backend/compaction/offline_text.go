package compaction

import (
	"regexp"
	"strings"
)

// The words by which the offline summarizer tells sentences apart. English only: other languages get the goal, the work
// and the last exchange.
var (
	ruleWords = regexp.MustCompile(`(?i)\b(must|mustn['’]t|never|always|prefer|prefers|don['’]t|do not)\b`)
	// noRule tells of what is, or was, with the same words.
	noRule = regexp.MustCompile(`(?i)\b(?:(?:don['’]t|do not) (?:know|understand|remember|think|see|worry|mind|care|believe|recall)|must have` +
		`|(?:it|that|this|which|they) (?:almost |nearly )?(?:never|always)|you never \w+ed)\b`)
	whyQuestion   = regexp.MustCompile(`(?i)^\W*(?:why|what|how|when|where|who|which|is|are|was|were|do|does|did|should)\b.*\?$`)
	decisionWords = regexp.MustCompile(`(?i)\b(decided|decision|instead of|rather than|going with|chose|chosen|will use)\b`)
	sentenceEnd   = regexp.MustCompile(`([.!?])\s+`)
	listMark      = regexp.MustCompile(`^\s*(?:[-*•]|\d+[.)])\s+(?:\[.\]\s+)?`)
)

func isDecision(sentence string) bool { return decisionWords.MatchString(sentence) }

func isRule(sentence string) bool {
	return ruleWords.MatchString(sentence) && !whyQuestion.MatchString(strings.TrimSpace(sentence)) &&
		ruleWords.MatchString(noRule.ReplaceAllString(sentence, ""))
}

// proseMost is how much of the beginning and of the end of a text is looked through for sentences, in bytes: what is
// longer is data, with what the user says of it before or behind.
const proseMost = 32 << 10

// ends is the beginning and the end of a text that is longer than that.
func ends(text string) string {
	if len(text) <= 2*proseMost {
		return text
	}
	return strings.ToValidUTF8(text[:proseMost], "") + "\n" + strings.ToValidUTF8(text[len(text)-proseMost:], "")
}

// sentences splits prose into sentences; what stands in a code fence is none.
func sentences(text string) []string {
	text = ends(text)
	var out []string
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		line = listMark.ReplaceAllString(line, "")
		out = append(out, strings.Split(sentenceEnd.ReplaceAllString(line, "$1\n"), "\n")...)
	}
	return out
}

func itemsOf(sentences []string, wanted func(string) bool) []string {
	var items []string
	for _, sentence := range sentences {
		if wanted(sentence) {
			items = append(items, "- "+oneLine(sentence, itemMost))
		}
	}
	return items
}

// oneLine is a text as one item: on one line, cut to a number of characters. What is behind the cut is not looked at.
func oneLine(text string, most int) string {
	var out strings.Builder
	n := 0
	for word := range strings.FieldsSeq(text) {
		if n > 0 {
			word = " " + word
		}
		for i := range word {
			if n == most {
				out.WriteString(word[:i] + "…")
				return out.String()
			}
			n++
		}
		out.WriteString(word)
	}
	return out.String()
}
