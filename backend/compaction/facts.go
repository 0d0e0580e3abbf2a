package compaction

import (
	"path"
	"regexp"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// What rules find in a text. English words only, as in the sentences of the offline summarizer; the signs are those of code everywhere.
var (
	urlShape = regexp.MustCompile(`\bhttps?://[^\s\\<>"“”«»` + "`" + `]+`)
	// The endings that files of programmers have: without a folder, they tell a file from a word.
	fileEnd  = regexp.MustCompile(`[\p{L}\d_)\]-]\.(?:[ch]|cc|cpp|cs|css|csv|conf|dart|env|exs?|go|gradle|hpp|hs|html?|ini|ipynb|java|jsx?|json[lc5]?|kt|less|lock|log|lua|md|mjs|mod|php|pl|plist|proto|ps1|pyi?|rb|rs|rst|scala|scss|sh|sql|sum|svelte|svg|swift|tf|tmpl|toml|tsx?|txt|vue|xml|ya?ml|zig)$`)
	fileLine = regexp.MustCompile(`(?::\d+){1,2}$`)
	// A name as programs have them, also where it is not marked as code: SOME_THING, some_thing, someThing.
	nameShape = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+|[a-z][a-z\d]*(?:[A-Z][a-z\d]+)+)$`)
	spanName  = regexp.MustCompile(`^[\p{L}_$@#-][\p{L}\d_$.:@#-]{2,79}$`)
	errorCode = regexp.MustCompile(`^(?:ERR_[A-Z\d_]+|ENO[A-Z]+|ECONN[A-Z]+|EHOST[A-Z]+|EACCES|EADDRINUSE|EAGAIN|EBUSY|EEXIST|EINVAL|EIO|EISDIR|ELOOP|EMFILE|EPERM|EPIPE|EROFS|ETIMEDOUT|EXDEV|[A-Z][A-Za-z]+(?:Error|Exception))$`)
	errorLine = regexp.MustCompile(`(?i)\b(?:error|fail(?:ed|ure)?|fatal|panic|exception|cannot|can't|denied|refused|not found|no such|timed? ?out|undefined|unexpected)\b|\w(?:Error|Exception)\b`)
	// How a line begins that tells of an error, whatever the result says of itself.
	errorBegins = regexp.MustCompile(`^\s*(?:[\w./:-]+: )?(?:npm ERR!|(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic|(?:Uncaught )?[\w.]*[A-Z]\w*(?:Error|Exception))(?:\[\w+\])?:)\s`)
	commitShape = regexp.MustCompile(`^[\da-f]{7,40}$`)
)

const (
	// factMost is the length of a fact, in characters.
	factMost = 200
	// errorsMost is how many lines of one result count as errors.
	errorsMost = 3
)

type factKey struct {
	kind FactKind
	text string
}

// finder collects facts, each once.
type finder struct{ facts map[factKey]Fact }

func newFinder() *finder { return &finder{map[factKey]Fact{}} }

func (f *finder) add(kind FactKind, text string, seq int64) {
	if text = oneLine(text, factMost); text != "" {
		f.facts[factKey{kind, normal(kind, text)}] = Fact{kind, text, seq}
	}
}

func (f *finder) messages(all []overlay.Message) {
	for i := range all {
		f.message(&all[i])
	}
}

// message looks through what was said, the files that calls name, and the errors of results; what else tools put out is data, and so is
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
		for _, call := range callsIn(m.Content) {
			if path := pathOf(call.Arguments); path != "" {
				f.add(FactFile, path, m.From)
			}
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
	for field := range strings.FieldsSeq(ends(text)) {
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
				f.add(FactURL, strings.TrimRight(url, ".,;:!?*_/)]}'|"), seq)
				return "|"
			})
		}
		for word := range strings.FieldsFuncSeq(field, isBracket) {
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

// isPlain is quick, and true of most words, which are just that: small letters, the first may be large, and a sign behind them.
func isPlain(field string) bool {
	for i := range len(field) {
		switch c := field[i]; {
		case 'a' <= c && c <= 'z', i == 0 && 'A' <= c && c <= 'Z':
		case i == len(field)-1 && strings.IndexByte(".,;:!?", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// codeSpan is what stands between backticks, if the word is that.
func codeSpan(field string) (string, bool) {
	field = strings.Trim(field, ".,;:!?*_()[]")
	if len(field) < 3 || field[0] != '`' || field[len(field)-1] != '`' {
		return "", false
	}
	inner := strings.Trim(field, "`")
	return inner, inner != "" && !strings.Contains(inner, "`")
}

// isBracket is true of what no name has in it.
func isBracket(r rune) bool {
	return strings.ContainsRune("`\"'<>()[]{}|;=“”‘’«»（）「」，。", r)
}

// kindOf is what a word is, and the word without what stands around it; no kind if it is just a word.
func kindOf(word string, isCode bool) (FactKind, string) {
	word = strings.TrimRight(strings.TrimLeft(word, ",:!?*"), ".,:!?*")
	if file := fileLine.ReplaceAllString(word, ""); strings.ContainsAny(file, `./\`) && isFile(file) {
		return FactFile, file
	}
	name := strings.TrimSuffix(word, "()")
	switch {
	case errorCode.MatchString(name):
		return FactError, name
	case commitShape.MatchString(name) && isCommit(name):
		return FactCommit, name
	case hasInner(name) && nameShape.MatchString(name), isCode && spanName.MatchString(name):
		return FactIdentifier, name
	}
	return "", word
}

// hasInner is quick, and true of all that has the shape of a name.
func hasInner(word string) bool {
	return len(word) > 2 && (strings.Contains(word, "_") || strings.ContainsFunc(word[1:], func(r rune) bool { return 'A' <= r && r <= 'Z' }))
}

// isFile tells a file from what else has dots or slashes: and/or, 1.5, e.g.
func isFile(found string) bool {
	slashed := strings.ReplaceAll(found, `\`, "/")
	if strings.Contains(slashed, "//") || strings.Contains(found, `\n`) {
		return false
	}
	if fileEnd.MatchString(slashed) {
		return true
	}
	rooted := strings.HasPrefix(slashed, "/") || strings.HasPrefix(slashed, "~/") || strings.HasPrefix(slashed, "./") ||
		strings.HasPrefix(slashed, "../") || len(found) > 2 && found[1] == ':' && slashed[2] == '/'
	return rooted && strings.Count(slashed, "/") > 1 && !strings.HasSuffix(slashed, "/")
}

// isCommit tells a hash from a number and from a word of the letters a to f.
func isCommit(found string) bool {
	const short, long = 12, 40
	return (len(found) <= short || len(found) == long) && strings.ContainsAny(found, "0123456789") && strings.ContainsAny(found, "abcdef")
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

// baseNames are the names of files that only one of the facts has.
func (f *finder) baseNames() map[string]bool {
	count := map[string]int{}
	for key := range f.facts {
		if key.kind == FactFile {
			count[path.Base(key.text)]++
		}
	}
	own := map[string]bool{}
	for name, n := range count {
		own[name] = n == 1
	}
	return own
}
