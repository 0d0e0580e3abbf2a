package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPermissionsOfASession(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	m, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Permission{{"bash(git status)", "allow"}, {"read(secrets/**)", "deny"}}
	got, err := s.ChangePermissions(t.Context(), m.ID, func(had []Permission) []Permission { return append(had, want...) })
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := s.Rename(t.Context(), m.ID, "x"); err != nil {
		t.Fatal(err)
	}
	again, err := Open(s.Home(), Options{}).Metadata(m.ID) // as after a restart
	if err != nil || !slices.Equal(again.Granted(), want) {
		t.Errorf("%v, %v", again.Granted(), err)
	}
	if got, err = s.ChangePermissions(t.Context(), m.ID, func([]Permission) []Permission { return nil }); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestForeignPermissions: what another program has written there is no reason to take metadata for torn.
func TestForeignPermissions(t *testing.T) {
	for text, want := range map[string]int{`["r"]`: 0, `5`: 0, `null`: 0, `[{"rule":"ls","effect":"allow"},7,{"effect":"deny"}]`: 1} {
		m, state := decodeMetadata([]byte(`{"id":"x","permissions":` + text + `}`))
		if state != MetadataOK || len(m.Granted()) != want {
			t.Errorf("%s: %s, %v", text, state, m.Granted())
		}
	}
}

func TestKeep(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	m, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	path := ""
	for range 2 {
		sha, err := s.Keep(m.ID, []byte("what was there"))
		path = filepath.Join(filepath.Dir(s.LogPath(m.ID)), "blobs", sha)
		data, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || string(data) != "what was there" || len(sha) != 64 {
			t.Errorf("%q, %v, %v", data, err, readErr)
		}
		if err := os.WriteFile(path, []byte("damaged since!"), 0o600); err != nil { // as long as it was
			t.Fatal(err)
		}
	}
	if _, err := s.Keep("01ARZ3NDEKTSV4RRFFQ69G5FAV", nil); err == nil {
		t.Error("kept for a session that is not there")
	}
	blobs := filepath.Dir(path)
	if err := os.RemoveAll(blobs); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), blobs); err != nil {
		t.Skip(err)
	}
	if _, err := s.Keep(m.ID, []byte("x")); err == nil || !strings.Contains(err.Error(), "no directory") {
		t.Errorf("followed a link: %v", err)
	}
}
