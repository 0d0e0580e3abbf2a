package gemini

import (
	"bytes"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// growing is a file that is longer when it is read once more.
type growing struct {
	*strings.Reader
	later *strings.Reader
}

func (g growing) ReadAt(p []byte, at int64) (int, error) { return g.later.ReadAt(p, at) }

// TestGrowsBetweenThePasses: what is appended after the first pass is not read by the second, which knows nothing of it.
func TestGrowsBetweenThePasses(t *testing.T) {
	text := file(start, user("u1", "one"), model("g1", "two", tokens))
	read := func(file seeker) string {
		var out bytes.Buffer
		log := sources.NewLog("gemini", "s1", &out, func([]byte) (string, error) { return "sha", nil })
		if err := newReader(log, "s1").lines(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := read(strings.NewReader(text))
	for name, more := range map[string]string{
		"a patch": patch(ids("removeIds", "u1")), "a message": user("u2", "three"), "a message that is there": model("g1", "other"),
	} {
		if got := read(growing{strings.NewReader(text), strings.NewReader(text + more + "\n")}); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
