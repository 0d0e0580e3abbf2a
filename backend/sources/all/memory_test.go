//go:build !race

package all

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/crabtalk"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sourcetest"
)

// long are files of one session, by how their lines are written. Calls and results come with ids of their own, as agents give them, and a
// person speaks now and then.
var long = map[string]struct {
	source     sources.Source
	path, head string
	line       func(i int) string
}{
	"claudecode": {
		claudecode.Source{},
		".claude/projects/-w/" + session + ".jsonl", "",
		func(i int) string {
			row := fmt.Sprintf(`"uuid":"%s","parentUuid":"%s","sessionId":"%s","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"`, uuid(i), uuid(i-1), session)
			switch i % 4 {
			case 0: // an answer in two rows
				return fmt.Sprintf(`{"type":"assistant","message":{"id":"msg_%d","role":"assistant","model":"m","content":[{"type":"text","text":"t"}]},%s}`, i, row)
			case 1:
				return fmt.Sprintf(`{"type":"assistant","message":{"id":"msg_%d","role":"assistant","model":"m","content":[`+
					`{"type":"tool_use","id":"toolu_01%022d","name":"Bash","input":{}}]},%s}`, i-1, i, row)
			case 2:
				return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01%022d","content":"x"}]},%s}`, i-1, row)
			}
			return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":"go on"},%s}`, row)
		},
	},
	"codex": {
		codex.Source{},
		".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-" + session + ".jsonl",
		`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"` + session + `","cwd":"/w"}}`,
		func(i int) string {
			payload := ""
			switch i % 4 {
			case 0:
				payload = `{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}`
			case 1:
				payload = fmt.Sprintf(`{"type":"function_call","name":"shell","call_id":"call_%024d","arguments":"{}"}`, i)
			case 2:
				payload = fmt.Sprintf(`{"type":"function_call_output","call_id":"call_%024d","output":"x"}`, i-1)
			case 3:
				payload = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"t"}]}`
			}
			return `{"timestamp":"2026-01-02T10:00:00Z","type":"response_item","payload":` + payload + `}`
		},
	},
	"crabtalk": {
		crabtalk.Source{},
		".crabtalk/sessions/crab_user_1.jsonl",
		`{"agent":"crab","created_by":"user","created_at":"2026-01-02T10:00:00Z","title":"T","uptime_secs":0}`,
		func(i int) string { return fmt.Sprintf(`{"role":"user","content":"go on %d"}`, i) },
	},
	"gemini": {
		gemini.Source{},
		".gemini/tmp/p/chats/session-2026-01-02T10-00-" + session[:8] + ".jsonl",
		`{"sessionId":"` + session + `","projectHash":"p","startTime":"2026-01-02T10:00:00Z","kind":"main"}`,
		func(i int) string {
			return fmt.Sprintf(`{"id":"%s","timestamp":"2026-01-02T10:00:00Z","type":"user","content":[{"text":"go on"}]}`, uuid(i))
		},
	},
	"openclaw": {
		openclaw.Source{},
		".openclaw/agents/main/sessions/" + session + ".jsonl",
		`{"type":"session","version":3,"id":"` + session + `","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}`, treeLine,
	},
	"pi": {
		pi.Source{},
		".pi/agent/sessions/--w--/2026-01-02T10-00-00_" + session + ".jsonl",
		`{"type":"session","version":3,"id":"` + session + `","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}`, treeLine,
	},
	"picoclaw": {
		picoclaw.Source{},
		".picoclaw/workspace/sessions/sk_v1_aa.jsonl", "",
		func(i int) string {
			return fmt.Sprintf(`{"role":"user","content":"go on","created_at":"2026-01-02T10:00:00.%09dZ"}`, i)
		},
	},
}

const session = "01234567-89ab-4000-8000-0123456789ab"

func uuid(i int) string { return fmt.Sprintf("%08x-3c5f-4000-8000-%012x", uint32(i)*2654435761, i) }

func treeLine(i int) string {
	return fmt.Sprintf(`{"type":"message","id":"%s","parentId":"%s","timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":[{"type":"text","text":"go on"}]}}`,
		uuid(i), uuid(i-1))
}

// TestMemoryOfALongFile: what is held while a file is read is bounded by its largest line, and little for each. A GB of lines of a KB is
// a million: with a hundred bytes each, no more than half of what the index may take. A string of 36 characters in a map is a hundred.
func TestMemoryOfALongFile(t *testing.T) {
	const lines, most, fixed = 25_000, 100, 1 << 20 // fixed are buffers, which are the same for every file
	for name := range long {
		t.Run(name, func(t *testing.T) {
			m := metered(t, name, lines)
			if m.most > lines*most+fixed {
				t.Errorf("%d bytes are held for each line, not %d", m.most/lines, most)
			}
			t.Logf("%d bytes a line, with buffers", m.most/lines)
		})
	}
}

// TestMemoryOfAVeryLongFile: from some tens of thousands of lines on, more of them take no more memory, but for what is remembered of the
// newest 131,072, in 8 bytes each, to find them again in a compaction.
func TestMemoryOfAVeryLongFile(t *testing.T) {
	const lines, more = 150_000, 12 // bytes a line
	m := metered(t, "pi", lines)
	if grown := m.most - m.early; grown > more*lines/2 {
		t.Errorf("%d bytes are held, and were %d after half of the lines", m.most, m.early)
	}
}

// metered reads a long file.
func metered(t *testing.T, name string, lines int) meter {
	t.Helper()
	file, home := long[name], t.TempDir()
	writeLong(t, filepath.Join(home, filepath.FromSlash(file.path)), file.head, lines, file.line)
	return meteredIn(t, file.source, home, lines)
}

// meteredIn reads the one session of a home, which is of so many lines or rows.
func meteredIn(t *testing.T, source sources.Source, home string, lines int) meter {
	t.Helper()
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, source, env))
	m := meter{before: heaptest.InUse(), half: lines / 2}
	log := sources.NewLog(source.Agent(), found.ID, &m, func([]byte) (string, error) { return "", nil })
	if err := source.Read(context.Background(), env, found, log); err != nil || log.Damaged() > 0 {
		t.Fatal(err, log.Damaged())
	}
	if m.records < lines/2 {
		t.Fatalf("%d records were read of %d lines", m.records, lines)
	}
	return m
}

// meter looks at how much is held now and then while a log is written. early is the most of the first half.
type meter struct {
	before, early, most int64
	records, half       int
}

func (m *meter) Write(line []byte) (int, error) {
	const every = 4_600
	if m.records++; m.records%every == 0 {
		m.most = max(m.most, heaptest.InUse()-m.before)
		if m.records <= m.half {
			m.early = m.most
		}
	}
	return len(line), nil
}

func writeLong(t *testing.T, path, head string, lines int, line func(i int) string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	if head != "" {
		fmt.Fprintln(out, head)
	}
	for i := range lines {
		fmt.Fprintln(out, line(i))
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}
