package compaction

import (
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"palimpsest/backend/secrets"
)

const (
	// keptMost is how much of a summary is looked through, in bytes; no model reads more.
	keptMost = 2 << 20
	// linesMost is how many lines of it are looked through for sentences in other words.
	linesMost = 2000
)

// keeper tells whether a summary keeps a fact.
type keeper struct {
	// text is the summary in small letters, with one space for each stretch of space; exact is with its own letters. Neither has
	// the signs by which Markdown takes others for themselves: models write some\_name.
	text, exact string
	// paths is the summary in small letters with slashes for backslashes, as it is and as Markdown has it.
	paths []string
	lines []saying
	// files are those that could be kept, by their last names: one that only one file has will do for it.
	files map[string][]string
	// told are the numbers that it has.
	told   *finder
	hashes []string
}

func newKeeper(summary string, files map[string][]string) *keeper {
	summary = secrets.WithoutPasswords(strings.ToValidUTF8(summary[:min(len(summary), keptMost)], "")) // as facts are
	written := norm.NFC.String(strings.Join(strings.Fields(summary), " "))
	k := &keeper{exact: escape.ReplaceAllString(written, "$1"), files: files, told: newFinder()}
	k.text = strings.ToLower(k.exact)
	k.paths = slices.Compact([]string{strings.ReplaceAll(strings.ToLower(written), `\`, "/"), strings.ReplaceAll(k.text, `\`, "/")})
	for part := range parts(StripTags(summary)) {
		k.told.prose(part, 0)
	}
	k.hashes = hash.FindAllString(k.text, -1)
	for line := range strings.SplitSeq(summary, "\n") {
		if len(k.lines) == linesMost {
			break
		}
		if says := sayingOf(line); len(says.words) > 0 {
			k.lines = append(k.lines, says)
		}
	}
	return k
}

// parts are the lines of a text, so many together as are looked through to their end.
func parts(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > proseMost {
			at := strings.LastIndexByte(text[:proseMost], '\n') + 1
			if at == 0 {
				at = proseMost
			}
			if !yield(text[:at]) {
				return
			}
			text = text[at:]
		}
		yield(text)
	}
}

// escape is a sign that stands for itself in Markdown.
var escape = regexp.MustCompile(`\\([_*#<>~|\[\]])`)

func (k *keeper) keeps(f Fact) bool {
	want := normal(f.Kind, f.Text)
	switch f.Kind {
	case FactFile:
		own := len(k.files[path.Base(want)]) == 1
		return slices.ContainsFunc(k.paths, func(text string) bool { return standsPath(text, want, own) })
	case FactIdentifier:
		return stands(k.exact, want, isFilePart)
	case FactCommit:
		return k.keepsHash(want)
	case FactNumber:
		_, told := k.told.facts[factKey{FactNumber, want}]
		return told
	case FactURL:
		return stands(k.text, want, isFilePart)
	case FactCommand:
		return stands(k.exact, want, isFilePart) || stands(k.exact, escape.ReplaceAllString(norm.NFC.String(f.Text), "$1"), isFilePart)
	case FactRule, FactError:
		return stands(k.text, want, isNamePart) || k.keepsSentence(f)
	}
	return false
}

// hash is what may be a commit's, wherever it stands: in a range, or in an address.
var hash = regexp.MustCompile(`\b[\da-f]{7,40}\b`)

// keepsHash takes a hash by its beginning, whichever of the two is longer.
func (k *keeper) keepsHash(want string) bool {
	return slices.ContainsFunc(k.hashes, func(told string) bool { return strings.HasPrefix(told, want) || strings.HasPrefix(want, told) })
}

// keepsSentence takes a sentence in other words, if a line has most of the words that say something; of a rule it must not say the opposite.
func (k *keeper) keepsSentence(f Fact) bool {
	wanted := sayingOf(f.Text)
	return slices.ContainsFunc(k.lines, func(line saying) bool {
		if f.Kind == FactRule {
			return line.holds(&wanted)
		}
		return has(line.words, wanted.words)
	})
}

// normal is a fact as it is compared: two that are written a little otherwise are one.
func normal(kind FactKind, text string) string {
	text = norm.NFC.String(text)
	if kind != FactFile {
		text = escape.ReplaceAllString(text, "$1")
	}
	switch kind {
	case FactIdentifier:
		return strings.TrimSuffix(text, "()")
	case FactFile:
		text = strings.ReplaceAll(strings.ToLower(text), `\`, "/")
		return strings.TrimPrefix(path.Clean(text), "./")
	case FactNumber:
		return amount(text)
	case FactCommand:
		return deed(text)
	case FactRule, FactError:
		return strings.TrimSpace(strings.TrimRight(strings.ToLower(text), ".!…"))
	case FactURL, FactCommit:
	}
	return strings.ToLower(text)
}
