package all

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestTornTail: a last line that is cut off at any byte costs nothing before it, is no damage yet, and is counted by no list.
func TestTornTail(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		if s.main == "" {
			t.Skip("it has a file for each message")
		}
		files := s.files([]string{"one"}, "x")
		whole := files[s.main]
		start := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
		env := sourcetest.Env(t, sourcetest.Home(t, files))
		for cut := start; cut <= len(whole); cut++ {
			sourcetest.Write(t, env.Home, s.main, whole[:cut])
			found := sourcetest.Only(t, sourcetest.Find(t, source, env))
			r := sourcetest.Read(t, source, env, found)
			sourcetest.Counted(t, found, r)
			want := []string{"one"}
			if cut >= len(whole)-1 { // only its newline is missing
				want = append(want, "the last word")
			}
			if got := said(r, record.RoleUser); r.Err != nil || r.Damaged != 0 || !slices.Equal(got, want) || len(said(r, record.RoleToolResult)) != 2 {
				t.Fatalf("cut at %d: %v, %d damaged\n%s", cut-start, r.Err, r.Damaged, r.Story())
			}
		}
	})
}

// TestCutAnywhere: what is whole of a file that is cut off at any byte is read as if nothing were behind it.
func TestCutAnywhere(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		t.Parallel()
		if s.main == "" {
			t.Skip("it has a file for each message")
		}
		files := s.files([]string{"one"}, "x")
		whole, env := files[s.main], sourcetest.Env(t, sourcetest.Home(t, files))
		story := func(text string) string {
			sourcetest.Write(t, env.Home, s.main, text)
			found := sourcetest.Find(t, source, env)
			if len(found) == 0 {
				return ""
			}
			return sourcetest.Read(t, source, env, found[0]).Story()
		}
		want := ""
		for cut := range len(whole) {
			switch {
			case cut > 0 && whole[cut-1] == '\n':
				want = story(whole[:cut])
			case whole[cut] == '\n': // only its newline is missing
			default:
				if got := story(whole[:cut]); got != want && want != "" { // before anything is said a file may be none
					t.Fatalf("cut at %d: got\n%swant\n%s", cut, got, want)
				}
			}
		}
	})
}
