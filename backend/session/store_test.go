package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/record"
)

func TestForkCopiesByteForByte(t *testing.T) {
	s, id := newSession(t)
	blob := strings.Repeat("ab", 32)
	other := strings.Repeat("cd", 32)
	damaged := "\xef\xbb\xbf" + `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[{"type":"image","mediaType":"image/png","blob":"` + blob + `"}]}` + "\r\n\n" +
		`{"recordType":"hologram","schemaVersion":4,"seq":2,"x":[1, 2]}` + "\n" + `{"torn` + "\n" +
		`{"recordType":"label","schemaVersion":2,"seq":3,"targetSeq":1,"label":"a"}` + "\n" +
		`{"recordType":"message","schemaVersion":1,"seq":4,"role":"user","content":[{"type":"image","mediaType":"image/png","blob":"` + other + `"}]}` + "\n" + `{"tail`
	if err := os.WriteFile(s.LogPath(id), []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.dir(id), "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{blob, other, strings.Repeat("ef", 32)} {
		if err := os.WriteFile(filepath.Join(s.dir(id), "blobs", name), []byte(name[:4]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Rename(context.Background(), id, "probe"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		at    int64
		want  string
		seq   int64
		name  string
		blobs []string
	}{
		{0, damaged, 4, "probe (fork #1)", []string{blob, other}},
		{3, damaged[:strings.Index(damaged, `"a"}`)+5], 3, "probe (fork #2)", []string{blob}},
	} {
		m, err := s.Fork(id, test.at, "test")
		if err != nil {
			t.Fatal(err)
		}
		if got := string(readLog(t, s, m.ID)); got != test.want {
			t.Errorf("fork at %d: %q, want %q", test.at, got, test.want)
		}
		if m.Name != test.name || m.ParentSessionID != id || m.ForkedAtSeq != test.seq || m.CreatedBy != "test" {
			t.Errorf("fork at %d: %+v", test.at, m)
		}
		var blobs []string
		entries, err := os.ReadDir(filepath.Join(s.dir(m.ID), "blobs"))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			blobs = append(blobs, entry.Name())
		}
		if diff := cmp.Diff(test.blobs, blobs); diff != "" {
			t.Errorf("fork at %d: blobs %s", test.at, diff)
		}
	}
	if _, err := s.Fork(id, 9, ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("fork at a seq that is not there: %v", err)
	}
	if got := string(readLog(t, s, id)); got != damaged {
		t.Error("the parent's log changed")
	}
}

func TestForkOfAForkCountsOn(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("how do I sort a list"))
	first, err := s.Fork(id, 0, "")
	if err != nil || first.Name != "how do I sort a list (fork #1)" {
		t.Fatalf("%q, %v", first.Name, err)
	}
	second, err := s.Fork(first.ID, 0, "")
	if err != nil || second.Name != "how do I sort a list (fork #2)" {
		t.Fatalf("%q, %v", second.Name, err)
	}
}

// TestForkOfACopyLostTheSame: what another agent's session had lost is lost in forks of a copy of it, too; what tears in them is torn.
func TestForkOfACopyLostTheSame(t *testing.T) {
	s, id := newSession(t)
	log := msg(1) + "\nthis was a record\n" + msg(2) + "\n"
	copied, err := s.Copy(New{}, time.Time{}, Imported{Agent: "pi", ID: "x", Bytes: int64(len(log))}, strings.NewReader(log), s.dir(id))
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Fork(copied.ID, 2, "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Fork(first.ID, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(s.LogPath(second.ID), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"type":"mess`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{copied.ID: "corrupt", first.ID: "corrupt", second.ID: "corrupt torn"} {
		report, err := s.Check(at)
		var kinds []string
		for _, d := range report.Damage {
			kinds = append(kinds, d.Kind)
		}
		if got := strings.Join(kinds, " "); err != nil || got != want {
			t.Errorf("%s: %q, not %q, %v", at, got, want, err)
		}
	}
}

func TestLifeCycle(t *testing.T) {
	ctx := context.Background()
	s, id := newSession(t)
	appendTo(t, s, id, user("one"))
	m, err := s.Rename(ctx, id, "  two\nlines  ")
	if err != nil || m.Name != "two lines" {
		t.Fatalf("%q, %v", m.Name, err)
	}
	if m, err = s.Archive(ctx, id, true); err != nil || m.ArchivedAt == nil {
		t.Fatalf("%+v, %v", m, err)
	}
	first := *m.ArchivedAt
	if m, err = s.Archive(ctx, id, true); err != nil || !m.ArchivedAt.Equal(first) {
		t.Fatalf("archived anew: %+v, %v", m, err)
	}
	if m, err = s.Archive(ctx, id, false); err != nil || m.ArchivedAt != nil || m.Name != "two lines" {
		t.Fatalf("%+v, %v", m, err)
	}
	if m, err = s.Rename(ctx, id, ""); err != nil || m.Name != "" {
		t.Fatalf("a name can't be cleared: %+v, %v", m, err)
	}
	before := readLog(t, s, id)
	if err := s.Trash(ctx, id); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(id); !errors.Is(err, ErrNotFound) {
		t.Errorf("trashed, yet there: %v", err)
	}
	if _, err := s.Append(ctx, id, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("appending to a trashed session: %v", err)
	}
	if list, err := s.List(ctx, ListOptions{Trash: true}); err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("the trash holds %v, %v", list, err)
	}
	if err := s.Restore(id); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, readLog(t, s, id)) {
		t.Error("the log came back changed")
	}
	if err := s.Purge(id); !errors.Is(err, ErrNotFound) {
		t.Errorf("purged a session that is not in the trash: %v", err)
	}
	if err := errors.Join(s.Trash(ctx, id), s.Purge(id)); err != nil {
		t.Fatal(err)
	}
	if err := s.Restore(id); !errors.Is(err, ErrNotFound) {
		t.Errorf("restored what was deleted for good: %v", err)
	}
}

func TestBatchIsCheckedWholeBeforeAnythingIsWritten(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"))
	before := readLog(t, s, id)
	batch := []record.Draft{mustDraft(user("two")), mustDraft(`{"recordType":"revert","targetSeq":3}`)}
	if _, err := s.Append(context.Background(), id, batch); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "record 2") {
		t.Fatalf("a revert of itself: %v", err)
	}
	if !bytes.Equal(before, readLog(t, s, id)) {
		t.Error("the log changed")
	}
	if seqs := appendTo(t, s, id, user("two"), `{"recordType":"label","targetSeq":2,"label":"x"}`); seqs[0] != 2 || seqs[1] != 3 {
		t.Errorf("a record may point at one of its own batch: %v", seqs)
	}
}

func TestVanishedDirectory(t *testing.T) {
	s, id := newSession(t)
	if err := os.RemoveAll(s.dir(id)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(context.Background(), id, []record.Draft{mustDraft(user("one"))}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(s.dir(id)); !errors.Is(err, os.ErrNotExist) {
		t.Error("the directory was made again")
	}
}

func TestFailedSyncIsNotAcknowledged(t *testing.T) {
	for _, durability := range []Durability{DurabilityTurn, DurabilityFull} {
		s := Open(t.TempDir(), Options{Durability: durability})
		m, err := s.Create(New{})
		if err != nil {
			t.Fatal(err)
		}
		syncs := 0
		s.fsync = func(*os.File) error {
			syncs++
			if syncs == 2 {
				return errors.New("the cable is out")
			}
			return nil
		}
		batch := []record.Draft{mustDraft(user("one")), mustDraft(user("two"))}
		seqs, err := s.Append(context.Background(), m.ID, batch)
		switch durability {
		case DurabilityFull: // the first record was synced, the second was not
			if err == nil || len(seqs) != 1 {
				t.Errorf("full: %v, %v", seqs, err)
			}
		case DurabilityTurn: // one sync for the batch
			if err != nil || len(seqs) != 2 {
				t.Errorf("turn: %v, %v", seqs, err)
			}
			if seqs, err := s.Append(context.Background(), m.ID, batch); err == nil || len(seqs) != 0 {
				t.Errorf("turn, failing: %v, %v", seqs, err)
			}
		}
	}
}

func TestMetadataKeepsWhatItDoesNotKnow(t *testing.T) {
	s, id := newSession(t)
	path := filepath.Join(s.dir(id), "metadata.json")
	const foreign = `{"id":"x","name":"n","mood":{"a":[1]},"permissions":["r"],"messageCount":"many","createdAt":"2026-03-02T08:00:00Z"}`
	if err := os.WriteFile(path, []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	appendTo(t, s, id, user("one"))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, state := decodeMetadata(data)
	if state != MetadataOK || m.ID != id || m.Name != "n" || m.MessageCount != 1 || m.CreatedAt.Year() != 2026 {
		t.Errorf("%s: %+v", state, m)
	}
	if !strings.Contains(string(data), `"mood"`) || !strings.Contains(string(data), `"permissions"`) {
		t.Errorf("lost members: %s", data)
	}
}

// TestForksMetadataSaysEachThingOnce: what is known of a fork of a copy is not taken for what this version does not know.
func TestForksMetadataSaysEachThingOnce(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"))
	path := filepath.Join(s.dir(id), "metadata.json")
	const fork = `{"name":"n","foreignBytes":7,"mood":"good"}`
	if err := os.WriteFile(path, []byte(fork), 0o600); err != nil {
		t.Fatal(err)
	}
	appendTo(t, s, id, user("two"))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"name", "foreignBytes", "mood", "log"} {
		if n := strings.Count(string(data), `"`+name+`":`); n != 1 {
			t.Errorf("%s is there %d times: %s", name, n, data)
		}
	}
}

func TestMetadataIsRebuilt(t *testing.T) {
	for _, damaged := range []string{"", "{", "[]", "null", "\x00\x00\x00\x00", `{"id":`} {
		s, id := newSession(t)
		appendTo(t, s, id, user("one"), compactionOf1)
		path := filepath.Join(s.dir(id), "metadata.json")
		want := MetadataTorn
		if damaged == "" {
			want = MetadataMissing
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := s.Check(id); err != nil || report.Metadata != want {
			t.Fatalf("%q: %+v, %v", damaged, report, err)
		}
		summary, err := s.Get(id)
		if err != nil || summary.MessageCount != 1 || summary.Compactions != 1 || summary.FirstMessage != "one" {
			t.Errorf("%q: %+v, %v", damaged, summary, err)
		}
		if data, err := os.ReadFile(path); damaged != "" && (err != nil || string(data) != damaged) {
			t.Errorf("%q: reading wrote metadata", damaged)
		}
		if err := s.Repair(context.Background(), id); err != nil {
			t.Fatal(err)
		}
		if report, err := s.Check(id); err != nil || report.Metadata != MetadataOK {
			t.Errorf("%q: after the repair %+v, %v", damaged, report, err)
		}
	}
}

func TestListReadsOnlyWhatMetadataDoesNotCover(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"))
	foreign := `{"recordType":"message","schemaVersion":1,"seq":2,"role":"user","content":[],"timestamp":"2020-01-01T00:00:00Z"}` + "\n"
	file, err := os.OpenFile(s.LogPath(id), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(foreign); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	quick, err := s.List(context.Background(), ListOptions{Quick: true})
	if err != nil || len(quick) != 1 || quick[0].Known {
		t.Fatalf("quick: %+v, %v", quick, err)
	}
	full, err := s.List(context.Background(), ListOptions{})
	if err != nil || !full[0].Known || full[0].MessageCount != 2 || full[0].LastMessageAt.Year() != 2020 {
		t.Errorf("full: %+v, %v", full, err)
	}
	if report, err := s.Check(id); err != nil || report.Metadata != MetadataStale {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestFindPrefix(t *testing.T) {
	s, id := newSession(t)
	second, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	common := 0
	for id[common] == second.ID[common] {
		common++
	}
	for prefix, want := range map[string]error{
		id: nil, id[:25]: nil, id[:common+1]: nil, id[:6]: ErrInput, id[:5]: ErrInvalidID, "": ErrInvalidID,
		"7ZZZZZ": ErrNotFound, strings.ToLower(id[:10]): ErrInvalidID, "../../": ErrInvalidID, id + "0": ErrInvalidID,
	} {
		if got, err := s.FindPrefix(prefix, false); !errors.Is(err, want) || want == nil && got != id {
			t.Errorf("%q: %q, %v, want %v", prefix, got, err, want)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"id":"a","name":"b","createdAt":"2026-03-02T08:00:00Z","log":{"size":3},"x":1}`))
	f.Add([]byte(`{"archivedAt":null,"messageCount":1e3}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _ := decodeMetadata(data)
		m.follow("01ARZ3NDEKTSV4RRFFQ69G5FAV", &Index{})
		out, err := m.encode()
		if err != nil {
			// A year beyond 9999 has no RFC 3339 form; nothing else may fail.
			if m.CreatedAt.Year() <= 9999 && m.CreatedAt.Year() >= 0 {
				t.Fatal(err)
			}
			return
		}
		again, state := decodeMetadata(out)
		if state != MetadataOK || again.Name != strings.ToValidUTF8(m.Name, "\ufffd") {
			t.Fatalf("%s reads back as %s: %+v", out, state, again)
		}
	})
}
