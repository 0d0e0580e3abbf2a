package library

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/backend/reach"
	"palimpsest/backend/sources"
)

// A folder of a network that is away may answer nothing for minutes, and a source that looks into it waits as long. So the source's
// folders are asked first, and again while it looks. Where one stays silent the search is over for those who asked: what was found in it
// is told of as it was, and the source looks into it no more until it answers.

// A folder that answered is waited for longer than one that did not: a disk that has to start, or has much else to do, is not away.
const (
	patience    = 5 * time.Second
	hadPatience = time.Second
)

// stuckAfter is how long a search may last before its folders are asked again.
const stuckAfter = 2 * time.Second

// search looks for the source's sessions, if its folders answer.
func (s *shelf) search(ctx context.Context, env sources.Env) error {
	asked := time.Now()
	if s.silent(ctx, env) {
		return context.Cause(ctx)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.searchNow(ctx, env, asked) }()
	for {
		select {
		case err := <-ended:
			return err
		case <-time.After(s.again):
			if s.silent(ctx, env) {
				return context.Cause(ctx)
			}
		}
	}
}

// probe is a question whether the folders answer.
type probe struct {
	done   chan struct{}
	silent []string
}

// silent tells whether a folder of the source does not answer, and notes what was found in it. It is true, too, where who asked has left.
func (s *shelf) silent(ctx context.Context, env sources.Env) bool {
	s.mu.Lock()
	wait := patience
	if errors.Is(s.problem, reach.ErrNoAnswer) {
		wait = hadPatience
	}
	one := s.probing
	if one == nil {
		one = &probe{done: make(chan struct{})}
		s.probing = one
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
		go func() {
			defer cancel()
			s.probe(ctx, env, one)
		}()
	}
	s.mu.Unlock()
	var folders []string
	select {
	case <-one.done:
		if folders = one.silent; len(folders) == 0 {
			return false
		}
	case <-ctx.Done():
		return true
	case <-time.After(2 * wait): // what tells where they are does not answer either
	}
	s.hide(folders)
	return true
}

func (s *shelf) probe(ctx context.Context, env sources.Env, one *probe) {
	var err error
	defer func() {
		s.mu.Lock()
		s.probing = nil
		s.mu.Unlock()
		close(one.done)
	}()
	defer recovered(&err, s.source, "asking for the folders") // the search says so
	one.silent = s.away.Silent(ctx, s.source.Roots(env)...)
}

// hide takes what was found in folders that do not answer from what is there; all of it, if they are not known.
func (s *shelf) hide(folders []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]*sources.Found{}
	var hidden []*sources.Found
	for id, f := range s.found {
		switch {
		case f.FromCopy:
		case below(folders, f):
			hidden = append(hidden, f)
		default:
			found[id] = f
		}
	}
	problem := reach.ErrNoAnswer
	if len(folders) > 0 {
		problem = fmt.Errorf("%s: %w", strings.Join(folders, ", "), problem)
	}
	hidden = append(hidden, s.hidden...)
	s.hidden, s.found, s.began, s.took = hidden, found, time.Now(), hadPatience
	s.problem = errors.Join(problem, s.copies(s.source.Agent(), found))
}

func below(folders []string, f *sources.Found) bool {
	if len(folders) == 0 || len(f.Files) == 0 {
		return true
	}
	for _, folder := range folders {
		if name, err := filepath.Rel(folder, f.Files[0]); err == nil && filepath.IsLocal(name) {
			return true
		}
	}
	return false
}

// allHidden is what was found in folders that do not answer, and has no copy.
func (s *shelf) allHidden() (hidden []*sources.Found) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.hidden {
		if _, there := s.found[f.ID]; !there {
			hidden = append(hidden, f)
		}
	}
	return hidden
}
