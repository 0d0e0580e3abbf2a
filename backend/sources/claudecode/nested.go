package claudecode

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// nest puts the subagents of subagents below those that started them: their files stand side by side, and only the note beside each
// says how deep it is and which call began it. It is the one whose file has that call.
func nest(env sources.Env, all []told) {
	for i := range all {
		t := &all[i]
		if t.depth < 2 || t.found.Call == "" {
			continue
		}
		parent := env.Memory.Recall(agent+" nest", t.found.Files[0], func() (sources.Told, bool) {
			for j := range all {
				other := &all[j]
				if other.depth == t.depth-1 && sessionOf(other.found.ID) == sessionOf(t.found.ID) && holds(other.found.Files[0], `"`+t.found.Call+`"`) {
					return sources.Told{Found: sources.Found{ID: other.found.ID}}, true
				}
			}
			return sources.Told{}, false
		})
		if parent.Found.ID != "" {
			t.found.Parent = parent.Found.ID
		}
	}
}

// holds tells whether a text stands anywhere in a file.
func holds(path, text string) bool {
	file, err := jsonl.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	const most = 1 << 20
	part := make([]byte, 0, most)
	for {
		n, err := io.ReadFull(file, part[len(part):most])
		part = part[:len(part)+n]
		if bytes.Contains(part, []byte(text)) {
			return true
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || n == 0 {
			return false
		}
		keep := min(len(text), len(part)) // it may stand across the end
		part = append(part[:0], part[len(part)-keep:]...)
	}
}

// sessionOf is the session that a subagent's id begins with.
func sessionOf(id string) string {
	session, _, _ := strings.Cut(id, ".")
	return session
}
