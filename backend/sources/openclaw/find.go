package openclaw

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each session once: of those in databases, of those in files, and of what was set aside. A directory of state that was
// copied, as for a profile, has sessions that went on in both, and each agent may have one with the id of another's.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	var tables, files []sources.Found
	read, kin := map[string]bool{}, newKin()
	for _, agent := range s.agents(env) {
		seen := map[string]bool{}
		for _, path := range agent.databases {
			here, err := s.findTables(ctx, env, path, agent.state, seen, kin)
			if err != nil {
				return err
			}
			if !read[path] {
				tables = append(tables, here...)
			}
			read[path] = true
		}
		if read[agent.sessions] {
			continue
		}
		read[agent.sessions] = true
		here, err := s.findFiles(ctx, env, agent, seen, kin)
		if err != nil {
			return err
		}
		files = append(files, onceAside(env, here)...)
	}
	for _, f := range s.apart(ctx, env, tables, files, kin) {
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// kind says what a file of a session is, by its name.
type kind int

const (
	live kind = iota
	setAside
	// backup is a copy of a session that is, as a rule, still there.
	backup
	other
)

var archive = regexp.MustCompile(`\.jsonl\.(reset|deleted|bak)\.([^.].*)$`)

// setAsideAt is when a transcript was set aside, by its name, which has the time with - for each colon; the zero time if it tells none.
func setAsideAt(name string) time.Time {
	m := archive.FindStringSubmatch(strings.TrimSuffix(name, ".zst"))
	if m == nil {
		return time.Time{}
	}
	at, _ := time.Parse("2006-01-02T15-04-05Z07:00", m[2]) // the zero time for anything else
	return at
}

// damaged is what stands behind the name of a file in that of a copy that was made before the file was mended.
const damaged = ".jsonl.corrupt-"

func kindOf(name string) kind {
	plain := strings.TrimSuffix(name, ".zst")
	if strings.Contains(plain, ".trajectory.jsonl") {
		return other
	}
	if m := archive.FindStringSubmatch(plain); m != nil {
		if m[1] == "bak" {
			return backup
		}
		return setAside
	}
	switch {
	case !strings.HasSuffix(plain, ".jsonl"):
		return other
	case strings.Contains(plain, ".checkpoint.") || strings.Contains(plain, damaged):
		return backup
	case plain != name:
		return setAside
	}
	return live
}

// findFiles tells of the sessions in one folder that are not known yet.
func (s Source) findFiles(ctx context.Context, env sources.Env, agent agentDir, seen map[string]bool, kin *kin) ([]sources.Found, error) {
	var all []sources.Found
	var paths [other][]string
	for path := range jsonl.Walk(env, agent.sessions, 0, "") {
		if k := kindOf(filepath.Base(path)); k != other {
			paths[k] = append(paths[k], path)
		}
	}
	if len(paths[live])+len(paths[setAside])+len(paths[backup]) == 0 {
		return nil, nil
	}
	x := readIndex(env, agent.sessions)
	x.of(agent.state, filepath.Dir(agent.sessions), kin)
	for k := range paths {
		for _, path := range paths[k] {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			f, ok := s.look(ctx, env, path, kind(k), x, seen)
			if !ok {
				continue
			}
			seen[f.ID] = true
			all = append(all, f)
		}
	}
	return all, nil
}

// look reads the ends of a transcript; not ok if it is none, or is known.
func (s Source) look(ctx context.Context, env sources.Env, path string, k kind, x index, seen map[string]bool) (sources.Found, bool) {
	name := filepath.Base(path)
	stem := strings.TrimSuffix(strings.TrimSuffix(name, ".zst"), ".jsonl")
	f := sources.Found{Agent: s.Agent(), Files: []string{path}, Archived: k == setAside, ArchivedAt: setAsideAt(name)}
	p, err := peekFile(path, &f)
	if err == nil && !p.stranger && strings.HasSuffix(path, ".zst") {
		s.packedEnd(env, path, &f)
	}
	if err != nil {
		f.ID, f.Problem = stem, "The file can't be read: "+err.Error()
		return f, !seen[f.ID]
	}
	if p.stranger {
		f.ID = stem
		linked := f.Bytes == 0 && x.entries[stem].linked // as below
		return f, f.Problem != "" && !seen[f.ID] && !linked
	}
	if f.ID = p.id; f.ID == "" {
		f.ID, _, _ = strings.Cut(stem, damaged)
	}
	header := f.ID
	if seen[f.ID] || strings.Contains(stem, "-topic-") {
		f.ID = stem
	}
	if seen[f.ID] || k == backup && f.ID != header {
		return f, false
	}
	if f.ID != header {
		f.Row = header
	}
	if given, known := titles.In(ctx, env, &sources.Told{Found: f}); known && given[0] != nil {
		f.Title = *given[0]
	}
	e, known := x.entries[stem]
	if !known && k == live {
		e, known = x.entries[header]
	}
	if known {
		e.add(&f, x)
		if e.linked && p.messages == 0 && f.Bytes < jsonl.Edge {
			return f, false // the agent that answers has the transcript
		}
	}
	return f, true
}

// titles are those that transcripts are given.
var titles = jsonl.Names{Agent: Source{}.Agent(), Kinds: 1, Words: []string{`session_info"`}, Of: func(line []byte) (kind int, name string, ok bool) {
	at := lastIn(line)
	return 0, at.found.Title, at.named
}}
