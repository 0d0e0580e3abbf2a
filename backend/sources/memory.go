package sources

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"palimpsest/backend/inode"
)

// Memory remembers what cheap reads of files told, so that the same files need not be read for the next list. It is kept in a file that
// may go at any time. It may be used by several goroutines; the nil Memory remembers nothing.
type Memory struct {
	path, head string
	load       sync.Once

	mu   sync.Mutex
	told map[string]*remembered
	// packing is where what is told is packed.
	packing []byte
	// fresh tells that something is not in the file yet.
	fresh bool
	// later are the looks that were put off, by what they are of.
	later map[string]putOff
	// under is how many looks at a file are under way that were put off.
	under map[string]int
}

// Told is what a cheap read of a file told: a session, and what only its source understands.
type Told struct {
	Found Found
	Notes []string
	// was is what the file was like that told it, as far as a [Memory] knows.
	was state
}

// state is what a file is like, as far as a look at it tells.
type state struct{ size, modified, changed int64 }

func stateOf(info fs.FileInfo) state {
	return state{info.Size(), info.ModTime().UnixNano(), inode.Changed(info)}
}

// remembered is what was told of a file that was like that, as the file of a [Memory] has it: of ten thousand sessions that takes a fifth of
// the room of all members of a [Found], of which most are empty. Its key is one text with it.
type remembered struct {
	was  state
	text string
	key  int32 // how long that is
	used bool
}

func (r *remembered) keyed() string  { return r.text[:r.key] }
func (r *remembered) packed() string { return r.text[r.key:] }

// told is what was told; not ok if that is not what was written.
func (r *remembered) told() (Told, bool) {
	p := packed{text: r.packed()}
	told := p.told(pathOf(r.keyed()))
	told.was = r.was
	return told, !p.bad
}

// is tells of the id of the session.
func (r *remembered) is(id func(string) bool) bool {
	told, ok := r.told()
	return ok && id(told.Found.ID)
}

// OpenMemory returns the memory that is kept at path. That of another version of what reads, as [Code] tells, is forgotten.
func OpenMemory(path, version string) *Memory {
	return &Memory{path: path, head: fmt.Sprintf("told 6 %q", version), told: map[string]*remembered{}}
}

// Recall returns what look told of a file when it was as it is now; else it looks. Look says with its second result whether that is all
// there is to tell as long as the file stays as it is. What is returned is not to be changed.
func (m *Memory) Recall(agent, path string, look func() (Told, bool)) Told {
	var info fs.FileInfo
	if m != nil {
		info, _ = os.Lstat(path) // of what is not there nothing is remembered
	}
	return m.RecallAs(info, agent, path, look)
}

// RecallAs is [Memory.Recall] of a file that was like that before it was opened, nil if it was not there.
func (m *Memory) RecallAs(info fs.FileInfo, agent, path string, look func() (Told, bool)) Told {
	if m == nil || info == nil || !info.Mode().IsRegular() {
		told, _ := look()
		return told
	}
	key := keyOf(agent, path)
	now := stateOf(info)
	if told, ok := m.recall(key, now); ok {
		return told
	}
	told, whole := look()
	told.was = now
	if whole {
		return m.keep(key, &told)
	}
	return told
}

// RecallIn is [Memory.Recall] of what depends on more than the file, whose state is told as well: only what was told in the last one that was
// asked for is remembered, and stands before its other notes. Beside is what the same file has told already.
func (m *Memory) RecallIn(state string, beside *Told, agent, path string, look func() (Told, bool)) Told {
	if told, known := m.KnownBeside(beside, agent, path); known && len(told.Notes) > 0 && told.Notes[0] == state {
		return told
	}
	m.forget(keyOf(agent, path))
	return m.Recall(agent, path, func() (Told, bool) {
		told, whole := look()
		told.Notes = append([]string{state}, told.Notes...)
		return told, whole
	})
}

// RecallAll is Recall of many files, side by side: look is called with the number of a path.
func (m *Memory) RecallAll(ctx context.Context, agent string, paths []string, look func(i int) (Told, bool)) ([]Told, error) {
	all := make([]Told, len(paths))
	err := SideBySide(ctx, len(paths), func(i int) {
		all[i] = m.Recall(agent, paths[i], func() (Told, bool) { return look(i) })
	})
	return all, err
}

func (m *Memory) recall(key string, now state) (Told, bool) {
	m.load.Do(m.read)
	m.mu.Lock()
	defer m.mu.Unlock()
	known, there := m.told[key]
	if !there || known.was != now {
		return Told{}, false
	}
	known.used = true
	return known.told()
}

// keep returns what it was given, with the texts that are kept in the place of those.
func (m *Memory) keep(key string, told *Told) Told {
	m.mu.Lock()
	m.packing = packTold(append(m.packing[:0], key...), told, pathOf(key))
	one := &remembered{told.was, string(m.packing), int32(len(key)), true} //nolint:gosec // no path is that long
	m.told[one.keyed()] = one
	m.fresh = true
	m.mu.Unlock()
	same, _ := one.told() // it was packed just now
	return same
}

func keyOf(agent, path string) string { return agent + "\x00" + path }

// agentOf is the agent of a key. Behind it, and a line's end, may stand which of several sessions in a file it is of.
func agentOf(key string) string {
	agent, _, _ := strings.Cut(key, "\x00")
	agent, _, _ = strings.Cut(agent, "\n")
	return agent
}

func pathOf(key string) string {
	_, path, _ := strings.Cut(key, "\x00")
	return path
}

func (m *Memory) forget(key string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.told, key)
}

// Where is the file that told of an agent's session with such an id, whatever became of it since; not ok if none is remembered.
func (m *Memory) Where(agent string, is func(id string) bool) (path string, ok bool) {
	if m == nil {
		return "", false
	}
	m.load.Do(m.read)
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, r := range m.told {
		if agentOf(key) == agent && r.is(is) {
			return pathOf(key), true
		}
	}
	return "", false
}

// Forget forgets what files told of an agent's sessions with these ids. The next [Memory.Save] writes the file anew in any case: another
// program may have written of them there.
func (m *Memory) Forget(agent string, is func(id string) bool) {
	if m == nil {
		return
	}
	m.load.Do(m.read)
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, r := range m.told {
		if agentOf(key) == agent && r.is(is) {
			delete(m.told, key)
		}
	}
	m.fresh = true
}

// ForgetAll is [Memory.Forget] of all that files told.
func (m *Memory) ForgetAll() {
	if m == nil {
		return
	}
	m.load.Do(m.read)
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.told)
	m.fresh = true
}
