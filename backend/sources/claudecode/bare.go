package claudecode

import (
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// bare are the boundaries of compactions that have no summary, as where Claude Code was stopped before it came. Such a one hides nothing
// by itself; what hangs below it hangs below nothing else, and so everything before it is gone.
type bare struct {
	// at is where they stand, by the ids of their rows, and last the id of the last one; goneOn are those that have rows below them.
	at     map[string]int64
	last   string
	goneOn map[int64]bool
}

func newBare() bare { return bare{at: map[string]int64{}, goneOn: map[int64]bool{}} }

func (b *bare) put(id string, at int64) {
	if b.last = id; id != "" {
		b.at[id] = at
	}
}

// drop forgets the last one, which has its summary.
func (b *bare) drop() { delete(b.at, b.last) }

// below takes a row; it is one if it is the first below such a boundary, which stands above it at an offset.
func (b *bare) below(rec jsonl.Object) (above int64, is bool) {
	if len(b.at) == 0 {
		return 0, false
	}
	above, is = b.at[jsonl.Text(rec.Get("parentUuid"))]
	if !is || b.goneOn[above] {
		return 0, false
	}
	b.goneOn[above] = true
	return above, true
}

// nothingSaid is what stands for the summary that never came: a person reads it, and the model is told nothing.
func nothingSaid() []sources.Message {
	return []sources.Message{{Role: record.RoleUser, Content: []sources.Block{{Type: "text", Text: "[no summary was written]", Aside: true}}}}
}
