package config

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// yamlError takes apart what the YAML library says. It knows lines only as text.
var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// Complaints of the library's reader, which names no line, and of its grammar, which counts
// lines from 0 where its scanner counts them from 1.
var (
	readerError  = regexp.MustCompile(`control character|UTF-8|UTF-16|Unicode|surrogate`)
	grammarError = regexp.MustCompile(`^did not find expected (node content|key|'-' indicator|',' or '[\]}]'|<.*>)$`)
)

// syntaxProblem says why and where a file isn't YAML.
func syntaxProblem(path string, data []byte, err error) Problem {
	p := Problem{Path: path, Message: "the file is not valid YAML", Hint: "nothing in it is used until that is mended"}
	parts := yamlError.FindStringSubmatch(err.Error())
	if parts == nil {
		return p
	}
	reason := parts[2]
	p.Line, _ = strconv.Atoi(parts[1]) // none counts as 0
	switch {
	case readerError.MatchString(reason):
		p.Line = firstUnprintable(data)
	case strings.Contains(reason, "anchor"):
		// Quotes what stands there, which may be a secret that begins with an asterisk.
		reason = "a value that begins with * or & needs quotes"
	case grammarError.MatchString(reason):
		p.Line++
	case p.Line == 0 && !strings.Contains(reason, "max depth"):
		p.Line = 1 // the library leaves out the first line's number
	}
	p.Message += ": " + reason
	return p
}

// firstUnprintable is the line of the first thing that doesn't belong in a text file, or 0.
func firstUnprintable(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return 1 + bytes.Count(data[:i], []byte{'\n'})
		}
		i += size
	}
	return 0
}
