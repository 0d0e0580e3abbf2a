package sources

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// putOff is a look that takes longer than a list may.
type putOff struct {
	agent, path string
	look        func(context.Context) (Told, bool)
	// within tells that only then it is known which sessions the file holds.
	within bool
}

// have looks. A panic is a mistake in the program that hides no session: it is as if the file could not be read.
func (p *putOff) have(ctx context.Context) (told Told, whole bool) {
	defer func() {
		if recover() != nil {
			told, whole = Told{}, false
		}
	}()
	return p.look(ctx)
}

// Known is what a file told when it was as it is now; not ok where that is not remembered.
func (m *Memory) Known(agent, path string) (Told, bool) {
	if m == nil {
		return Told{}, false
	}
	info, err := os.Lstat(path)
	if err != nil {
		return Told{}, false
	}
	return m.KnownAs(info, agent, path)
}

// KnownAs is [Memory.Known] of a file that is like that.
func (m *Memory) KnownAs(info fs.FileInfo, agent, path string) (Told, bool) {
	if m == nil || !info.Mode().IsRegular() {
		return Told{}, false
	}
	return m.recall(keyOf(agent, path), stateOf(info))
}

// KnownBeside is [Memory.Known] of a file that has told something else just now, and is not looked at once more.
func (m *Memory) KnownBeside(told *Told, agent, path string) (Told, bool) {
	if m == nil || told.was == (state{}) {
		return m.Known(agent, path)
	}
	return m.recall(keyOf(agent, path), told.was)
}

// Earlier is what a file told last, whatever became of it since.
func (m *Memory) Earlier(agent, path string) (Told, bool) {
	if m == nil {
		return Told{}, false
	}
	m.load.Do(m.read)
	m.mu.Lock()
	defer m.mu.Unlock()
	key := keyOf(agent, path)
	known, there := m.told[key]
	if !there {
		return Told{}, false
	}
	known.used = true
	return known.told()
}

// Later puts off a look that takes longer than a list may. [Memory.CatchUp] has it, and then it is as with [Memory.Recall]. Of what can't be
// remembered nobody looks: it would be had again and again.
func (m *Memory) Later(agent, path string, look func(context.Context) (Told, bool)) {
	m.putOff(putOff{agent: agent, path: path, look: look})
}

// LaterWithin is [Memory.Later] of a look that tells which sessions the file holds.
func (m *Memory) LaterWithin(agent, path string, look func(context.Context) (Told, bool)) {
	m.putOff(putOff{agent: agent, path: path, look: look, within: true})
}

func (m *Memory) putOff(one putOff) {
	if m == nil {
		return
	}
	if info, err := os.Lstat(one.path); err != nil || !info.Mode().IsRegular() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keepLater(keyOf(one.agent, one.path), one)
}

func (m *Memory) keepLater(key string, one putOff) {
	if m.later == nil {
		m.later = map[string]putOff{}
	}
	m.later[key] = one
}

// PutOff tells whether any looks were.
func (m *Memory) PutOff() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.later) > 0
}

// KnownOrLater is [Memory.Known], and [Memory.Later] where that is not ok.
func (m *Memory) KnownOrLater(agent, path string, look func(context.Context) (Told, bool)) (told Told, known bool) {
	if told, known = m.Known(agent, path); !known {
		m.Later(agent, path, look)
	}
	return told, known
}

// CatchUpFew is [Memory.CatchUp] of as many looks that were put off as have so many bytes in their files, those of the smallest first.
func (m *Memory) CatchUpFew(ctx context.Context, most int64) (some bool, err error) {
	if m == nil {
		return false, nil
	}
	return m.have(ctx, m.few(most), nil)
}

// CatchUpOf is [Memory.CatchUp] of what was put off of one file.
func (m *Memory) CatchUpOf(ctx context.Context, path string) (some bool, err error) {
	if m == nil {
		return false, nil
	}
	m.mu.Lock()
	var due []putOff
	for key, one := range m.later {
		if one.path == path {
			due = append(due, one)
			delete(m.later, key)
		}
	}
	m.goUnder(due, 1)
	m.mu.Unlock()
	return m.have(ctx, due, nil)
}

// few takes out those looks.
func (m *Memory) few(most int64) (due []putOff) {
	type sized struct {
		key   string
		bytes int64
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []sized
	for key, one := range m.later {
		bytes := int64(0) // of what is gone nothing is to be read
		if info, err := os.Lstat(one.path); err == nil {
			bytes = info.Size()
		}
		all = append(all, sized{key, bytes})
	}
	slices.SortFunc(all, func(a, b sized) int { return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.key, b.key)) })
	for _, one := range all {
		if most -= one.bytes; most < 0 {
			break
		}
		due = append(due, m.later[one.key])
		delete(m.later, one.key)
	}
	m.goUnder(due, 1)
	return due
}

// CatchUp has all looks that were put off, one after the other, and tells whether there were any: what is found is another then. It asks
// further, if it is not nil, before each whether to go on; what is left stays put off.
func (m *Memory) CatchUp(ctx context.Context, further func() bool) (some bool, err error) {
	if m == nil {
		return false, nil
	}
	m.mu.Lock()
	due := slices.Collect(maps.Values(m.later))
	m.later = nil
	m.goUnder(due, 1)
	m.mu.Unlock()
	return m.have(ctx, due, further)
}

// Waiting are the files of which it is not known which sessions they hold, since the look is put off, or under way.
func (m *Memory) Waiting() map[string]bool {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make(map[string]bool, len(m.later)+len(m.under))
	for _, one := range m.later {
		if one.within {
			all[one.path] = true
		}
	}
	for path := range m.under {
		all[path] = true
	}
	return all
}

// goUnder notes, for who holds the lock, that looks are under way, or no more.
func (m *Memory) goUnder(due []putOff, by int) {
	if m.under == nil {
		m.under = map[string]int{}
	}
	for _, one := range due {
		if !one.within {
			continue
		}
		if m.under[one.path] += by; m.under[one.path] == 0 {
			delete(m.under, one.path)
		}
	}
}

// have has looks that were noted to be under way. One that is ended with ctx stays put off.
func (m *Memory) have(ctx context.Context, due []putOff, further func() bool) (some bool, err error) {
	for ; len(due) > 0; due = due[1:] {
		if further != nil && !further() || ctx.Err() != nil {
			break
		}
		one := due[0]
		m.Recall(one.agent, one.path, func() (Told, bool) { return one.have(ctx) })
		if ctx.Err() != nil {
			break
		}
		some = true
		m.done(one)
	}
	m.putBack(due)
	return some, context.Cause(ctx)
}

// done notes that a look was had. What a search has put off meanwhile is known by now.
func (m *Memory) done(one putOff) {
	_, known := m.Known(one.agent, one.path)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.goUnder([]putOff{one}, -1)
	if known {
		delete(m.later, keyOf(one.agent, one.path))
	}
}

// putBack puts off again what was to be under way, and leaves what was put off anew since as it is.
func (m *Memory) putBack(due []putOff) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.goUnder(due, -1)
	for _, one := range due {
		key := keyOf(one.agent, one.path)
		if _, anew := m.later[key]; !anew {
			m.keepLater(key, one)
		}
	}
}
