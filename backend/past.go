package backend

import (
	"fmt"
	"os"
	"sync"

	"palimpsest/backend/states"
)

// past is what had become of the lines of a log when one of them was its last. It is kept for who reads page after page of that moment.
type past struct {
	mu sync.Mutex
	// file and end, where the line ends, say of which moment it is, and skimmed that damaged lines count as whole.
	file    os.FileInfo
	end     int64
	skimmed bool
	states  *states.Table
}

// asOf has the states of a view be those as of the last record that has this seq; 0 leaves them as they are now.
func (v *view) asOf(seq int64) error {
	if seq == 0 {
		return nil
	}
	i, err := v.index.Find(seq)
	if err == nil {
		v.states, err = v.past.of(v, i)
	}
	if err != nil {
		return fmt.Errorf("session %s: %w", v.id, err)
	}
	return nil
}

func (p *past) of(v *view, i int) (*states.Table, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := v.index.Lines.At(i)
	end := line.Offset + line.Length
	if p.states != nil && p.end == end && p.skimmed == v.index.Skimmed && os.SameFile(p.file, v.file) {
		return p.states, nil
	}
	index := v.index // states may keep it
	table, err := states.ResolveAsOf(v.log, &index, v.model, i)
	if err != nil {
		return nil, err
	}
	p.file, p.end, p.skimmed, p.states = v.file, end, v.index.Skimmed, table
	return table, nil
}
