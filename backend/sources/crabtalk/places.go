package crabtalk

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/backend/sources"
)

// Roots are its directory, and that of its first name.
func (Source) Roots(env sources.Env) []string {
	roots := []string{env.Or("CRABTALK_HOME", ".crabtalk")}
	for _, name := range []string{".crabtalk", ".openwalrus"} {
		if dir := filepath.Join(env.Home, name); !slices.Contains(roots, dir) {
			roots = append(roots, dir)
		}
	}
	return roots
}

// copied is a number with what is put behind the name of a file that is copied: " copy", " (1)", "-backup".
var copied = regexp.MustCompile(`^(\d+)[^0-9A-Za-z]`)

// split takes the name of a session apart: agent, sender and number stay what they are, a title after them comes and goes.
func split(stem string) (id, slug string) {
	parts := strings.Split(stem, "_")
	for i := 2; i < len(parts); i++ {
		if parts[i] != "" && strings.Trim(parts[i], "0123456789") == "" {
			return strings.Join(parts[:i+1], "_"), strings.Join(parts[i+1:], " ")
		}
	}
	if last := len(parts) - 1; last > 1 {
		if number := copied.FindStringSubmatch(parts[last]); number != nil {
			return strings.Join(parts[:last], "_") + "_" + number[1], ""
		}
	}
	return stem, ""
}

// begun is when a session began that the first version named, by the seconds before the last part of its id; the zero time if these are none, as
// where a sender is called by a number.
func begun(id string, changed time.Time) time.Time {
	const first = 1735689600 // of 2025, when there was none yet
	parts := strings.Split(id, "_")
	if len(parts) < 3 {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(parts[len(parts)-2], 10, 64)
	if at := time.Unix(seconds, 0).UTC(); err == nil && seconds >= first && !at.After(changed) {
		return at
	}
	return time.Time{}
}

// isCopy is 1 for a name that has what no title has behind the number: a blank, or something that is not set off by _.
func isCopy(name string) int {
	stem := strings.TrimSuffix(name, ".jsonl")
	id, _ := split(stem)
	if behind := stem[len(id):]; behind != "" && behind[0] != '_' || strings.Contains(behind, " ") {
		return 1
	}
	return 0
}
