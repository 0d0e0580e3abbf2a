package compaction

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What rules find in a text. English words only, as in the sentences of the offline summarizer; the signs are those of code everywhere.
var (
	urlShape = regexp.MustCompile(`\b(?:https?|wss?|s?ftps?|ssh|git|s3|gs|postgres(?:ql)?|mysql|rediss?|mongodb(?:\+srv)?|amqps?|file)://[^\s\\<>"“”«»，。；、？！（）「」` + "`" + `]+`)
	// The endings that files of programmers have: without a folder, they tell a file from a word.
	fileEnd = regexp.MustCompile(`[\p{L}\d_)\]-]\.(?:[ch]|cc|cpp|cs|css|csv|conf|dart|env|exs?|go|gradle|hpp|hs|html?|ini|ipynb|java|jsx?|json[lc5]?|kt|less|lock|log|lua|md|mjs|mod|php|pl|plist|proto|ps1|pyi?|rb|rs|rst|scala|scss|sh|sql|sum|svelte|svg|swift|tf|tmpl|toml|tsx?|txt|vue|xml|ya?ml|zig)$`)
	// Names that tell a file without an ending, and those that look as if they had one.
	fileName = regexp.MustCompile(`(?:^|/)(?:(?:Make|Docker|Container|Caddy|Gem|Just|Jenkins|Pip|Proc|Rake|Vagrant)file|\.(?:env|gitignore|gitattributes|gitmodules|dockerignore|editorconfig|npmrc|nvmrc|bashrc|zshrc|vimrc))$`)
	noFile   = regexp.MustCompile(`(?i)^(?:(?:alpine|angular|backbone|chart|d3|day|discord|electron|ember|express|moment|nest|next|node|nuxt|p5|react|require|socket\.io|solid|three|vue)\.js|(?:process|import\.meta|this|self)\.env|(?:console|logger|math|self|this)\.log)$`)
	fileLine = regexp.MustCompile(`(?::\d+){1,2}$`)
	rooted   = regexp.MustCompile(`^(?:~?/|\.{1,2}/|[A-Za-z]:/)`)
	// A name as programs have them, also where it is not marked as code: SOME_THING, some_thing, someThing.
	nameShape = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+|[a-z][a-z\d]*(?:[A-Z][a-z\d]+)+)$`)
	// One that is marked as code. How long it is, is asked apart: to count is dear in a pattern, and to make that took 5 ms at every start.
	spanShape = regexp.MustCompile(`^[\p{L}_$@#-][\p{L}\d_$.:@#-]+$`)
	errorCode = regexp.MustCompile(`^(?:ERR_[A-Z\d_]+|ENO[A-Z]+|ECONN[A-Z]+|EHOST[A-Z]+|EACCES|EADDRINUSE|EAGAIN|EBUSY|EEXIST|EINVAL|EIO|EISDIR|ELOOP|EMFILE|EPERM|EPIPE|EROFS|ETIMEDOUT|EXDEV|[A-Z][A-Za-z]+(?:Error|Exception))$`)
	errorLine = regexp.MustCompile(`(?i)\b(?:error|fail(?:ed|ure)?|fatal|panic|exception|cannot|can't|denied|refused|not found|no such|timed? ?out|undefined|unexpected)\b|\w(?:Error|Exception)\b`)
	// How a line begins that tells of an error, whatever the result says of itself.
	errorBegins = regexp.MustCompile(`^\s*(?:[\w./:-]+: )?(?:npm ERR!|(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic|(?:Uncaught )?[\w.]*[A-Z]\w*(?:Error|Exception))(?:\[\w+\])?:)\s`)
	commitShape = regexp.MustCompile(`^[\da-f]{7,40}$`)
)

// isPlain is quick, and true of most words, which are just that: small letters, the first may be large, and a sign behind them.
func isPlain(field string) bool {
	if strings.Contains(field, "file") { // which some names end with
		return false
	}
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

// codeWords are marked as code and name nothing.
var codeWords = setOf("true false null nil none None True False undefined string number int integer bool boolean object array float double " +
	"void any the and not for let var const func function def return class else while import export this self new async await type struct")

// apart are the words of a language without spaces, without its letters: those of a path stay where they are.
func apart(word string) []string {
	if !strings.ContainsFunc(word, isWide) || widePath.MatchString(word) {
		return []string{word}
	}
	return strings.FieldsFunc(word, isWide)
}

var widePath = regexp.MustCompile(`[/\\][\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}][/\\.]`)

// withoutEnd is an address without what a sentence puts behind it.
func withoutEnd(url string) string {
	for {
		shorter := strings.TrimRight(url, ".,;:!?*_/]}'|")
		if strings.HasSuffix(shorter, ")") && strings.Count(shorter, ")") > strings.Count(shorter, "(") {
			shorter = shorter[:len(shorter)-1]
		}
		if shorter == url {
			return url
		}
		url = shorter
	}
}

// isBracket is true of what no name has in it.
func isBracket(r rune) bool {
	return strings.ContainsRune("`\"'<>()[]{}|;=“”‘’«»（）「」，。；、？！", r)
}

// kindOf is what a word is, and the word without what stands around it; no kind if it is just a word.
func kindOf(word string, isCode bool) (FactKind, string) {
	word = strings.TrimRight(strings.TrimLeft(word, ",:!?*"), ".,:!?*")
	if file := fileLine.ReplaceAllString(word, ""); (strings.ContainsAny(file, `./\`) || strings.HasSuffix(file, "file")) && isFile(file) {
		if !strings.HasPrefix(file, "@/") { // which is no mention of a file, as @src/main.go is
			file = strings.TrimPrefix(file, "@")
		}
		return FactFile, file
	}
	name := strings.TrimSuffix(word, "()")
	switch {
	case errorCode.MatchString(name):
		return FactError, name
	case commitShape.MatchString(name) && isCommit(name):
		return FactCommit, name
	case hasInner(name) && nameShape.MatchString(name), isCode && isSpanName(name):
		return FactIdentifier, name
	}
	return "", word
}

func isSpanName(name string) bool {
	n := utf8.RuneCountInString(name)
	return 3 <= n && n <= 80 && spanShape.MatchString(name) && !codeWords[name]
}

// hasInner is quick, and true of all that has the shape of a name.
func hasInner(word string) bool {
	return len(word) > 2 && (strings.Contains(word, "_") || strings.ContainsFunc(word[1:], func(r rune) bool { return 'A' <= r && r <= 'Z' }))
}

// isFile tells a file from what else has dots or slashes: and/or, 1.5, e.g.
func isFile(found string) bool {
	slashed := strings.ReplaceAll(found, `\`, "/")
	if strings.Contains(slashed, "//") || strings.Contains(found, `\n`) || noFile.MatchString(slashed) {
		return false
	}
	if fileEnd.MatchString(slashed) || fileName.MatchString(slashed) {
		return true
	}
	return rooted.MatchString(slashed) && strings.Count(slashed, "/") > 1 && !strings.HasSuffix(slashed, "/")
}

// isCommit tells a hash from a number and from a word of the letters a to f.
func isCommit(found string) bool {
	const short, long = 12, 40
	return (len(found) <= short || len(found) == long) && strings.ContainsAny(found, "0123456789") && strings.ContainsAny(found, "abcdef")
}

// wordsIn are the words of what has no space in it.
func wordsIn(field string) []string {
	words := strings.FieldsFunc(field, isBracket)
	if !strings.ContainsFunc(field, isWide) {
		return words
	}
	var out []string
	for _, word := range words {
		out = append(out, apart(word)...)
	}
	return out
}
