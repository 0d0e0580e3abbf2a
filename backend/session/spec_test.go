package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// The tests of this file are the specification's scenarios, by their numbers. S7.8, ids in API requests, is package
// server's; here is what it rests on.

func TestS7_1_NewSessionHasDirectoryEmptyLogAndMetadata(t *testing.T) {
	s, id := newSession(t)
	if log := readLog(t, s, id); len(log) != 0 {
		t.Errorf("the log holds %q", log)
	}
	m, state, err := readMetadata(s.dir(id))
	if err != nil || state != MetadataOK || m.ID != id || m.Source != SourceInteractive || m.MessageCount != 0 {
		t.Errorf("metadata %+v, %s, %v", m, state, err)
	}
	for path, mode := range map[string]os.FileMode{s.dir(id): 0o700, s.LogPath(id): 0o600, filepath.Join(s.dir(id), "metadata.json"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestS7_2_AppendsNeverRewriteTheLog(t *testing.T) {
	s, id := newSession(t)
	before := []byte{}
	info, err := os.Stat(s.LogPath(id))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		appendTo(t, s, id, user("one"), user("two"))
		now := readLog(t, s, id)
		if !bytes.HasPrefix(now, before) || len(now) <= len(before) {
			t.Fatal("what was there before is not a prefix any more")
		}
		before = now
	}
	after, err := os.Stat(s.LogPath(id))
	if err != nil || !os.SameFile(info, after) {
		t.Errorf("the log is another file now (%v)", err)
	}
}

func contextOf(t *testing.T, s *Store, id string) overlay.Context {
	t.Helper()
	log := readLog(t, s, id)
	ctx, err := overlay.Resolve(NewReverse(bytes.NewReader(log), int64(len(log))), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

const compactionOf3 = `{"recordType":"compaction","firstKeptSeq":3,"summary":"what came before","tokensBefore":9,"readFiles":[],"modifiedFiles":[]}`

func TestS7_3_LoadingAppliesOverlays(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"), user("two"), user("three"), compactionOf3, user("five"))
	inOrder(t, seqsOf(indexOf(t, s, id)), 5)
	ctx := contextOf(t, s, id)
	if ctx.CompactionSeq != 4 || len(ctx.Messages) != 3 {
		t.Fatalf("compaction %d, %d messages", ctx.CompactionSeq, len(ctx.Messages))
	}
}

func TestS7_4_MetadataFollowsEachInteraction(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, `{"recordType":"message","role":"user","content":[],"timestamp":"2026-03-02T08:00:01Z"}`)
	appendTo(t, s, id, `{"recordType":"message","role":"assistant","content":[],"timestamp":"2026-03-02T08:00:02Z","model":"m"}`, compactionOf1)
	m, _, err := readMetadata(s.dir(id))
	if err != nil {
		t.Fatal(err)
	}
	if m.MessageCount != 2 || !m.LastMessageAt.Equal(time.Date(2026, 3, 2, 8, 0, 2, 0, time.UTC)) || m.Log.Compactions != 1 {
		t.Errorf("metadata %+v %+v", m, m.Log)
	}
}

const compactionOf1 = `{"recordType":"compaction","firstKeptSeq":1,"summary":"s","tokensBefore":9,"readFiles":[],"modifiedFiles":[]}`

func TestS7_5_ListIsNewestFirst(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	ids := make([]string, 3)
	for i, at := range []string{"2026-03-02T08:00:02Z", "2026-03-02T10:00:00+01:00", "2026-03-02T08:00:01Z"} {
		m, err := s.Create(New{})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = m.ID
		appendTo(t, s, m.ID, `{"recordType":"message","role":"user","content":[],"timestamp":"`+at+`"}`)
	}
	list, err := s.List(context.Background(), ListOptions{})
	if err != nil || len(list) != 3 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	for i, want := range []string{ids[1], ids[0], ids[2]} {
		if list[i].ID != want {
			t.Errorf("place %d: %s, want %s", i, list[i].ID, want)
		}
	}
}

func TestS7_6_CompactionAppendsARecord(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"), user("two"), user("three"))
	before := readLog(t, s, id)
	appendTo(t, s, id, compactionOf3)
	after := readLog(t, s, id)
	if !bytes.HasPrefix(after, before) || bytes.Count(after[len(before):], []byte("\n")) != 1 {
		t.Fatal("a compaction must add one line and change none")
	}
}

func TestS7_7_CronSessionsAreTagged(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	m, err := s.Create(New{Source: SourceCron, CronJobID: "nightly"})
	if err != nil {
		t.Fatal(err)
	}
	var onDisk map[string]any
	data, err := os.ReadFile(filepath.Join(s.dir(m.ID), "metadata.json"))
	if err != nil || json.Unmarshal(data, &onDisk) != nil || onDisk["source"] != "cron" || onDisk["cronJobId"] != "nightly" {
		t.Errorf("%s, %v", data, err)
	}
	next := m.Successor()
	if after, err := s.Create(next); err != nil || after.Source != SourceCron || after.CronJobID != "nightly" {
		t.Errorf("what takes its place: %+v, %v", after, err)
	}
	if _, err := s.Create(New{Source: "oracle"}); !errors.Is(err, ErrInput) {
		t.Errorf("an unknown source: %v", err)
	}
	if _, err := s.Create(New{CronJobID: "x"}); !errors.Is(err, ErrInput) {
		t.Errorf("a job without cron: %v", err)
	}
}

func TestS7_8_IDsAreCheckedBeforeTheyComeNearAPath(t *testing.T) {
	s, id := newSession(t)
	for _, bad := range []string{"", ".", "..", "../" + id, id + "/", strings.ToLower(id), id[:25], id + "0", "01ARZ3NDEKTSV4RRFFQ69G5FAI", "01ARZ3NDEKTSV4RRFFQ69G5FA\n", "０1ARZ3NDEKTSV4RRFFQ69G5FA"} {
		for name, try := range map[string]func() error{
			"open":    func() error { _, err := s.OpenLog(bad); return err },
			"lock":    func() error { _, err := s.Lock(context.Background(), bad); return err },
			"restore": func() error { return s.Restore(bad) },
			"purge":   func() error { return s.Purge(bad) },
			"fork":    func() error { _, err := s.Fork(bad, 0, ""); return err },
		} {
			if err := try(); !errors.Is(err, ErrInvalidID) {
				t.Errorf("%s %q: %v", name, bad, err)
			}
		}
	}
}

func TestS7_9_PartialTrailingLineIsIgnored(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"), user("two"))
	log := readLog(t, s, id)
	if err := os.WriteFile(s.LogPath(id), append(log, `{"recordType":"message","schem`...), 0o600); err != nil {
		t.Fatal(err)
	}
	x := indexOf(t, s, id)
	inOrder(t, seqsOf(x), 2)
	if len(x.Damage) != 1 || x.Damage[0].Kind != DamageTorn || x.Damage[0].Offset != int64(len(log)) || x.Damage[0].Line != 3 {
		t.Errorf("damage %+v", x.Damage)
	}
	if ctx := contextOf(t, s, id); len(ctx.Messages) != 2 {
		t.Errorf("%d messages in the context", len(ctx.Messages))
	}
}

func TestS7_11_ContextIsSummaryThenKeptMessages(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"), user("two"), user("three"), compactionOf3, user("five"))
	var got []string
	for _, m := range contextOf(t, s, id).Messages {
		if m.Role != record.RoleUser || len(m.Content) != 1 {
			t.Fatalf("message %+v", m)
		}
		got = append(got, m.Content[0].Text)
	}
	want := "The conversation history before this point was compacted into the following summary:\n<summary>\nwhat came before\n</summary>"
	if strings.Join(got, "|") != want+"|three|five" {
		t.Errorf("got %q", got)
	}
}

func TestS7_12_ContentIsAlwaysBlocks(t *testing.T) {
	s, id := newSession(t)
	if _, err := s.Draft([]byte(`{"recordType":"message","role":"user","content":"bare"}`)); !errors.Is(err, ErrInput) {
		t.Fatalf("a bare string was taken: %v", err)
	}
	appendTo(t, s, id, user("one"), `{"recordType":"message","role":"toolResult","toolCallId":"c","content":[]}`)
	for line := range bytes.Lines(readLog(t, s, id)) {
		var persisted struct{ Content []struct{ Type string } }
		if err := json.Unmarshal(line, &persisted); err != nil || persisted.Content == nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestAnEditIsNotCounted(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, `{"recordType":"message","role":"user","content":[]}`, compactionOf1, strings.Replace(compactionOf1, `"summary"`, `"trigger":"edit","summary"`, 1))
	if summary, err := s.Get(id); err != nil || summary.Compactions != 1 {
		t.Errorf("%+v, %v", summary, err)
	}
}
