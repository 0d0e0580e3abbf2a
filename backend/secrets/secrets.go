// Package secrets takes out of a text what is certainly or very probably a secret: keys of services by their documented shapes, private
// keys, what stands behind the name of a header, a variable or a field for secrets, and passwords in addresses. The name in front stays,
// so that a reader sees what was there. What has neither shape nor name can't be told from other text, and remains.
package secrets

import "strings"

// Removed stands where a secret was.
const Removed = "[secret removed]"

// Strip returns text without its secrets, and how many they were. It takes time in proportion to the text, whatever is in it.
func Strip(text string) (string, int) {
	text, count := blocks(text)
	for _, find := range []finder{tokens, logins, given(), named()} {
		var found int
		text, found = strip(text, find)
		count += found
	}
	return text, count
}

// Value is Strip for a value that stands alone, as in JSON, with its name elsewhere.
func Value(name, value string) (string, int) {
	if from, to := judge(kindOf(name), value, true); from < to {
		return value[:from] + Removed + value[to:], 1
	}
	return Strip(value)
}

// finder is the first secret of a kind at or behind a byte of a text; none if it is empty.
type finder func(text string, from int) (start, end int)

func strip(text string, find finder) (string, int) {
	var out strings.Builder
	count, at := 0, 0
	for {
		start, end := find(text, at)
		if start >= end {
			break
		}
		out.WriteString(text[at:start])
		out.WriteString(Removed)
		count, at = count+1, end
	}
	if count == 0 {
		return text, 0
	}
	out.WriteString(text[at:])
	return out.String(), count
}
