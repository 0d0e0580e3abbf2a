package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/session"
)

// open makes a backend on a home with one session whose log is given.
func open(t testing.TB, log string) (*Backend, string) {
	t.Helper()
	b, err := Open(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	m, err := b.store.Import(session.New{}, []byte(log))
	if err != nil {
		t.Fatal(err)
	}
	return b, m.ID
}

func said(seq int, role, text string) string {
	more := ""
	if role == "toolResult" {
		more = `,"toolCallId":"c","isError":false`
	}
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"%s","content":[{"type":"text","text":"%s"}]%s,"timestamp":"2026-03-02T08:00:%02dZ"}`+"\n", seq, role, text, more, seq%60)
}

func compactionLine(seq, kept int) string {
	return fmt.Sprintf(`{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":"summary %d","tokensBefore":9,"tokensAfter":5,"readFiles":["a"],"modifiedFiles":[],"trigger":"manual","timestamp":"2026-03-02T09:00:00Z"}`+"\n", seq, kept, seq)
}

const failed = `{"recordType":"message","schemaVersion":1,"seq":10,"role":"assistant","content":[],"stopReason":"error"}` + "\n"

// story has something of everything: two compactions, a branch that was left, an undo, damage and a newer record.
func story() string {
	return said(1, "user", "one") + said(2, "assistant", "two") + said(3, "user", "three") + compactionLine(4, 3) +
		said(5, "user", "five") + compactionLine(6, 5) + `{"recordType":"revert","schemaVersion":2,"seq":7,"targetSeq":6}` + "\n" +
		said(8, "user", "left behind") + `{"recordType":"branch","schemaVersion":2,"seq":9,"fromSeq":7}` + "\n" + failed +
		`{"torn` + "\n" + `{"recordType":"hologram","schemaVersion":1,"seq":11}` + "\n" + said(12, "user", "twelve")
}

func TestPageTellsWhatBecameOfEachLine(t *testing.T) {
	b, id := open(t, story())
	page, err := b.Page(id, PageOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, entry := range page.Entries {
		var rec struct{ Seq int }
		if err := json.Unmarshal(page.Records[i], &rec); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d:%d %s", entry.Index, rec.Seq, entry.State))
	}
	want := []string{
		"0:1 superseded", "1:2 superseded", "2:3 kept", "3:4 inForce", "4:5 fresh", "5:6 reverted", "6:7 meta",
		"7:8 offPath", "8:9 meta", "9:10 dropped", "11:11 newer", "12:12 fresh",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(page.Damage) != 1 || page.Damage[0].Index != 10 || page.Damage[0].Kind != session.DamageTorn || page.Count != 13 || page.Total != 13 || page.Next != nil {
		t.Errorf("%+v", page.Damage)
	}
	seen, err := b.Page(id, PageOptions{Model: true})
	if err != nil || seen.Total != 4 || seen.Entries[0].Index != 2 || seen.Entries[3].Index != 12 {
		t.Errorf("what the model sees: %+v, %v", seen.Entries, err)
	}
	second, err := b.Page(id, PageOptions{FromSeq: 5, Limit: 2})
	if err != nil || second.First != 4 || second.Count != 2 || second.Next == nil || *second.Next != 7 {
		t.Errorf("from seq 5: %+v, %v", second, err)
	}
	if _, err := b.Page(id, PageOptions{FromSeq: 99}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("from a seq that is not there: %v", err)
	}
}

func TestOutline(t *testing.T) {
	b, id := open(t, story())
	outline, err := b.Outline(id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range outline.Compactions {
		got = append(got, fmt.Sprintf("%d %s took %d", c.Seq, c.State, *c.Messages))
	}
	if diff := cmp.Diff([]string{"4 inForce took 2", "6 reverted took 1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if outline.Messages != 7 || outline.Newer != 1 || outline.Total != 13 || outline.ModelTotal != 4 || len(outline.Damage) != 1 {
		t.Errorf("%+v", outline)
	}
}

func TestRevertAndRedo(t *testing.T) {
	ctx := context.Background()
	b, id := open(t, said(1, "user", "one")+said(2, "assistant", "two")+compactionLine(3, 2)+said(4, "user", "four"))
	inForce := func() int64 {
		seq, err := b.InForce(id)
		if err != nil {
			t.Fatal(err)
		}
		return seq
	}
	if got := inForce(); got != 3 {
		t.Fatalf("in force: %d", got)
	}
	undone, err := b.Revert(ctx, id, 3)
	if err != nil || undone != 5 || inForce() != 0 {
		t.Fatalf("undo: %d, %v, in force %d", undone, err, inForce())
	}
	for seq, want := range map[int64]error{3: session.ErrInput, 1: session.ErrInput, 99: session.ErrNotFound} {
		if _, err := b.Revert(ctx, id, seq); !errors.Is(err, want) {
			t.Errorf("revert of %d: %v, want %v", seq, err, want)
		}
	}
	redone, err := b.Revert(ctx, id, 5)
	if err != nil || redone != 6 || inForce() != 6 {
		t.Fatalf("redo: %d, %v, in force %d", redone, err, inForce())
	}
	c, err := b.Context(id, ContextOptions{})
	if err != nil || len(c.Messages) != 3 || !strings.Contains(string(c.Messages[0].Content[0]), "summary 3") {
		t.Errorf("%+v, %v", c.Messages, err)
	}
}

func TestContextJSON(t *testing.T) {
	b, id := open(t, said(1, "user", "one")+
		`{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}},{"type":"toolCall","id":"d","name":"ls","arguments":{}}]}`+"\n"+
		said(3, "toolResult", "<out>"))
	c, err := b.Context(id, ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		t.Fatal(err)
	}
	told := c.Parts.Injected // depends on the system that it runs on
	want := `{"sessionId":"` + id + `","at":null,"messages":[` +
		`{"seq":1,"role":"user","content":[{"type":"text","text":"one"}]},` +
		`{"seq":2,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}},{"type":"toolCall","id":"d","name":"ls","arguments":{}}]},` +
		`{"seq":3,"role":"toolResult","toolCallId":"c","isError":false,"content":[{"type":"text","text":"<out>"}]},` +
		`{"role":"toolResult","toolCallId":"d","isError":true,"content":[{"type":"text","text":"[no result: interrupted]"}],"overlay":"repair"}],` +
		`"tokens":{"estimate":11,"calibrated":` + fmt.Sprint(told+11) + `,"reported":null,"window":128000,"reserve":16384,"windowAssumed":true,"clamped":false},` +
		`"parts":{"injected":` + fmt.Sprint(told) + `,"summary":0,"kept":11,"fresh":0},` +
		`"injected":{"parts":[{"kind":"system","path":null,"cut":false,"tokens":468},` +
		`{"kind":"environment","path":null,"cut":false,"tokens":` + fmt.Sprint(c.Injected.Parts[1].Tokens) + `}],"skipped":[],"noTools":"the session has no folder to work in"},"model":null,"compactionSeq":null,` +
		`"repairs":[{"seq":2,"reason":"no result"}],"damage":[]}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := b.Context(id, ContextOptions{At: 9}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("at a seq that is not there: %v", err)
	}
}

func TestAppendNamesTheBadLine(t *testing.T) {
	b, id := open(t, said(1, "user", "one"))
	before, err := os.ReadFile(b.store.LogPath(id))
	if err != nil {
		t.Fatal(err)
	}
	batch := `{"recordType":"message","role":"user","content":[]}` + "\n\n" + `{"recordType":"message","role":"user","content":"bare"}`
	if _, err := b.Append(context.Background(), id, strings.NewReader(batch)); !errors.Is(err, session.ErrInput) || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("got %v", err)
	}
	if after, err := os.ReadFile(b.store.LogPath(id)); err != nil || !bytes.Equal(before, after) {
		t.Error("something was written")
	}
	seqs, err := b.Append(context.Background(), id, strings.NewReader(""))
	if err != nil || len(seqs) != 0 {
		t.Errorf("an empty batch: %v, %v", seqs, err)
	}
}

func TestLongRecordComesCutAndWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 300_000)
	b, id := open(t, said(1, "user", "short")+said(2, "user", long))
	page, err := b.Page(id, PageOptions{})
	if err != nil || page.Count != 1 || page.Truncated {
		t.Fatalf("%d records, %v", page.Count, err)
	}
	if page, err = b.Page(id, PageOptions{Position: 1}); err != nil || !page.Truncated {
		t.Fatal(err)
	}
	var cut struct {
		Truncated bool
		Bytes     int64
		Content   []struct{ Text string }
	}
	if err := json.Unmarshal(page.Records[0], &cut); err != nil || !cut.Truncated || len(cut.Content[0].Text) < 100_000 {
		t.Fatalf("%d characters, %v", len(cut.Content[0].Text), err)
	}
	var whole bytes.Buffer
	for offset := int64(0); ; {
		body, size, err := b.RawRecord(id, 2, offset, 1<<20)
		if err != nil || size != cut.Bytes {
			t.Fatal(size, err)
		}
		n, err := whole.ReadFrom(body)
		if err := errors.Join(err, body.Close()); err != nil {
			t.Fatal(err)
		}
		if offset += n; n == 0 {
			break
		}
	}
	if got := whole.String() + "\n"; got != said(2, "user", long) {
		t.Errorf("%d bytes came back", len(got))
	}
}

// snapshot is every file of a directory with its size and time of change.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		files[path] = fmt.Sprint(info.Size(), info.ModTime(), info.Mode())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestReadingWritesNothing: whatever the log is like, looking at it leaves no trace; metadata that is missing stays so.
func TestReadingWritesNothing(t *testing.T) {
	b, id := open(t, "\xef\xbb\xbf"+story()+"{\"torn")
	if err := os.Remove(filepath.Join(filepath.Dir(b.store.LogPath(id)), "metadata.json")); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, b.Home())
	_, listErr := b.List(context.Background(), ListOptions{})
	_, getErr := b.Get(id)
	_, ctxErr := b.Context(id, ContextOptions{At: 4})
	_, pageErr := b.Page(id, PageOptions{})
	_, outlineErr := b.Outline(id)
	_, checkErr := b.Check(id)
	if err := errors.Join(listErr, getErr, ctxErr, pageErr, outlineErr, checkErr); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, snapshot(t, b.Home())); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// TestOddText: separators of other systems, long lines and text of every script come through as they are.
func TestOddText(t *testing.T) {
	for _, text := range []string{"a\u2028b\u2029c", strings.Repeat("é", 200_000), "\u202eevil\u202c", `\ud83d`, "\x7f"} {
		b, id := open(t, said(1, "user", text)+said(2, "user", "after"))
		c, err := b.Context(id, ContextOptions{})
		if err != nil || len(c.Messages) != 2 || len(c.Damage) != 0 {
			t.Errorf("%.20q: %d messages, damage %v, %v", text, len(c.Messages), c.Damage, err)
			continue
		}
		if got := string(c.Messages[0].Content[0]); got != `{"type":"text","text":"`+text+`"}` {
			t.Errorf("%.20q came back as %.60q", text, got)
		}
	}
}

func TestSampleShowsWhatTheProgramIsFor(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	s, err := b.AddSample()
	if err != nil || s.Compactions == nil || *s.Compactions != 2 || *s.MessageCount < 60 {
		t.Fatalf("%+v, %v", s, err)
	}
	report, err := b.Check(s.ID)
	if err != nil || len(report.Damage) != 0 || report.Metadata != session.MetadataOK {
		t.Errorf("%+v, %v", report, err)
	}
	c, err := b.Context(s.ID, ContextOptions{})
	if err != nil || c.CompactionSeq == nil || len(c.Messages) < 10 || c.Tokens.Reported == nil {
		t.Errorf("%+v, %v", c.Tokens, err)
	}
}
