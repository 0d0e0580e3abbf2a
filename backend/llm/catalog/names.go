package catalog

import (
	"regexp"
	"slices"
	"strings"
)

// dated is the day of a version at the end of a name: gpt-4o-2024-08-06, claude-sonnet-4-5-20250929, claude-…@20250929.
var dated = regexp.MustCompile(`[-@](20\d{2}-\d{2}-\d{2}|20\d{6})$`)

// names are those that a model may be listed under, the surest first: its own; without a tag that says nothing; without the
// day of its version; and each of these without whoever is named before it. A tag that makes another model of it, such as
// :free or :70b, stays.
func names(model string) []string {
	name := strings.ToLower(strings.TrimSpace(model))
	out := []string{name}
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, tag := range []string{":latest", "-latest"} {
		if short, ok := strings.CutSuffix(name, tag); ok {
			add(short)
		}
	}
	for _, name := range slices.Clone(out) {
		add(dated.ReplaceAllString(name, ""))
	}
	for _, name := range slices.Clone(out) {
		add(name[strings.LastIndexByte(name, '/')+1:])
	}
	return out
}
