package backend

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

// TestIndexesGoBack: whatever was extended, and gone back to what stands of it, is what is made of the whole log.
func TestIndexesGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{said(1, "user", "x"), said(2, "assistant", "a longer one"), "torn\n", "\n", said(4, "toolResult", "y")})
		lines := rapid.SliceOfN(line, 0, 4)
		var x indexes
		log, stands := "", 0
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			grown := strings.Join(lines.Draw(t, "lines"), "")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				x.index, log = x.stood, log[:x.stood.Size]
			case 1:
				log, stands, grown = log[:rapid.IntRange(0, stands).Draw(t, "cut")], 0, ""
			}
			stands = rapid.IntRange(stands, len(log+grown)).Draw(t, "stands")
			log += grown
			stands = strings.LastIndexByte(log[:stands], '\n') + 1
			if err := x.extend(strings.NewReader(log), int64(len(log)), int64(len(log)-stands), false); err != nil {
				t.Fatal(err)
			}
			isIndexOf(t, &x.index, log)
			isIndexOf(t, &x.stood, log[:stands])
		}
	})
}

func isIndexOf(t *rapid.T, got *session.Index, log string) {
	var want session.Index
	if err := want.Extend(strings.NewReader(log), int64(len(log))); err != nil {
		t.Fatal(err)
	}
	if got.Size != want.Size || !slices.Equal(linesOf(got), linesOf(&want)) || len(got.Damage) != len(want.Damage) || !reflect.DeepEqual(got.Counts, want.Counts) {
		t.Fatalf("of\n%sthere are\n%+v\n%+v", log, got, want)
	}
}

func linesOf(x *session.Index) (lines []session.Line) {
	for _, line := range x.Lines.All() {
		lines = append(lines, line)
	}
	return lines
}

// TestWhatStandsIsNotReadAgain of a log that begins with what stands of another one; what became of its lines is told anew.
func TestWhatStandsIsNotReadAgain(t *testing.T) {
	stands := said(1, "user", "first") + said(2, "user", strings.Repeat("second ", 40))
	was, now := said(3, "toolResult", "grown"), said(3, "assistant", "")
	now = said(3, "assistant", strings.Repeat("x", len(was)-len(now))) // so that what follows is in the same place
	last := said(4, "user", "last")
	for name, end := range map[string]string{"nothing": "", "another end": now + last} {
		t.Run(name, func(t *testing.T) {
			b, id := open(t, stands+was+last)
			at := place{store: b.store, id: id, end: int64(len(was + last))}
			log, err := b.store.OpenLog(id)
			newsMust(t, err)
			defer log.Close()
			for _, size := range []int{len(stands), len(stands + was), len(stands + was + last)} { // what leads to states is kept at last
				newsMust(t, b.views.of(at).bring(&view{id: id, size: int64(size)}, log, ""))
			}
			path := filepath.Join(t.TempDir(), "session.jsonl")
			newsMust(t, os.WriteFile(path, []byte(strings.Replace(stands, "first", "fir\"t", 1)+end), 0o600))
			other, err := os.Open(path)
			newsMust(t, err)
			defer other.Close()
			at = place{store: b.store, id: "next", end: int64(len(end))}
			b.views.carry(id, 0, at, false)
			v := &view{id: at.id, size: int64(len(stands + end))}
			newsMust(t, b.views.of(at).bring(v, other, ""))
			lines := strings.Count(stands+end, "\n")
			if model := v.states.Model.Len(); v.index.Lines.Len() != lines || len(v.index.Damage) > 0 || model != lines {
				t.Errorf("%d lines, of which the model sees %d, not %d: %+v", v.index.Lines.Len(), model, lines, v.index.Damage)
			}
		})
	}
}
