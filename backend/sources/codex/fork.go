package codex

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// generations is how far back a history is followed.
const generations = 32

// inherit reads what a thread has from another one: its lines up to where it left. Without the other, it begins with a note.
func (t *thread) inherit(h head) error {
	path, base, ok := t.base(h)
	if !ok || len(t.visiting) >= generations || t.visiting[path] {
		t.unavailable(h)
		return nil
	}
	t.visiting[path] = true
	t.lineage[h.base] = true
	before := t.reader.inherited
	t.reader.inherited = true
	if base.base != "" {
		base.end = min(base.end, h.end)
		if err := t.inherit(base); err != nil {
			return err
		}
	}
	err := t.span(path, h.end, base)
	t.reader.inherited, t.reader.headed, t.reader.recorded, t.reader.total = before, false, false, ""
	return err
}

// unavailable notes that what a file goes on from is not there.
func (t *thread) unavailable(h head) {
	t.reader.log.Note(sources.Note{
		Namespace: "codex.history_unavailable", Display: true,
		Meta: sources.Meta{Time: h.at, Entry: t.reader.prefix + "base"}, Data: json.RawMessage(fmt.Sprintf(`{"thread_id":%s,"end_ordinal_exclusive":%d}`, quoted(h.base), h.end)),
	})
}

// base is the file that a history goes on from: the newest of that thread that is older, and begins before the place. If none does, what
// stands before the place is what the first of them goes on from.
func (t *thread) base(h head) (string, head, bool) {
	if t.listed == nil {
		t.listed = rollouts(t.ctx, t.env)
	}
	path, best := "", head{}
	for _, file := range t.listed {
		if file.thread != h.base || t.visiting[file.path] {
			continue
		}
		b, err := t.headOf(file.path)
		if err != nil || b.id != h.base || !h.at.IsZero() && b.at.After(h.at) {
			continue
		}
		if b.first < h.end || path == "" && b.base != "" && b.base != b.id {
			path, best = file.path, b
		}
	}
	return path, best, path != ""
}

// headOf is [headOf], of each file once.
func (t *thread) headOf(path string) (h head, err error) {
	h, known := t.heads[path]
	if known {
		return h, nil
	}
	if h, err = headOf(path); err == nil {
		if t.heads == nil {
			t.heads = map[string]head{}
		}
		t.heads[path] = h
	}
	return h, err
}

// moved is where a file is now that was put away, taken back or compressed since it was found. One that had a namesake is not looked for:
// which is which was told by where they were.
func (t *thread) moved(path string, found sources.Found) (string, error) {
	name := strings.TrimSuffix(filepath.Base(path), ".zst")
	for _, file := range rollouts(t.ctx, t.env) {
		if found.Row == "" && len(file.apart) == 0 && file.thread == found.ID && strings.TrimSuffix(filepath.Base(file.path), ".zst") == name {
			return file.path, nil
		}
	}
	return "", fmt.Errorf("%w: %w", sources.ErrGone, fs.ErrNotExist)
}

// copies tells which lines of a file were copied from the parent of a fork. They are those of turns that began before the thread did:
// the ids of turns hold the time.
type copies struct {
	thread string
	born   time.Time
	// foreign tells that the header of another thread was seen, own that what follows is the thread's own again.
	foreign, own bool
	// last is when the last line of an earlier turn was copied.
	last time.Time
}

// copyPause is how far apart lines that are copied stand at most. Without ids of turns, as in early versions, all of it takes no longer.
const copyPause = 2 * time.Second

func (c *copies) copied(rec jsonl.Object) bool {
	if rec.Get("type").Str == "session_meta" && jsonl.Text(rec.Get("payload.id")) != c.thread {
		c.foreign = true
	}
	if !c.foreign || c.own {
		return false
	}
	at, turns := jsonl.Time(rec.Get("timestamp")), !c.last.IsZero()
	if c.own = c.born.IsZero() || at.After(c.born.Add(copyPause)) && at.After(c.last.Add(copyPause)); c.own {
		return false
	}
	for _, member := range []string{"payload.turn_id", "payload.internal_chat_message_metadata_passthrough.turn_id"} {
		began, ok := timeOfID(jsonl.Text(rec.Get(member)))
		if c.own = ok && !began.Before(c.born.Truncate(time.Millisecond)); c.own {
			return false
		}
		turns = turns || ok
	}
	if turns && !at.IsZero() {
		c.last = at
	}
	return true
}

// timeOfID is the time in a UUID of version 7.
func timeOfID(id string) (time.Time, bool) {
	data, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil || len(data) != 16 || data[6]>>4 != 7 {
		return time.Time{}, false
	}
	ms := int64(0)
	for _, b := range data[:6] {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms), true
}
