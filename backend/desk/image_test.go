package desk

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/session"
)

// TestImagesOutlastTheirPieceByADay: what a piece names stays for as long as that does.
func TestImagesOutlastTheirPieceByADay(t *testing.T) {
	d := Open(filepath.Join(t.TempDir(), "desk"))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(d.SweepImages(time.Now())) // there is no desk yet
	named, err := d.KeepImage([]byte("named"))
	must(err)
	unnamed, err := d.KeepImage([]byte("unnamed"))
	must(err)
	must(d.Put("attached", json.RawMessage(`[{"image":{"blob":"`+named+`"}}]`)))
	left := func() (out []string) {
		for _, sha := range []string{named, unnamed} {
			if data, err := d.Image(sha); err == nil {
				out = append(out, string(data))
			} else if !errors.Is(err, session.ErrNotFound) {
				t.Error(err)
			}
		}
		return out
	}
	for _, step := range []struct {
		after time.Duration
		want  string
	}{{time.Hour, "named unnamed"}, {25 * time.Hour, "named"}} {
		must(d.SweepImages(time.Now().Add(step.after)))
		if got := strings.Join(left(), " "); got != step.want {
			t.Errorf("after %v: %s, want %s", step.after, got, step.want)
		}
	}
	must(d.Put("attached", json.RawMessage("null")))
	must(d.SweepImages(time.Now().Add(25 * time.Hour)))
	if got := left(); len(got) > 0 {
		t.Errorf("nothing names %v any more", got)
	}
}

// TestImagesByNoOtherName: what is asked for comes from outside.
func TestImagesByNoOtherName(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "desk")).Image("../../secret"); !errors.Is(err, session.ErrInput) {
		t.Errorf("got %v", err)
	}
}
