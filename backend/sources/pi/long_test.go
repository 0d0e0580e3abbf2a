//go:build !race

package pi

import (
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestALongLineTakesLittle: a line takes as much memory as it is long, and its text, without escapes, what a decoder of JSON takes for it;
// no part of the reading copies it once more.
func TestALongLineTakesLittle(t *testing.T) {
	const text = "some words of a line\\n"
	line := `{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":[{"type":"text","text":"` +
		strings.Repeat(text, 16<<20/len(text)) + `"}]}}` + "\n"
	env := sourcetest.Env(t, t.TempDir())
	path := sourcetest.Write(t, env.Home, ".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl",
		`{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}`+"\n"+line)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	kept := 0
	log := sources.NewLog("pi", "s1", io.Discard, func(data []byte) (string, error) { kept = len(data); return "sha", nil })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := (Source{}).Read(t.Context(), env, found, log); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	took := float64(after.TotalAlloc-before.TotalAlloc) / float64(info.Size())
	if kept < 15<<20 || took > 3.3 {
		t.Errorf("%d bytes of text took %.1f times the file", kept, took)
	}
}
