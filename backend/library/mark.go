package library

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"
	"os"
	"time"

	"palimpsest/backend/inode"
	"palimpsest/backend/sources"
)

// Mark says what a session is like now, for who wants to know whether it changed. No file is read for it.
type Mark struct {
	// State is of names, sizes, times and, where the system has it, the identity of its files, and of what was found of it.
	State string
	// Content is of the same but for where the files stand. What has another state with the same content was perhaps only moved.
	Content string
	// Touched is of when anything of the files changed. What has the same state and was touched may have been edited and given back its
	// size and time, or other people may read it now: [Library.Edge] tells.
	Touched string
}

// Mark looks at a session's files. In a database others write, too: what was found of the session says whether it changed.
func (l *Library) Mark(f *sources.Found) Mark {
	state := sha256.New()
	fmt.Fprintf(state, "%s %q %q %q %q %q %d %q %q %t %d %q", sources.Code(), f.ID, f.Row, f.Title, f.Cwd, f.Model, f.CreatedAt.UnixNano(), f.Parent, f.Relation, f.Archived, f.ArchivedAt.UnixNano(), f.Problem)
	if f.Lacks != "" {
		fmt.Fprintf(state, " without %q", f.Lacks)
	}
	if f.Beside != "" {
		fmt.Fprintf(state, " beside %q", f.Beside)
	}
	if f.InTables() {
		fmt.Fprintf(state, " %d %d %d", f.UpdatedAt.UnixNano(), f.Bytes, f.Writes)
		return Mark{State: short(state)}
	}
	if f.Within != "" {
		fmt.Fprintf(state, " %q within %q", f.Within, f.Files)
		return Mark{State: short(state)}
	}
	fmt.Fprintf(state, " %d", f.Writes)
	content, touched := l.contentOf(f), sha256.New()
	for _, path := range f.Files {
		info, err := os.Stat(path)
		if err != nil {
			fmt.Fprintf(state, " %q gone", path)
			continue
		}
		is := fmt.Sprintf(" %d %d %s", info.Size(), info.ModTime().UnixNano(), inode.Number(info))
		fmt.Fprintf(state, " %q%s", path, is)
		fmt.Fprint(content, is)
		fmt.Fprintf(touched, " %d", inode.Changed(info))
	}
	return Mark{short(state), short(content), short(touched)}
}

// contentOf is a sum of what was found of a session, but for where its files stand and what these are like.
func (l *Library) contentOf(f *sources.Found) hash.Hash {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %s %q %q %q %q %q %q %q %d %d %d %d %q %q %q %q %q %d", format, sources.Code(), f.Agent, f.ID, f.Row, f.Version, f.Title, f.Cwd, f.Model,
		f.CreatedAt.UnixNano(), f.UpdatedAt.UnixNano(), f.Bytes, f.Writes, f.Parent, f.Relation, f.Problem, f.Lacks, f.Beside, len(f.Files))
	return sum
}

func short(sum hash.Hash) string {
	const enough = 12
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:enough])
}

// Took is how long the last search of all sources took.
func (l *Library) Took() (all time.Duration) {
	for _, s := range l.shelves {
		_, took, _ := s.last()
		all += took
	}
	return all
}

// Elsewhere are the files outside the roots that say where sessions are or what they are called.
func (l *Library) Elsewhere() []string {
	var all []string
	for _, s := range l.shelves {
		if more, ok := s.source.(sources.Elsewhere); ok {
			all = append(all, more.Elsewhere(l.env)...)
		}
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
