package compaction

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// keeper tells whether a summary keeps a fact.
type keeper struct {
	// text is the summary in small letters, with one space for each stretch of space; exact is with its own letters. Neither has
	// the signs by which Markdown takes others for themselves: models write some\_name.
	text, exact string
	// paths is the summary in small letters with slashes for backslashes, as it is and as Markdown has it.
	paths []string
	// lines are the words of each line.
	lines []map[string]bool
	// ownNames are the names of files that stand for one file only.
	ownNames map[string]bool
	// told are the numbers that it has.
	told   *finder
	hashes []string
}

func newKeeper(summary string, ownNames map[string]bool) *keeper {
	written := norm.NFC.String(strings.Join(strings.Fields(summary), " "))
	k := &keeper{exact: escape.ReplaceAllString(written, "$1"), ownNames: ownNames, told: newFinder()}
	k.text = strings.ToLower(k.exact)
	k.paths = slices.Compact([]string{strings.ReplaceAll(strings.ToLower(written), `\`, "/"), strings.ReplaceAll(k.text, `\`, "/")})
	k.told.prose(StripTags(summary), 0)
	k.hashes = hash.FindAllString(k.text, -1)
	for line := range strings.SplitSeq(summary, "\n") {
		if words := wordsOf(line); len(words) > 0 {
			k.lines = append(k.lines, words)
		}
	}
	return k
}

// escape is a sign that stands for itself in Markdown.
var escape = regexp.MustCompile(`\\([_*#<>~|\[\]])`)

func (k *keeper) keeps(f Fact) bool {
	want := normal(f.Kind, f.Text)
	switch f.Kind {
	case FactFile:
		own := k.ownNames[path.Base(want)]
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
	case FactRule, FactError:
		return stands(k.text, want, isNamePart) || k.keepsSentence(f.Text)
	}
	return false
}

// hash is what may be a commit's, wherever it stands: in a range, or in an address.
var hash = regexp.MustCompile(`\b[\da-f]{7,40}\b`)

// keepsHash takes a hash by its beginning, whichever of the two is longer.
func (k *keeper) keepsHash(want string) bool {
	return slices.ContainsFunc(k.hashes, func(told string) bool { return strings.HasPrefix(told, want) || strings.HasPrefix(want, told) })
}

// keepsSentence takes a sentence in other words, if a line has most of the words that say something.
func (k *keeper) keepsSentence(text string) bool {
	const most = 0.6
	words := wordsOf(text)
	if len(words) == 0 {
		return false
	}
	for _, line := range k.lines {
		n := 0
		for word := range words {
			if line[word] {
				n++
			}
		}
		if float64(n) >= most*float64(len(words)) {
			return true
		}
	}
	return false
}

// emptyWords say nothing by themselves.
var emptyWords = map[string]bool{
	"the": true, "and": true, "for": true, "that": true, "this": true, "with": true, "you": true, "are": true, "was": true, "has": true,
	"have": true, "from": true, "but": true, "its": true, "any": true, "all": true, "our": true, "your": true, "please": true, "will": true,
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
	case FactRule, FactError:
		return strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), "…"))
	case FactURL, FactCommit:
	}
	return strings.ToLower(text)
}
