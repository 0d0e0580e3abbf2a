package compaction

import "strings"

// withoutSpaced takes the paths with spaces out of a text and tells of them: between marks it is known where they end.
func withoutSpaced(text string, found func(path string)) string {
	const longest = 200
	var out strings.Builder
	for {
		i := strings.IndexAny(text, "`\"'")
		if i < 0 || i+1 == len(text) {
			out.WriteString(text)
			return out.String()
		}
		mark, rest := text[i], text[i+1:]
		out.WriteString(text[:i+1])
		text = rest
		if !mayBeRoot(rest) {
			continue
		}
		end := strings.IndexByte(rest[:min(len(rest), longest)], mark)
		if end < 0 || strings.Contains(rest[:end], "\n") || !isSpaced(rest[:end]) {
			continue
		}
		found(rest[:end])
		text = rest[end:]
	}
}

// mayBeRoot is quick, and true of all that begins as a path from a root does.
func mayBeRoot(text string) bool {
	return text[0] == '/' || text[0] == '~' || text[0] == '.' || len(text) > 1 && text[1] == ':'
}

// isSpaced is true of a path with spaces in the names of folders; a command has options, or begins with a program.
func isSpaced(text string) bool {
	slashed := strings.ReplaceAll(text, `\`, "/")
	first, rest, found := strings.Cut(slashed, " ")
	return found && rooted.MatchString(slashed) && strings.Contains(rest, "/") && isFile(text) && !fileEnd.MatchString(first) &&
		!strings.Contains(first, "/bin/") && !strings.Contains(rest, " -") && !strings.Contains(rest, " /")
}
