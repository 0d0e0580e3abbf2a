package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

// shownLog is a backend with one session that has this log.
func shownLog(t interface{ Fatal(...any) }, dir, log string) (*Backend, string) {
	const id = "01JD9ZK3A00000000000000001"
	folder := filepath.Join(dir, "sessions", id)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "session.jsonl"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Open(Options{Home: dir})
	if err != nil {
		t.Fatal(err)
	}
	return b, id
}

func shownLine(seq int, kind, fields string) string {
	version := 2
	if kind == "message" || kind == "compaction" {
		version = 1
	}
	return fmt.Sprintf(`{"recordType":%q,"schemaVersion":%d,"seq":%d,%s}`, kind, version, seq, fields)
}

// drawLog makes a log with overlays that point anywhere before them, and some damage.
func drawLog(t *rapid.T) string {
	var log strings.Builder
	seq := 0
	for range rapid.IntRange(1, 25).Draw(t, "lines") {
		seq++
		target := rapid.IntRange(1, seq).Draw(t, "target")
		line := ""
		switch rapid.IntRange(0, 12).Draw(t, "kind") {
		case 0, 1, 2:
			line = shownLine(seq, "message", `"role":"user","content":[{"type":"text","text":"hello"}]`)
		case 3:
			line = shownLine(seq, "message", `"role":"assistant","content":[{"type":"text","text":"hello"}]`)
		case 4:
			line = shownLine(seq, "compaction", fmt.Sprintf(`"firstKeptSeq":%d,"summary":"s"`, target))
		case 5:
			line = shownLine(seq, "branch", fmt.Sprintf(`"fromSeq":%d,"summary":%q`, target-1, strings.Repeat("s", target%2)))
		case 6:
			line = shownLine(seq, "revert", fmt.Sprintf(`"targetSeq":%d`, target))
		case 7:
			line = shownLine(seq, "note", fmt.Sprintf(`"namespace":"n","content":%q`, strings.Repeat("c", target%2)))
		case 8:
			line = `{"recordType":"mess`
			seq -= target % 2
		case 9:
			line = shownLine(seq, "message", fmt.Sprintf(`"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"n","arguments":{}}]`, target%3))
		case 10:
			line = shownLine(seq, "message", fmt.Sprintf(`"role":"toolResult","toolCallId":"c%d","isError":false,"content":[{"type":"text","text":"out"}]`, target%3))
		case 11:
			line = shownLine(seq, "prune", fmt.Sprintf(`"seqs":[%d],"tokensFreed":1`, target))
		case 12:
			line = shownLine(seq, "compaction", `"firstKeptSeq":1,"summary":"s","replacement":[{"role":"user","content":[{"type":"text","text":"r"}]}]`)
		}
		log.WriteString(line + "\n")
	}
	return log.String()
}

// TestShowAgreesWithPage: what the index tells of a line is what the context does.
func TestShowAgreesWithPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		b, id := shownLog(t, dir, log)
		page, err := b.Page(id, PageOptions{Limit: pageMost})
		if err != nil {
			t.Fatal(err)
		}
		for _, exact := range []bool{false, true} {
			i := 0
			err = b.Show(context.Background(), id, ShowOptions{Exact: exact}, func(line *Shown) error {
				if line.JSON == nil {
					return nil
				}
				want := page.Entries[i]
				if string(line.JSON) != string(page.Records[i]) || line.Offset != want.Offset {
					t.Fatalf("line %d is %s, not %s", line.Number, line.JSON, page.Records[i])
				}
				if line.State != want.State && (exact || want.State != StateDropped && want.State != StatePruned) {
					t.Fatalf("line %d is %s, not %s:\n%s", line.Number, line.State, want.State, log)
				}
				i++
				return nil
			})
			if err != nil || i != len(page.Entries) {
				t.Fatalf("%d of %d records, %v", i, len(page.Entries), err)
			}
		}
	})
}

func TestShowRange(t *testing.T) {
	user := `"role":"user","content":[]`
	log := "\uFEFF" + shownLine(1, "message", user) + "\r\n\n" + shownLine(2, "message", user) + "\n" + shownLine(3, "message", user) + "\n" + shownLine(2, "label", `"targetSeq":1`)
	b, id := shownLog(t, t.TempDir(), log)
	for _, tt := range []struct {
		from, to int64
		want     string
		err      error
	}{
		{0, 0, "1 2 3 2", nil},
		{3, 0, "3 2", nil},
		{0, 3, "1 2 3", nil},
		{3, 2, "3 2", nil},
		{2, 2, "2", nil},
		{2, 3, "", session.ErrInput},
		{9, 0, "", session.ErrNotFound},
		{0, 9, "", session.ErrNotFound},
	} {
		var got []string
		err := b.Show(t.Context(), id, ShowOptions{From: tt.from, To: tt.to}, func(line *Shown) error {
			got = append(got, fmt.Sprint(line.Seq))
			if line.JSON[0] != '{' || line.JSON[len(line.JSON)-1] != '}' {
				t.Errorf("%q", line.JSON)
			}
			return nil
		})
		if strings.Join(got, " ") != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%d to %d: %v, %v", tt.from, tt.to, got, err)
		}
	}
}

// TestShowStreams: memory does not grow with the log, be its lines few and long or many.
func TestShowStreams(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 24; seq++ {
		log.WriteString(shownLine(seq, "message", `"role":"user","content":[{"type":"text","text":"`+strings.Repeat("x", 1<<20)+`"}]`) + "\n")
	}
	b, id := shownLog(t, t.TempDir(), log.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	if err := b.Show(t.Context(), id, ShowOptions{}, func(line *Shown) error { n += len(line.JSON); return nil }); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 12<<20 {
		t.Errorf("%d bytes were allocated to show %d", used, n)
	}
}

func TestShowIsCancelled(t *testing.T) {
	b, id := shownLog(t, t.TempDir(), shownLine(1, "message", `"role":"user","content":[]`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Show(ctx, id, ShowOptions{}, func(*Shown) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
