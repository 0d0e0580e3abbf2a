package session

import (
	"os"
	"path/filepath"
	"testing"
)

// TestListOnlyLooksAtNoOthers: what can't be read is warned of, if it is looked at.
func TestListOnlyLooksAtNoOthers(t *testing.T) {
	s, id := newSession(t)
	broken, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.LogPath(broken.ID)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.LogPath(broken.ID), 0o700); err != nil {
		t.Fatal(err)
	}
	warned := 0
	s = Open(s.Home(), Options{Warn: func(error) { warned++ }})
	list, err := s.List(t.Context(), ListOptions{Only: []string{id, "01JD0000000000000000000000"}})
	if err != nil || len(list) != 1 || list[0].ID != id || warned > 0 {
		t.Errorf("%+v, %v, %d warnings", list, err, warned)
	}
	if list, err := s.List(t.Context(), ListOptions{Only: []string{}}); err != nil || len(list) > 0 {
		t.Errorf("none: %+v, %v", list, err)
	}
	if list, err := s.List(t.Context(), ListOptions{}); err != nil || len(list) != 1 || warned != 1 {
		t.Errorf("all: %+v, %v, %d warnings", list, err, warned)
	}
}

// TestListWarnsOfNoneThatGoes while it looks: that is no mistake in what is left.
func TestListWarnsOfNoneThatGoes(t *testing.T) {
	s, _ := newSession(t)
	var ids []string
	for range 300 {
		m, err := s.Create(New{})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID)
	}
	listing := Open(s.Home(), Options{Warn: func(err error) { t.Error(err) }})
	gone := make(chan error, 1)
	go func() {
		for _, id := range ids {
			if err := os.Rename(filepath.Dir(s.LogPath(id)), filepath.Join(s.Home(), id)); err != nil {
				gone <- err
				return
			}
		}
		close(gone)
	}()
	for {
		if _, err := listing.List(t.Context(), ListOptions{}); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-gone:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}
