package library

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"time"

	"palimpsest/backend/sources"
)

// Mark says what a session is like now, for who wants to know whether it changed: names, sizes, times and, where the system has it, the
// identity of its files, and what was found of it. No file is read.
func (l *Library) Mark(f *sources.Found) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %q %q %q %q %q %d %q %q %t %q", l.version, f.ID, f.Row, f.Title, f.Cwd, f.Model, f.CreatedAt.UnixNano(), f.Parent, f.Relation, f.Archived, f.Problem)
	if f.Lacks != "" {
		fmt.Fprintf(sum, " without %q", f.Lacks)
	}
	if f.InTables() { // others write there, too: what was found of the session says whether it changed
		fmt.Fprintf(sum, " %d %d %d", f.UpdatedAt.UnixNano(), f.Bytes, f.Writes)
	} else {
		for _, path := range f.Files {
			lookClosely(sum, path)
		}
	}
	const enough = 12
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:enough])
}

func lookClosely(sum interface{ Write(p []byte) (int, error) }, path string) {
	info, err := os.Stat(path)
	if err != nil {
		fmt.Fprintf(sum, " %q gone", path)
		return
	}
	fmt.Fprintf(sum, " %q %d %d %s", path, info.Size(), info.ModTime().UnixNano(), Identity(info))
}

// Took is how long the last search of all sources took.
func (l *Library) Took() (all time.Duration) {
	for _, s := range l.shelves {
		_, took, _ := s.last()
		all += took
	}
	return all
}

// Roots are the places where the sessions of the agents can be.
func (l *Library) Roots() []string {
	var all []string
	for _, s := range l.shelves {
		all = append(all, s.source.Roots(l.env)...)
	}
	return all
}
