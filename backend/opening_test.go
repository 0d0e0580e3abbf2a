package backend

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

const large = "pi:s1"

// longPi is a session of pi with so many messages of 4 KB; the last ones are longer than a page together.
func longPi(count int) string {
	var out strings.Builder
	out.WriteString(piHead)
	parent := "null"
	for n := range count {
		text := strings.Repeat("x", 4000)
		if n >= count-5 {
			text = strings.Repeat("long ", 50000)
		}
		fmt.Fprintf(&out, `{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"%d %s"}]}}`+"\n",
			n, parent, n, text)
		parent = fmt.Sprintf(`"m%d"`, n)
	}
	return out.String()
}

func textOf(t *testing.T, record json.RawMessage) string {
	t.Helper()
	var m struct {
		Content []struct{ Text string }
	}
	newsMust(t, json.Unmarshal(record, &m))
	return m.Content[0].Text
}

// TestTheNewestPartComesFirst: to who stays and hears the news, and never in the place of the whole.
func TestTheNewestPartComesFirst(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const count = 1200
	writePi(t, home, longPi(count))
	b := residing(t, home, t.TempDir(), t.TempDir())
	news, cancel := b.Subscribe()
	defer cancel()
	first, err := b.Opening(t.Context(), large, 500)
	newsMust(t, err)
	if first.Excerpt == nil || first.Excerpt.BytesRead >= first.Excerpt.BytesTotal || first.Excerpt.Problem != nil {
		t.Fatalf("%+v", first.Excerpt)
	}
	if first.Total != first.Count || first.Next != nil || first.Count != len(first.Records) || first.SessionID != large {
		t.Errorf("%d of %d records", first.Count, first.Total)
	}
	for i, record := range first.Records {
		var members map[string]json.RawMessage
		newsMust(t, json.Unmarshal(record, &members))
		if members["seq"] != nil || members["origin"] != nil || first.Entries[i].Index != i {
			t.Errorf("record %d: %+v, %.200s", i, first.Entries[i], record)
		}
	}
	if text := textOf(t, first.Records[first.Count-1]); !strings.HasPrefix(text, fmt.Sprint(count-1, " ")) {
		t.Errorf("the last is %.20s", text)
	}
	text, err := json.Marshal(first)
	if err != nil || len(text) > PageBytes {
		t.Errorf("%d bytes, %v", len(text), err)
	}

	// Whoever asks for something else gets all of it, however long that takes.
	c, err := b.Context(large, ContextOptions{})
	if err != nil || len(c.Messages) != count {
		t.Errorf("%d messages in the context, %v", len(c.Messages), err)
	}
	shown := 0
	newsMust(t, b.Show(t.Context(), large, ShowOptions{}, func(*Shown) error { shown++; return nil }))
	outline, err := b.Outline(large)
	if err != nil || outline.Messages != count || shown != outline.Total {
		t.Errorf("%d messages, %d shown of %d, %v", outline.Messages, shown, outline.Total, err)
	}
	awaitNews(t, news, EventChanged, large)
	whole, err := b.Opening(t.Context(), large, 500)
	newsMust(t, err)
	if whole.Excerpt != nil || whole.Total != outline.Total || whole.First+whole.Count != whole.Total {
		t.Errorf("%+v, %d records behind %d of %d", whole.Excerpt, whole.Count, whole.First, whole.Total)
	}
	if got, want := textOf(t, whole.Records[whole.Count-1]), textOf(t, first.Records[first.Count-1]); got != want {
		t.Errorf("it ends with %.20s, not %.20s", got, want)
	}
}

// TestDamageOfAnExcerptHasNoPlace: where it is in the reading nobody knows yet; where it stands on the page is told.
func TestDamageOfAnExcerptHasNoPlace(t *testing.T) {
	log := said(1, "user", "one") + said(2, "user", "two") + "{broken}\n" + said(4, "user", "four")
	opening, err := openingOf(large, &library.Opening{Excerpt: &library.Excerpt{Log: []byte(log), From: int64(len(said(1, "user", "one")))}}, 10)
	newsMust(t, err)
	if len(opening.Damage) != 1 {
		t.Fatalf("%+v", opening.Damage)
	}
	if d := opening.Damage[0]; d.Index != 1 || d.Line != 0 || d.Offset != 0 || d.Kind != session.DamageCorrupt {
		t.Errorf("%+v", d)
	}
}

// TestNoExcerptForWhoDoesNotStay: a command waits.
func TestNoExcerptForWhoDoesNotStay(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writePi(t, home, longPi(1100))
	b := abroad(t, home)
	whole, err := b.Opening(t.Context(), large, 3)
	if err != nil || whole.Excerpt != nil || whole.Count != 3 || whole.First+3 != whole.Total {
		t.Errorf("%+v, %d records, %v", whole.Excerpt, whole.Count, err)
	}
}

// TestTheEndOfOneOfOurs is never an excerpt, and fits a page.
func TestTheEndOfOneOfOurs(t *testing.T) {
	t.Parallel()
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
	s, err := b.New(NewSession{})
	newsMust(t, err)
	empty, err := b.Opening(t.Context(), s.ID, 0)
	if err != nil || empty.Count != 0 || empty.Excerpt != nil {
		t.Errorf("%+v, %v", empty, err)
	}
	var batch strings.Builder
	for n := range 300 {
		fmt.Fprintf(&batch, `{"recordType":"message","role":"user","content":[{"type":"text","text":"%d %s"}]}`+"\n", n, strings.Repeat("y", 9000))
	}
	_, err = b.Append(t.Context(), s.ID, strings.NewReader(batch.String()))
	newsMust(t, err)
	end, err := b.Opening(t.Context(), s.ID, 500)
	newsMust(t, err)
	text, _ := json.Marshal(end)
	if end.Total != 300 || end.First+end.Count != 300 || end.Count < 90 || len(text) > PageBytes {
		t.Errorf("%d records behind %d, %d bytes", end.Count, end.First, len(text))
	}
}

// TestAnOpeningWaitsForNoScan, and a scan for no opening that has ended.
func TestAnOpeningWaitsForNoScan(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writePi(t, home, longPi(1100))
	b := residing(t, home, t.TempDir(), t.TempDir())
	news, cancel := b.Subscribe()
	defer cancel()
	if _, err := b.List(t.Context(), ListOptions{}); err != nil { // the scan begins
		t.Fatal(err)
	}
	opening, err := b.Opening(t.Context(), large, 1)
	newsMust(t, err)
	if opening.Excerpt != nil {
		awaitNews(t, news, EventChanged, large)
	}
	awaitIndex(t, b, "scanned", ready(1))
}

// TestExcerptBlob: a picture is there with the message that shows it.
func TestExcerptBlob(t *testing.T) {
	home := t.TempDir()
	text := longPi(1100)
	writePi(t, home, text+`{"type":"message","id":"p","parentId":"m1099","timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":[{"type":"image","data":"`+png+`","mimeType":"image/png"}]}}`+"\n")
	b := residing(t, home, t.TempDir(), t.TempDir())
	opening, err := b.Opening(t.Context(), large, 1)
	newsMust(t, err)
	var picture struct{ Content []struct{ Blob string } }
	newsMust(t, json.Unmarshal(opening.Records[0], &picture))
	sha := picture.Content[0].Blob
	data, ok := b.ExcerptBlob(large, sha)
	file, err := b.OpenBlob(large, sha)
	newsMust(t, err)
	defer func() { _ = file.Close() }()
	same, err := os.ReadFile(filepath.Join(filepath.Dir(file.Name()), sha))
	if err != nil || ok && string(same) != string(data) {
		t.Errorf("%d bytes, not %d, %v", len(data), len(same), err)
	}
	for _, id := range []string{"pi:other", "", "x:y", library.Ref{Agent: "codex", ID: "s1"}.String()} {
		if _, ok := b.ExcerptBlob(id, sha); ok {
			t.Errorf("%q has it, too", id)
		}
	}
}

// TestWhoLeaves: of what nobody looks at any more no reading stays, and who comes back has it.
func TestWhoLeaves(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writePi(t, home, longPi(1200))
	b := residing(t, home, t.TempDir(), t.TempDir())
	b.Attend(large, "page")
	_, err := b.Opening(t.Context(), large, 500)
	newsMust(t, err)
	newsMust(t, b.Leave(large, "page"))
	newsMust(t, b.library.Settled(t.Context()))
	b.Attend(large, "page")
	_, err = b.Opening(t.Context(), large, 500)
	newsMust(t, err)
	outline, err := b.Outline(large)
	if err != nil || outline.Total < 1200 {
		t.Errorf("%d lines, %v", outline.Total, err)
	}
	if err := b.Leave("nobody:x", "page"); err == nil {
		t.Error("an agent that is not known")
	}
}
