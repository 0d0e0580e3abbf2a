package gemini

import (
	"bytes"
	"io"
	"os"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sourcetest"
)

// onceWritten does something when the first is written to it.
type onceWritten struct {
	io.Writer
	do func()
}

func (o *onceWritten) Write(p []byte) (int, error) {
	if o.do != nil {
		o.do()
		o.do = nil
	}
	return o.Writer.Write(p)
}

// TestGrowsBetweenThePasses: what is appended after the first pass is not read by the second, which knows nothing of it.
func TestGrowsBetweenThePasses(t *testing.T) {
	read := func(more string) string {
		path := sourcetest.Write(t, t.TempDir(), "session-1-s1.jsonl", file(start, user("u1", "one"), model("g1", "two", tokens)))
		var out bytes.Buffer
		appended := &onceWritten{&out, func() {
			to, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = to.WriteString(more)
			}
			if err == nil {
				err = to.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}}
		log := sources.NewLog("gemini", "s1", appended, func([]byte) (string, error) { return "sha", nil })
		if _, err := jsonl.Follow(t.Context(), path, log, newReader(nil, "s1").steps(path)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := read("")
	for name, more := range map[string]string{
		"a patch": patch(ids("removeIds", "u1")), "a message": user("u2", "three"), "a message that is there": model("g1", "other"),
	} {
		if got := read(more + "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
