package many

// trial is what was done to ids since [IDs.Try].
type trial struct {
	slots map[key]int32
	// count is how many there are with the others, which cleared says are gone.
	count   int
	cleared bool
}

// Try has all that is done from now on be taken back by [IDs.Back]. It should be little: memory holds it.
func (m *IDs) Try() { m.trial = &trial{slots: map[key]int32{}, count: m.count} }

// Back has the ids be as they were at [IDs.Try].
func (m *IDs) Back() { m.trial = nil }

// tried is the number of a key as it is now.
func (m *IDs) tried(k key) (n int, ok bool) {
	if n, ok := m.trial.slots[k]; ok {
		return int(n), true
	}
	if m.trial.cleared {
		return 0, false
	}
	return m.get(k)
}

func (m *IDs) try(k key, n int32) {
	if _, known := m.tried(k); !known {
		m.trial.count++
	}
	m.trial.slots[k] = n
}
