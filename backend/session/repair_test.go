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

	"palimpsest/backend/record"
)

// TestTornMetadataIsKeptAndSaid: what a write replaces without having understood it is put aside, and reported.
func TestTornMetadataIsKeptAndSaid(t *testing.T) {
	for name, write := range map[string]func(*Store, string) error{
		"append": func(s *Store, id string) error {
			_, err := s.Append(context.Background(), id, []record.Draft{mustDraft(user("two"))})
			return err
		},
		"archive": func(s *Store, id string) error { _, err := s.Archive(context.Background(), id, true); return err },
		"repair":  func(s *Store, id string) error { return s.Repair(context.Background(), id) },
	} {
		var warned []error
		s := Open(t.TempDir(), Options{Warn: func(err error) { warned = append(warned, err) }})
		m, err := s.Create(New{Name: "precious", Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		appendTo(t, s, m.ID, user("one"))
		path := filepath.Join(s.dir(m.ID), "metadata.json")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, whole[:60], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := write(s, m.ID); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		kept, err := os.ReadFile(path + ".torn")
		if err != nil || !bytes.Equal(kept, whole[:60]) {
			t.Errorf("%s: kept %q, %v", name, kept, err)
		}
		if len(warned) != 1 || !strings.Contains(warned[0].Error(), "name") {
			t.Errorf("%s: warned of %v", name, warned)
		}
		if report, err := s.Check(m.ID); err != nil || report.Metadata != MetadataOK {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

// TestCountsAreNotTakenFromTornMetadata: one member of the wrong type, and the log is counted anew.
func TestCountsAreNotTakenFromTornMetadata(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"), user("two"), user("three"))
	path := filepath.Join(s.dir(id), "metadata.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(`"messageCount": 3`), []byte(`"messageCount": "x"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	appendTo(t, s, id, user("four"))
	if summary, err := s.Get(id); err != nil || summary.MessageCount != 4 {
		t.Errorf("%d messages, %v", summary.MessageCount, err)
	}
}

// TestMetadataThatCannotBeReadHidesNothing: a conversation is its log.
func TestMetadataThatCannotBeReadHidesNothing(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"))
	path := filepath.Join(s.dir(id), "metadata.json")
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	list, err := s.List(context.Background(), ListOptions{})
	if err != nil || len(list) != 1 || list[0].MessageCount != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if report, err := s.Check(id); err != nil || report.Metadata != MetadataTorn {
		t.Errorf("%+v, %v", report, err)
	}
	if seqs := appendTo(t, s, id, user("two")); seqs[0] != 2 {
		t.Errorf("appended %v", seqs)
	}
	if _, err := s.Rename(context.Background(), id, "x"); err == nil {
		t.Error("renamed a session whose metadata can't be replaced")
	}
}

func TestWhatKilledProcessesLeaveIsSwept(t *testing.T) {
	for _, place := range []string{"home", "[home", "[!h]ome", "{home}"} { // none is a pattern
		t.Run(place, func(t *testing.T) { sweptIn(t, filepath.Join(t.TempDir(), place)) })
	}
}

func sweptIn(t *testing.T, home string) {
	s := Open(home, Options{Warn: func(err error) { t.Error(err) }})
	created, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	id := created.ID
	litter := filepath.Join(s.dir(id), "metadata.json.tmp-1")
	half, young := filepath.Join(s.sessions(), ".new-1"), filepath.Join(s.sessions(), ".new-2")
	if err := errors.Join(os.WriteFile(litter, nil, 0o600), os.Mkdir(half, 0o700), os.Mkdir(young, 0o700)); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(half, old, old); err != nil {
		t.Fatal(err)
	}
	appendTo(t, s, id, user("one"))
	if _, err := s.Create(New{}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{litter: false, half: false, young: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestLastSeqThereCanBe(t *testing.T) {
	s, id := newSession(t)
	if err := os.WriteFile(s.LogPath(id), []byte(msg(record.MaxSeq)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.Append(context.Background(), id, []record.Draft{mustDraft(user("one"))})
	if !errors.Is(err, record.ErrSeqsUsedUp) || errors.Is(err, ErrInput) {
		t.Errorf("got %v", err)
	}
}

// TestDirectoryWithoutLogStaysAsItIs: nothing is created in what is no session.
func TestDirectoryWithoutLogStaysAsItIs(t *testing.T) {
	s, id := newSession(t)
	if err := os.Remove(s.LogPath(id)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(context.Background(), id, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.dir(id), "lock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lock was made: %v", err)
	}
}
