package compaction

import (
	"iter"
	"slices"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
)

const (
	// factMost is the length of a fact, in characters.
	factMost = 200
	// factsMost is how many are looked for, from the newest message back: more are no conversation's, and would hold up the program.
	factsMost = 10_000
	// errorsMost is how many lines of one result count as errors.
	errorsMost = 3
)

type factKey struct {
	kind FactKind
	text string
}

// finder collects facts, each once.
type finder struct {
	facts map[factKey]Fact
	// parsed is how much of commands was looked through.
	parsed int
}

func newFinder() *finder { return &finder{facts: map[factKey]Fact{}} }

// add takes a fact. What it is told with may be kept in a summary, which the password in an address has no place in.
func (f *finder) add(kind FactKind, text string, seq int64) {
	if text = oneLine(secrets.WithoutPasswords(text), factMost); text == "" || len(f.facts) >= factsMost {
		return
	}
	if key := (factKey{kind, normal(kind, text)}); f.facts[key].Text == "" {
		f.facts[key] = Fact{kind, text, seq}
	}
}

// messages looks through all of them, which come the newest first: that is the one that a fact is told with.
func (f *finder) messages(all iter.Seq[*overlay.Message]) {
	for m := range all {
		if len(f.facts) == factsMost {
			return
		}
		f.message(m)
	}
}

// message looks through what was said, the files that calls name, the commands that they run, and the errors of results; what else tools put out is data, and so is
// what an agent's program put in, which it does again. What stands in for a result that is missing was said by nobody.
func (f *finder) message(m *overlay.Message) {
	if m.Overlay == overlay.OverlayNote || m.Overlay == overlay.OverlayRepair {
		return
	}
	text := textOf(m.Content)
	switch m.Role {
	case record.RoleUser:
		if m.Overlay == "" || m.Overlay == overlay.OverlayCompaction { // what took the place of messages may hold some of them
			f.rules(text, m.From)
		}
		f.prose(text, m.From)
	case record.RoleAssistant:
		f.prose(text, m.From)
		for _, call := range slices.Backward(callsIn(m.Content)) {
			if path := pathOf(call.Arguments); path != "" {
				f.add(FactFile, path, m.From)
			}
			f.commands(call, m.From)
		}
	case record.RoleToolResult:
		if m.Overlay != overlay.OverlayPrune { // what stands in its place is no error
			f.errors(text, m.IsError, m.From)
		}
	}
}

// summary is the summary of an earlier compaction: what it has kept until now can be lost now.
func (f *finder) summary(text string, seq int64) {
	text = StripTags(text)
	f.rules(text, seq)
	f.prose(text, seq)
}

func (f *finder) rules(text string, seq int64) {
	for _, sentence := range sentences(text) {
		if isRule(sentence) {
			f.add(FactRule, sentence, seq)
		}
	}
}

// prose finds what has a shape of its own, word by word; a number and its unit may be two. What is one thing is not looked at for another.
func (f *finder) prose(text string, seq int64) {
	var rest strings.Builder // the words with digits, each with the one behind it
	counted := false
	text = withoutSpaced(ends(text), func(file string) { f.add(FactFile, file, seq) })
	for field := range strings.FieldsSeq(text) {
		if !counted && isPlain(field) {
			continue
		}
		if inner, ok := codeSpan(field); ok && !strings.Contains(inner, "://") {
			if kind, found := kindOf(inner, true); kind != "" {
				f.add(kind, found, seq)
				continue
			}
		}
		if strings.Contains(field, "://") {
			field = urlShape.ReplaceAllStringFunc(field, func(url string) string {
				if url = withoutEnd(url); !strings.HasSuffix(url, ":") {
					f.add(FactURL, url, seq)
				}
				return "|"
			})
		}
		for _, word := range wordsIn(field) {
			if kind, found := kindOf(word, false); kind != "" {
				f.add(kind, found, seq)
				continue
			}
			if digit := strings.ContainsAny(word, "0123456789"); digit || counted {
				rest.WriteString(word)
				rest.WriteByte(' ')
				counted = digit
			}
		}
	}
	for _, number := range amountShape.FindAllString(rest.String(), -1) {
		f.add(FactNumber, number, seq)
	}
}

func (f *finder) errors(text string, isError bool, seq int64) {
	first, found := "", 0
	for line := range strings.SplitSeq(ends(text), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "Output: ") // the label of an agent
		if !tells(line) {
			continue
		}
		if first == "" {
			first = line
		}
		if errorBegins.MatchString(line) || isError && errorLine.MatchString(line) {
			f.add(FactError, line, seq)
			if found++; found == errorsMost {
				return
			}
		}
	}
	if isError && found == 0 {
		f.add(FactError, first, seq)
	}
}
