package session

import (
	"os"
	"time"
)

// LogCounts says what a log holds up to its byte Size.
type LogCounts struct {
	Size int64 `json:"size"`
	// Seq of the last record before Size, by which a log is known to be the one that was counted.
	Seq          int64  `json:"seq"`
	Compactions  int    `json:"compactions"`
	FirstMessage string `json:"firstMessage,omitempty"`
	// CostUnknown tells that something was used of which nobody says what it cost.
	CostUnknown bool `json:"costUnknown,omitempty"`
	// Files are those that tools changed, so that none is counted twice.
	Files []string `json:"files,omitempty"`
}

// follow brings everything that the log can tell in line with it.
func (m *Metadata) follow(id string, x *Index) {
	m.ID = id
	if m.CreatedAt.IsZero() {
		m.CreatedAt = createdAt(id)
	}
	if m.Source == "" {
		m.Source = SourceInteractive
	}
	m.MessageCount = x.Messages
	m.Edits = x.files.edits()
	m.setMetrics(x.spent.metrics(x.Compactions))
	m.LastMessageAt = x.LastMessageAt
	if m.LastMessageAt.IsZero() {
		m.LastMessageAt = m.lastUntold()
	}
	if x.Model != "" { // the last one that the log names; else the one it was made with
		m.Model = x.Model
	}
	m.Log = nil
	// Counting can go on from here only if the log ends with a whole line.
	if x.kept.size == x.Size {
		m.Log = &LogCounts{Size: x.Size, Seq: x.kept.seq, Compactions: x.Compactions, FirstMessage: x.FirstMessage, CostUnknown: x.spent.costUnknown, Files: x.files.paths()}
	}
}

// covers tells whether what was counted still is the beginning of the log.
func (c *LogCounts) covers(file *os.File, size int64) bool {
	if c == nil || c.Size > size {
		return false
	}
	if c.Size == size {
		return true
	}
	header, ok := NewReverse(file, size).At(c.Size)
	return c.Size == 0 || ok && header.Seq == c.Seq
}

// indexCounts counts what the log holds, reading only what was appended since metadata last followed it. The index has
// counts and no lines.
func indexCounts(file *os.File, m Metadata) (*Index, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return countsTo(file, m, info.Size())
}

// countsTo is indexCounts of no more of the log than size.
func countsTo(file *os.File, m Metadata, size int64) (*Index, error) {
	x := &Index{countsOnly: true}
	// What an earlier version counted has no metrics: they are counted from the start.
	if metrics := m.Spent(); metrics != nil && m.Log.covers(file, size) {
		x.Size = m.Log.Size
		x.kept.size, x.kept.seq = m.Log.Size, m.Log.Seq
		x.kept.counts = Counts{
			Messages: m.MessageCount, Compactions: m.Log.Compactions, FirstMessage: m.Log.FirstMessage,
			LastMessageAt: m.LastMessageAt, Model: m.Model, files: editCountsOf(&m),
			spent: spentOf(metrics),
		}
		if m.LastMessageAt.Equal(m.lastUntold()) {
			x.kept.counts.LastMessageAt = time.Time{}
		}
		x.kept.counts.spent.costUnknown = x.kept.counts.spent.costUnknown || m.Log.CostUnknown
	}
	return x, x.Extend(file, size)
}
