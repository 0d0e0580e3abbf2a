package backend

import (
	"bytes"
	"cmp"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/index"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/sourcetest"
)

const (
	liveCodexPlace = codexPlace + "019a0000-0000-7000-8000-000000000001.jsonl"
	liveCodexID    = "codex:019a0000-0000-7000-8000-000000000001"
)

// codexWrites are the lines that Codex writes one after the other in a turn with a call: what was used is told only behind each answer.
func codexWrites(turn int, says string) (lines []string) {
	item := func(payload string) {
		lines = append(lines, fmt.Sprintf(`{"timestamp":"2026-01-02T10:%02d:%02dZ","type":"response_item","payload":%s}`+"\n", turn, len(lines), payload))
	}
	told := func() {
		lines = append(lines, fmt.Sprintf(`{"timestamp":"2026-01-02T10:%02d:%02dZ","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d},"last_token_usage":{"input_tokens":9,"output_tokens":%d}}}}`+"\n", turn, len(lines), 9*len(lines)+turn*1000, turn+1))
	}
	item(fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, "ask "+says))
	item(fmt.Sprintf(`{"type":"reasoning","summary":[{"type":"summary_text","text":%q}],"encrypted_content":"x"}`, "think "+says))
	item(fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}`, "look "+says))
	item(fmt.Sprintf(`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c%d"}`, turn))
	told()
	item(fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":%q}`, turn, "listed "+says))
	item(fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}`, "done "+says))
	told()
	return lines
}

// growRow has the answer with a number say something else: so opencode writes one that comes bit by bit.
func growRow(t testing.TB, db *sql.DB, n, event int, says string) {
	t.Helper()
	for query, args := range map[string][]any{
		"UPDATE part SET data = ? WHERE id = ?":          {fmt.Sprintf(`{"type":"text","text":%q}`, says), fmt.Sprintf("prt_%08d", n)},
		"INSERT INTO event VALUES (?, 'ses_1', ?, ?, ?)": {fmt.Sprintf("evt_%d", event), event, "message.part.updated.1", fmt.Sprintf(`{"part":{"messageID":"msg_%08d"}}`, n)},
		"UPDATE event_sequence SET seq = ?":              {event},
		"UPDATE session SET time_updated = ?":            {1767348000000 + event},
	} {
		_, err := db.Exec(query, args...)
		newsMust(t, err)
	}
}

// TestAnEndIsTakenBack: what the index and the window have of a session while it is written is what it would have had all been read, also where an answer that it
// has goes on, gets its calls, or what it took. For that, only the end is read.
func TestAnEndIsTakenBack(t *testing.T) {
	t.Parallel()
	const turns = 2
	t.Run("codex", func(t *testing.T) {
		home := t.TempDir()
		path := sourcetest.Write(t, home, liveCodexPlace, codexHead("019a0000-0000-7000-8000-000000000001", "10:00:00", ""))
		var steps []func()
		for turn := range turns {
			for _, line := range codexWrites(turn, fmt.Sprint("grown ", turn)) {
				steps = append(steps, func() { add(t, path, line) })
			}
		}
		endsAreTakenBack(t, codex.Source{}, home, liveCodexID, steps)
	})
	for name, says := range map[string]string{"gemini": "grown", "gemini, at length": strings.Repeat("grown ", trialMost/5)} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := sourcetest.Write(t, home, geminiPlace, geminiSession(2, "said"))
			var steps []func()
			for turn := range turns {
				lines, _ := geminiWrites(2+turn, says)
				for _, line := range lines {
					steps = append(steps, func() { add(t, path, line) })
				}
			}
			endsAreTakenBack(t, gemini.Source{}, home, geminiID, steps)
		})
	}
	t.Run("opencode", func(t *testing.T) {
		const few = 4
		home := t.TempDir()
		db := rowsOf(t, home, few, "said")
		var steps []func()
		for turn := range turns {
			prompt := few + 4*turn // of two events each
			steps = append(steps,
				func() { addRow(t, db, prompt, "ask grown") },
				func() { addRow(t, db, prompt+1, "grown") },
			)
			for n := range 4 {
				steps = append(steps, func() { growRow(t, db, prompt+1, 2*prompt+4+n, strings.Repeat("grown ", n+2)) })
			}
		}
		endsAreTakenBack(t, opencode.Source{}, home, rowsID, steps)
	})
}

func endsAreTakenBack(t *testing.T, source sources.Follower, home, id string, steps []func()) {
	t.Helper()
	counted := &counting{Follower: source}
	b, window := scanOf(t, home, t.TempDir(), counted), staying(t, home, counted)
	scanNow(t, b, id)
	awaitIndex(t, window, "scanned", ready(1))
	window.indexing.scanner.Pause()
	for n, step := range steps {
		if n == 4 { // at first it is not known where it ends
			counted.times.Store(0)
		}
		step()
		whole := scanOf(t, home, t.TempDir(), source)
		want := scanNow(t, whole, id)
		shown, read := readNow(t, window, id), readNow(t, whole, id)
		if shown.grew = false; !reflect.DeepEqual(shown, read) {
			t.Fatalf("step %d, in a window:\n%+v\n%+v", n, shown, read)
		}
		for _, b := range []*Backend{b, window} {
			listing, err := b.indexing.stock.List(t.Context(), nil)
			newsMust(t, err)
			newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
			row, _, err := b.indexing.index.Session(t.Context(), id)
			newsMust(t, err)
			if !bytes.Equal(row.Digest, want) {
				t.Fatalf("step %d:\n%s\n%s", n, row.Digest, want)
			}
		}
		for _, text := range []string{"grown", "look", "done", "think", "ls", ""} {
			q := index.Query{All: []index.Pattern{{Text: text}}}
			in := func(b *Backend) string {
				found, err := b.indexing.index.Search(t.Context(), q, index.Options{Session: id})
				newsMust(t, err)
				slices.SortFunc(found.Hits, func(a, b index.Hit) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Part, b.Part)) })
				return fmt.Sprintf("%+v", found.Hits)
			}
			for _, b := range []*Backend{b, window} {
				if got, want := in(b), in(whole); got != want {
					t.Fatalf("step %d, %q:\n%s\n%s", n, text, got, want)
				}
			}
		}
	}
	if times := counted.times.Load(); times > 0 {
		t.Errorf("it was read from the beginning %d times", times)
	}
}
