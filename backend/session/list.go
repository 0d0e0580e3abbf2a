package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/backend/borrow"
	"palimpsest/backend/waits"
)

// Summary is what a list shows of one session.
type Summary struct {
	Metadata
	// Known is false if the log has to be read to count messages and compactions, and was not.
	Known        bool
	Compactions  int
	FirstMessage string
	// Took is what Spent tells, nil also if Known is false.
	Took *Metrics
	// Path of the log.
	Path string
}

// ListOptions of [Store.List].
type ListOptions struct {
	// Quick answers from metadata alone.
	Quick bool
	// Trash lists the trash instead of the sessions.
	Trash bool
	// Only, if not nil, lists none but these, and looks at no others.
	Only []string
}

// listers bounds how many sessions are looked at at once.
const listers = 8

// List returns every session, archived ones too, the newest lastMessageAt first. What can't be read is left out and
// warned of.
func (s *Store) List(ctx context.Context, opts ListOptions) ([]Summary, error) {
	root := s.sessions()
	if opts.Trash {
		root = s.trash()
	}
	ids, err := idsIn(root)
	if err != nil {
		return nil, err
	}
	if opts.Only != nil {
		ids = among(ids, opts.Only)
	}
	defer waits.Begin()()
	found := make([]*Summary, len(ids))
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(listers, len(ids)) {
		wg.Go(func() {
			for i := range next {
				summary, err := summarize(root, ids[i], opts.Quick)
				switch {
				case err == nil:
					found[i] = &summary
				case !hasGone(filepath.Join(root, ids[i])): // since its name was read
					s.warnIf(fmt.Errorf("listing session %s: %w", ids[i], err))
				}
			}
		})
	}
	err = feed(ctx, next, len(ids))
	wg.Wait()
	if err != nil {
		return nil, err
	}
	return newestFirst(found), nil
}

func hasGone(dir string) bool {
	_, err := os.Lstat(dir)
	return errors.Is(err, fs.ErrNotExist)
}

// among are those of some ids that are wanted.
func among(ids, wanted []string) []string {
	set := make(map[string]bool, len(wanted))
	for _, id := range wanted {
		set[id] = true
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !set[id] })
}

func feed(ctx context.Context, next chan<- int, n int) error {
	defer close(next)
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func newestFirst(found []*Summary) []Summary {
	found = slices.DeleteFunc(found, func(summary *Summary) bool { return summary == nil })
	slices.SortFunc(found, func(a, b *Summary) int {
		if c := b.LastMessageAt.Compare(a.LastMessageAt); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	list := make([]Summary, len(found))
	for i, summary := range found {
		list[i] = *summary
	}
	return list
}

// idsIn lists the sessions in a directory: whatever has an id for a name.
func idsIn(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		if info, _ := os.Stat(root); info == nil || info.IsDir() {
			return nil, nil
		}
		err = fmt.Errorf("%s is no directory", root) // to Windows there is nothing in a file, and no more
	}
	if err != nil {
		return nil, fmt.Errorf("listing sessions: %w", err)
	}
	var ids []string
	for _, entry := range entries {
		if idPattern.MatchString(entry.Name()) {
			ids = append(ids, entry.Name())
		}
	}
	return ids, nil
}

// Get returns one session's summary.
func (s *Store) Get(id string) (Summary, error) {
	if _, err := s.existing(id); err != nil {
		return Summary{}, err
	}
	summary, err := summarize(s.sessions(), id, false)
	if err != nil {
		return Summary{}, fmt.Errorf("session %s: %w", id, err)
	}
	return summary, nil
}

// summarize reads metadata and as much of the log as metadata does not cover. It writes nothing.
func summarize(root, id string, quick bool) (Summary, error) {
	dir := filepath.Join(root, id)
	path := filepath.Join(dir, "session.jsonl")
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Summary{}, fmt.Errorf("it has no log: %w", ErrNotFound)
	}
	if err != nil {
		return Summary{}, err
	}
	if !info.Mode().IsRegular() {
		return Summary{}, fmt.Errorf("%s is no file", path)
	}
	m, state, err := readMetadata(dir)
	if err != nil {
		// Not a reason to hide a conversation: what the log can tell is shown.
		m = Metadata{}
	}
	// Without metrics it was counted by a version that knew none.
	var took *Metrics
	if state == MetadataOK && m.Log != nil && m.Log.Size == lengthOf(dir, &m, info.Size()) {
		took = m.Spent()
	}
	covered := took != nil
	summary := Summary{Metadata: m, Path: path, Known: covered || !quick}
	switch {
	case covered:
		summary.Compactions, summary.FirstMessage, summary.Took = m.Log.Compactions, m.first(m.Log.FirstMessage), took
	case quick:
		quickly(&summary.Metadata, id, info.ModTime())
	default:
		if summary, err = counted(summary, id, state); err != nil {
			return Summary{}, err
		}
	}
	summary.ID = id
	if IsToCome(summary.LastMessageAt) {
		summary.LastMessageAt = info.ModTime().UTC()
	}
	return summary, nil
}

// IsToCome tells of a time that nothing was written at, whatever the clock and the zone where that was done: by it a session would be
// listed first for good.
func IsToCome(at time.Time) bool {
	const day = 24 * time.Hour
	return at.After(time.Now().Add(day))
}

// quickly fills what a list can't do without.
func quickly(m *Metadata, id string, modified time.Time) {
	m.ID = id
	if m.CreatedAt.IsZero() {
		m.CreatedAt = createdAt(id)
	}
	if m.LastMessageAt.IsZero() {
		m.LastMessageAt = modified.UTC()
	}
	if m.Source == "" {
		m.Source = SourceInteractive
	}
}

func counted(summary Summary, id string, state MetadataState) (Summary, error) {
	file, err := borrow.Open(summary.Path)
	if err != nil {
		return Summary{}, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	from := summary.Metadata
	if state != MetadataOK {
		from.Log = nil
	}
	x, err := indexCounts(file, from)
	if err != nil {
		return Summary{}, err
	}
	summary.follow(id, x)
	summary.Compactions, summary.FirstMessage, summary.Took = x.Compactions, summary.first(x.FirstMessage), summary.Spent()
	return summary, nil
}

// FindPrefix returns the one session whose id begins with prefix: a whole id, or 6 to 25 of its characters. None is
// [ErrNotFound], several are [ErrInput].
func (s *Store) FindPrefix(prefix string, inTrash bool) (string, error) {
	root := s.sessions()
	if inTrash {
		root = s.trash()
	}
	const least, whole = 6, 26
	if len(prefix) < least || len(prefix) > whole || CheckID(prefix+strings.Repeat("0", whole-len(prefix))) != nil {
		return "", fmt.Errorf("%w: %q (26 characters of 0-9 A-Z without I L O U, or the first 6 or more)", ErrInvalidID, shorten(prefix))
	}
	ids, err := idsIn(root)
	if err != nil {
		return "", err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return !strings.HasPrefix(id, prefix) })
	switch len(ids) {
	case 0:
		return "", fmt.Errorf("session %s: %w in %s", prefix, ErrNotFound, root)
	case 1:
		return ids[0], nil
	}
	return "", fmt.Errorf("%w: %s is the beginning of %d sessions' ids, such as %s and %s", ErrInput, prefix, len(ids), ids[0], ids[1])
}
