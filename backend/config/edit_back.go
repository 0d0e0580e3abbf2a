package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// ErrOtherProvider is returned where a provider would be put back over another one.
var ErrOtherProvider = errors.New("config.yaml has another provider of this name by now, which stays")

// WithProviderBack is a settings file that was changed since a provider was removed from it, with that provider: with the lines
// that it had before, where they stood among the others, as far as that can be told. It is in use if it was and nothing else
// is by now.
func WithProviderBack(data, before []byte, p Provider, wasInUse bool) ([]byte, error) {
	values, _ := parse(FileName, data)
	if slices.ContainsFunc(providersIn(values), func(one Provider) bool { return KeyVariable(one.Name) == KeyVariable(p.Name) }) {
		return nil, ErrOtherProvider
	}
	edited, ok := withLinesBack(data, before, p.Name)
	if !ok || !changesOnly(data, edited, func(ps []Provider) []Provider { return replaced(ps, p) }) {
		var err error
		if edited, err = WithProvider(data, p); err != nil {
			return nil, err
		}
	}
	if now, _ := values["provider"].(string); !wasInUse || now != "" {
		return edited, nil
	}
	return WithProviderInUse(edited, p.Name)
}

// withLinesBack copies the lines of an entry behind the nearest of the entries before it that is still there, and behind
// what stood between them; or before the first.
func withLinesBack(data, before []byte, name string) ([]byte, bool) {
	had, key, entry, ok := entryOf(before, name)
	now, _, _, okNow := entryOf(data, name)
	if !ok || !okNow || key == nil || now == nil || len(now.Content) == 0 {
		return nil, false
	}
	old, lines := linesOf(before), linesOf(data)
	at, from := now.Content[0].Line-1, key.Line-1
	for i := 0; i+1 < len(had.Content) && had.Content[i] != key; i += 2 {
		for j := 0; j+1 < len(now.Content); j += 2 {
			if had.Content[i].Value == now.Content[j].Value {
				at, from = max(now.Content[j].Line, lastLine(now.Content[j+1])), max(had.Content[i].Line, lastLine(had.Content[i+1]))
			}
		}
	}
	for from < key.Line-1 && at < len(lines) && old[from] == lines[at] {
		from, at = from+1, at+1
	}
	own := old[key.Line-1 : max(key.Line, lastLine(entry))]
	return []byte(strings.Join(slices.Insert(lines, at, own...), "")), true
}

// linesOf are the lines of a file, each with its end.
func linesOf(data []byte) []string {
	end := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := strings.SplitAfter(string(data), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += end
	}
	return lines
}
