package library

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestADamagedReadingIsMadeAnew: what happened to the cache is never taken for what was said.
func TestADamagedReadingIsMadeAnew(t *testing.T) {
	for name, harm := range map[string]func(string) string{
		"a line less":   func(log string) string { return log[:strings.LastIndexByte(log[:len(log)-1], '\n')+1] },
		"cut":           func(log string) string { return log[:len(log)-9] },
		"empty":         func(string) string { return "" },
		"other letters": func(log string) string { return strings.Replace(log, "world", "wordl", 1) },
		"zeros":         func(log string) string { return log[:20] + strings.Repeat("\x00", len(log)-20) },
	} {
		t.Run(name, func(t *testing.T) {
			r, s := newRig(t), &shop{name: "pi"}
			r.write("pi/one", "hello\nworld\n")
			l, ref := r.open(s), Ref{"pi", "one"}
			first, err := l.Read(t.Context(), ref)
			must(t, err)
			want, path := r.text(l, first), l.Store().LogPath(first.ID)

			must(t, os.WriteFile(path, []byte(harm(want)), 0o600))
			must(t, r.open(s).Pass(t.Context(), first.Found, nil, func(p Pass) error {
				log, err := io.ReadAll(io.NewSectionReader(p.Log, 0, p.Size))
				if err != nil || string(log) != want {
					t.Errorf("passed: %q, %v", log, err)
				}
				return nil
			}))
			next := r.open(s)
			again, err := next.Read(t.Context(), ref)
			must(t, err)
			if now := r.text(next, again); now != want {
				t.Errorf("%q", now)
			}
			readings := s.readings
			if _, err = r.open(s).Read(t.Context(), ref); err != nil || s.readings != readings {
				t.Errorf("read %d times more, %v", s.readings-readings, err)
			}

			must(t, os.Truncate(path, int64(len(want)-1))) // while a program stays
			again, err = next.Read(t.Context(), ref)
			must(t, err)
			if now := r.text(next, again); now != want {
				t.Errorf("%q", now)
			}
		})
	}
}
