package many

import (
	"cmp"
	"slices"

	"palimpsest/backend/siphash"
)

// IDs has a number for each of many ids. Ids are kept as hashes of 127 bits, with a key that nobody who writes a file knows: that two of
// a million have the same happens once in 10^26 files. Those that were put last are in a table; when it is full, it becomes a run in a
// file, in the order of the hashes, and runs are merged so that each is at least twice as long as the next: a log-structured merge tree
// (O'Neil and others, 1996). The zero value is empty. It is for one goroutine.
type IDs struct {
	// table is open addressing: an empty slot has no key.
	table []slot
	taken int
	count int
	runs  []run // the oldest first
	sieve sieve
	// recent are slots of runs that were found, by their hashes.
	recent []slot
	// stays tells that there is no room for files.
	stays bool
	// by is the key of the hashes: this program's, once there are some.
	by siphash.Key
	// trial has what is only tried, nil if nothing is.
	trial *trial
}

// key is the hash of an id. That of none is 0.
type key struct{ high, low uint64 }

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.high, other.high), cmp.Compare(k.low, other.low))
}

type slot struct {
	key
	number int32
}

const (
	// first is the size of the smallest table. One is full when seven of eight slots are taken.
	first    = 16
	fullOf   = 8
	fullFrom = 7
)

var (
	// tableMost is the size of the largest table: 0.75 MB.
	tableMost = 1 << 15
	// recentMost is how many of those that were found in files are remembered. It is a power of two.
	recentMost = 1 << 12
)

func (m *IDs) keyOf(id string) key {
	h := m.by.New()
	h.WriteString(id)
	high := h.Sum()
	h.Add(0)
	return key{high, h.Sum() | 1}
}

// Len is how many ids there are.
func (m *IDs) Len() int {
	if m.trial != nil {
		return m.trial.count
	}
	return m.count
}

// Get is the number of an id.
func (m *IDs) Get(id string) (n int, ok bool) {
	if m.Len() == 0 {
		return 0, false
	}
	k := m.keyOf(id)
	if m.trial != nil {
		return m.tried(k)
	}
	return m.get(k)
}

func (m *IDs) get(k key) (n int, ok bool) {
	if m.count == 0 {
		return 0, false
	}
	if s := m.find(k); s.key == k {
		return int(s.number), true
	}
	return m.older(k)
}

// Put gives an id a number, which is one of 32 bits, in place of the one that it has.
func (m *IDs) Put(id string, n int) {
	m.by = cmp.Or(m.by, siphash.Ours())
	if k := m.keyOf(id); m.trial != nil {
		m.try(k, int32(n))
	} else {
		m.put(k, int32(n))
	}
}

func (m *IDs) put(k key, n int32) {
	if m.taken*fullOf >= len(m.table)*fullFrom {
		m.makeRoom()
	}
	s := m.find(k)
	if s.key != k {
		if _, known := m.older(k); !known {
			m.count++
		}
		s.key = k
		m.taken++
	}
	s.number = n
}

// Clear forgets all ids. A small table stays, for those who clear often.
func (m *IDs) Clear() {
	if m.trial != nil {
		m.trial = &trial{slots: map[key]int32{}, cleared: true}
		return
	}
	const most = 1 << 10
	table := m.table
	if len(table) > most {
		table = nil
	}
	clear(table)
	*m = IDs{table: table, by: m.by}
}

// find is the slot in the table of a key, or that where it would stand.
func (m *IDs) find(k key) *slot {
	mask := uint64(len(m.table) - 1)
	for i := k.high & mask; ; i = (i + 1) & mask {
		if s := &m.table[i]; s.key == k || s.key == (key{}) {
			return s
		}
	}
}

// older is the number of a key in the runs, the newest of which counts.
func (m *IDs) older(k key) (n int, ok bool) {
	if len(m.runs) == 0 || !m.sieve.has(k) {
		return 0, false
	}
	near := m.near(k)
	if near.key == k {
		return int(near.number), true
	}
	for i := len(m.runs) - 1; i >= 0; i-- {
		if n, ok := m.runs[i].find(k); ok {
			*near = slot{k, n}
			return int(n), true
		}
	}
	return 0, false
}

// near is where a slot of runs is remembered.
func (m *IDs) near(k key) *slot { return &m.recent[k.high&uint64(len(m.recent)-1)] }

// makeRoom doubles the table, or empties it into a run.
func (m *IDs) makeRoom() {
	if len(m.table) >= tableMost && !m.stays {
		if m.stays = !m.flush(); !m.stays {
			return
		}
	}
	before := m.table
	m.table = make([]slot, max(2*len(before), first))
	for _, s := range before {
		if s.key != (key{}) {
			*m.find(s.key) = s
		}
	}
}

// flush makes a run of the table; false if there is no room for it.
func (m *IDs) flush() bool {
	all := slices.DeleteFunc(slices.Clone(m.table), func(s slot) bool { return s.key == key{} })
	slices.SortFunc(all, func(a, b slot) int { return a.compare(b.key) })
	one, ok := runOf(slices.Values(all))
	if !ok {
		return false
	}
	if m.sieve == nil {
		m.sieve, m.recent = newSieve(), make([]slot, recentMost)
	}
	for _, s := range all {
		m.sieve.add(s.key)
		if near := m.near(s.key); near.key == s.key {
			*near = s
		}
	}
	m.runs = append(m.runs, one)
	clear(m.table)
	m.taken = 0
	m.merge()
	return true
}

// merge makes one of the last two runs as long as the one before is not twice as long. Where there is no room for it, they stay.
func (m *IDs) merge() {
	for n := len(m.runs); n > 1 && m.runs[n-2].count < 2*m.runs[n-1].count; n = len(m.runs) {
		both, ok := runOf(merged(&m.runs[n-2], &m.runs[n-1]))
		if !ok {
			return
		}
		for _, gone := range m.runs[n-2:] {
			_ = gone.file.Close() // nobody reads it any more
		}
		m.runs = append(m.runs[:n-2], both)
	}
}
