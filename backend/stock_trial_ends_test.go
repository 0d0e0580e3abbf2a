package backend

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/sourcetest"
)

// liveCodex is a session of Codex with some of its lines.
func liveCodex(t *testing.T, home string, lines ...string) (path string) {
	t.Helper()
	return sourcetest.Write(t, home, liveCodexPlace, codexHead("019a0000-0000-7000-8000-000000000001", "10:00:00", "")+strings.Join(lines, ""))
}

// isWhole asks that a program has of a session what one has that reads all of it.
func isWhole(t *testing.T, b *Backend, home, id string, source sources.Source) {
	t.Helper()
	listing, err := b.indexing.stock.List(t.Context(), nil)
	newsMust(t, err)
	newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
	newsMust(t, b.indexing.stock.Settle(t.Context()))
	row, _, err := b.indexing.index.Session(t.Context(), id)
	newsMust(t, err)
	if want := scanNow(t, scanOf(t, home, t.TempDir(), source), id); !bytes.Equal(row.Digest, want) {
		t.Fatalf("it is\n%s\nand not\n%s", row.Digest, want)
	}
}

// until is a context that ends when something is so.
type until struct {
	context.Context
	is func() bool
}

func (u until) Err() error {
	if u.is() {
		return context.Canceled
	}
	return nil
}

// TestStoppedBeforeTheEnd: of a session of which what stands is in the index and the end is not yet when the program stops, the next one reads the
// end.
func TestStoppedBeforeTheEnd(t *testing.T) {
	home, cache, own := t.TempDir(), t.TempDir(), t.TempDir()
	path := liveCodex(t, home, codexWrites(0, "first")[0])
	program := func() *Backend {
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{codex.Source{}}, Warn: func(err error) { t.Error(err) }})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	b := program()
	scanNow(t, b, liveCodexID)
	for _, line := range codexWrites(1, "grown")[:3] {
		add(t, path, line)
	}
	listing, err := b.indexing.stock.List(t.Context(), nil)
	newsMust(t, err)
	before, _, err := b.indexing.index.Session(t.Context(), liveCodexID)
	newsMust(t, err)
	ctx := until{t.Context(), func() bool {
		row, there, _ := b.indexing.index.Session(context.Background(), liveCodexID) // which is closed at last
		return there && row.Revision != before.Revision
	}}
	if err := b.indexing.stock.Read(ctx, listing.Items[0], func() error { return nil }); err == nil {
		t.Fatal("it was read to its end")
	}
	b.Close()
	next := program()
	scanNow(t, next, liveCodexID)
	isWhole(t, next, home, liveCodexID, codex.Source{})
}

// TestNothingStands: a session of which nothing stands but its beginning, without a text, is as it is, and is not emptied later.
func TestNothingStands(t *testing.T) {
	home := t.TempDir()
	lines := codexWrites(0, "grown")
	path := liveCodex(t, home, lines[1])
	b := scanOf(t, home, t.TempDir(), codex.Source{})
	scanNow(t, b, liveCodexID)
	add(t, path, lines[2])
	isWhole(t, b, home, liveCodexID, codex.Source{})
}

// TestALongEnd: an end of more than is held is read again with all of the session, and what takes its place is there, in the index and the window.
func TestALongEnd(t *testing.T) {
	home := t.TempDir()
	path := sourcetest.Write(t, home, geminiPlace, geminiSession(2, "said"))
	answer := func(id, says, calls string) string {
		return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-02T10:00:02.000Z","type":"gemini","content":%q,"tokens":{"input":9,"output":5},"model":"m"%s}`+"\n", id, says, calls)
	}
	call := func(id, content string) string {
		return fmt.Sprintf(`,"toolCalls":[{"id":%q,"name":"write_file","args":{"content":%q},"status":"success","result":[{"functionResponse":{"id":%q,"name":"write_file","response":{"output":"ok"}}}]}]`, id, content, id)
	}
	prompt := func(id, says string) string {
		return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-02T10:00:01.000Z","type":"user","content":[{"text":%q}]}`+"\n", id, says)
	}
	b := scanOf(t, home, t.TempDir(), gemini.Source{})
	scanNow(t, b, geminiID)
	window := staying(t, home, gemini.Source{})
	awaitIndex(t, window, "scanned", ready(1))
	window.indexing.scanner.Pause()
	for _, lines := range []string{
		prompt("u2", "ask"), answer("g2", "I look", ""), answer("g2", "I look", call("c2", strings.Repeat("grown ", sinceMost/5))), answer("e2", "Done", ""),
		answer("e2", "Done", call("d2", "look")) + prompt("u3", "ask once more"),
	} {
		add(t, path, lines)
		isWhole(t, b, home, geminiID, gemini.Source{})
		readNow(t, window, geminiID)
		isWhole(t, window, home, geminiID, gemini.Source{})
	}
}

// TestAnAnswerBitByBitKeepsNothing: of a long answer that comes bit by bit only what it is at last is kept beside its reading.
func TestAnAnswerBitByBitKeepsNothing(t *testing.T) {
	const few = 4
	home := t.TempDir()
	db := rowsOf(t, home, few, "said")
	window := staying(t, home, opencode.Source{})
	awaitIndex(t, window, "scanned", ready(1))
	window.indexing.scanner.Pause()
	addRow(t, db, few, "ask")
	addRow(t, db, few+1, "so far")
	readNow(t, window, rowsID)
	for n := range 4 {
		growRow(t, db, few+1, 2*few+4+n, strings.Repeat("so far ", 12_000+1000*n))
		shown, want := readNow(t, window, rowsID), readNow(t, scanOf(t, home, t.TempDir(), opencode.Source{}), rowsID)
		if shown.grew = false; !reflect.DeepEqual(shown.Blobs, want.Blobs) || shown.Log != want.Log {
			t.Fatalf("%d are kept, not %d", len(shown.Blobs), len(want.Blobs))
		}
	}
}

// TestEditedBeforeAnEndThatWasTakenBack: what was edited in place where a window did not look is found by the next program, also where the window's reading
// was made of the one before and has another end.
func TestEditedBeforeAnEndThatWasTakenBack(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	var turns []string
	for turn := range 40 {
		turns = append(turns, codexWrites(turn, strings.Repeat("unlike ", 5000))...)
	}
	lines := codexWrites(41, "grown")
	path := liveCodex(t, home, append(turns, lines[:2]...)...)
	open := func(stays bool) *Backend {
		b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: cache, Sources: []sources.Source{codex.Source{}}, Resident: stays, Warn: func(err error) { t.Error(err) }})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	window := open(true)
	awaitIndex(t, window, "scanned", ready(1))
	window.indexing.scanner.Pause()
	ref, err := library.ParseRef(liveCodexID)
	newsMust(t, err)
	_, err = window.library.Read(t.Context(), ref)
	newsMust(t, err)
	text, err := os.ReadFile(path)
	newsMust(t, err)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	newsMust(t, err)
	from, to := len(text)/2, len(text)*5/8
	_, err = file.WriteAt(bytes.ReplaceAll(text[from:to], []byte("unlike"), []byte("edited")), int64(from))
	newsMust(t, err)
	newsMust(t, file.Close())
	add(t, path, strings.Join(lines[2:4], ""))
	_, err = window.library.List(t.Context())
	newsMust(t, err)
	_, err = window.library.Read(t.Context(), ref)
	newsMust(t, err)
	next := open(false)
	scanNow(t, next, liveCodexID)
	found, err := next.indexing.index.Search(t.Context(), index.Query{All: []index.Pattern{{Text: "edited"}}}, index.Options{Session: liveCodexID})
	newsMust(t, err)
	if len(found.Hits) == 0 {
		t.Error("what was edited is not found")
	}
}
