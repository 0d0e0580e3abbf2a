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
		if t.Depth < 2 || t.Found.Call == "" {
			continue
		}
		id := sources.Recall(env.Memory, agent+" nest", t.Found.Files[0], func() (string, bool) {
			for j := range all {
				other := &all[j]
				if other.Depth == t.Depth-1 && sessionOf(other.Found.ID) == sessionOf(t.Found.ID) && holds(other.Found.Files[0], `"`+t.Found.Call+`"`) {
					return other.Found.ID, true
				}
			}
			return "", false
		})
		if id != "" {
			t.Found.Parent = id
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
