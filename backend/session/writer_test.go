package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/record"
)

func writerOf(t *testing.T, s *Store, id string) *Writer {
	t.Helper()
	w, err := s.Writer(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// TestWriterKeepsOthersOut, but for names and the archive.
func TestWriterKeepsOthersOut(t *testing.T) {
	ctx := context.Background()
	s, id := newSession(t)
	s.wait = 20 * time.Millisecond
	other := Open(s.Home(), Options{Wait: -1})
	w := writerOf(t, s, id)
	if seqs, err := w.Append([]record.Draft{mustDraft(user("one")), mustDraft(user("two"))}); err != nil || len(seqs) != 2 {
		t.Errorf("%v, %v", seqs, err)
	}
	for name, do := range map[string]func() error{
		"another writer": func() error { _, err := s.Writer(ctx, id); return err },
		"an append":      func() error { _, err := s.Append(ctx, id, []record.Draft{mustDraft(user("x"))}); return err },
		"the trash":      func() error { return s.Trash(ctx, id) },
		// Another program shares nothing.
		"a writer elsewhere": func() error { _, err := other.Writer(ctx, id); return err },
		"a name elsewhere":   func() error { _, err := other.Rename(ctx, id, "x"); return err },
	} {
		if err := do(); !errors.Is(err, ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m, err := s.Rename(ctx, id, "named"); err != nil || m.Name != "named" || m.MessageCount != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := s.Archive(ctx, id, true); err != nil || m.ArchivedAt == nil {
		t.Errorf("%+v, %v", m, err)
	}
	if seqs, err := w.Append([]record.Draft{mustDraft(user("three"))}); err != nil || seqs[0] != 3 {
		t.Errorf("%v, %v", seqs, err)
	}
	w.Close()
	w.Close()
	if _, err := w.Append([]record.Draft{mustDraft(user("late"))}); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("an append after the end: %v", err)
	}
	// One that waits: who gave up above may hold the lock for the moment it takes to give it back.
	if _, err := Open(s.Home(), Options{}).Rename(ctx, id, "free"); err != nil {
		t.Errorf("the lock is still held: %v", err)
	}
	if got := appendTo(t, s, id, user("four")); got[0] != 4 {
		t.Errorf("then appended %d", got[0])
	}
	if report, err := s.Check(id); err != nil || !report.Sound() || report.Metadata != MetadataOK {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestWritersComeOneAfterTheOther, each with all of its records together, while names change all the time.
func TestWritersComeOneAfterTheOther(t *testing.T) {
	const writers, each = 8, 5
	ctx := context.Background()
	s, id := newSession(t)
	var all, renaming sync.WaitGroup
	done := make(chan struct{})
	renaming.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
				if _, err := s.Rename(ctx, id, fmt.Sprint("name ", i)); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range writers {
		all.Go(func() {
			w, err := s.Writer(ctx, id)
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			last := int64(0)
			for range each {
				seqs, err := w.Append([]record.Draft{mustDraft(user("x"))})
				if err != nil || last > 0 && seqs[0] != last+1 {
					t.Errorf("%v behind %d, %v", seqs, last, err)
					return
				}
				last = seqs[0]
			}
		})
	}
	all.Wait()
	close(done)
	renaming.Wait()
	inOrder(t, seqsOf(indexOf(t, s, id)), writers*each)
	if m, err := s.Metadata(id); err != nil || m.MessageCount != writers*each || m.Name == "" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestWriterWaitsAsLongAsItsContext(t *testing.T) {
	s, id := newSession(t)
	w := writerOf(t, s, id)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Writer(ctx, id); !errors.Is(err, context.Canceled) || errors.Is(err, ErrBusy) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := s.Writer(context.Background(), "x"); !errors.Is(err, ErrInvalidID) {
		t.Errorf("bad id: %v", err)
	}
	got := make(chan error)
	go func() {
		next, err := s.Writer(context.Background(), id)
		if err == nil {
			next.Close()
		}
		got <- err
	}()
	w.Close()
	if err := <-got; err != nil {
		t.Errorf("who waited: %v", err)
	}
}

// TestWriterAppendFails: a sync that fails is no success.
func TestWriterAppendFails(t *testing.T) {
	s, id := newSession(t)
	w := writerOf(t, s, id)
	s.fsync = func(*os.File) error { return errors.New("the cable is out") }
	if seqs, err := w.Append([]record.Draft{mustDraft(user("one"))}); err == nil || len(seqs) != 0 {
		t.Errorf("%v, %v", seqs, err)
	}
}
