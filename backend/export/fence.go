package export

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

func indentedJSON(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return ManyLines(text)
	}
	return ManyLines(out.String())
}

// fenced is text in a code fence that is longer than any run of backticks in it.
func fenced(text, language string) string {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

func codeSpan(text string) string {
	ticks := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// longestRun is the length of the longest run of backticks.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// escaped is text that is to mean nothing to Markdown.
func escaped(text string) string { return special.ReplaceAllString(text, `\$0`) }

var (
	special   = regexp.MustCompile("[\\\\`*_\\[\\]<>&|~]")
	fenceLine = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")
	// rawHTML begins the kinds of HTML that would go on to the end of the document.
	rawHTML = regexp.MustCompile(`(?i)^ {0,3}<(!|\?|(script|pre|style|textarea)\b)`)
)

// contained is a message's Markdown with an open code fence closed, and without the beginnings of HTML that swallows
// everything behind it.
func contained(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	open := ""
	for i, line := range lines {
		found := fenceLine.FindStringSubmatch(line)
		switch {
		case open == "" && found != nil && (found[1][0] == '~' || !strings.Contains(found[2], "`")):
			open = found[1]
		case open == "" && rawHTML.MatchString(line):
			lines[i] = strings.Replace(line, "<", "&lt;", 1)
		case open != "" && found != nil && strings.HasPrefix(found[1], open) && strings.TrimSpace(found[2]) == "":
			open = ""
		}
	}
	if open != "" {
		lines = append(lines, open)
	}
	return strings.Join(lines, "\n")
}
