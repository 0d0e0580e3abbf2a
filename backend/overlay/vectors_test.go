package overlay_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// vector is a log with the context it must give.
type vector struct {
	Why           string   `json:"why"`
	At            *int64   `json:"at"`
	Context       []string `json:"context"`
	CompactionSeq *int64   `json:"compactionSeq"`
	Repairs       []int64  `json:"repairs"`
	Damage        []string `json:"damage"`
}

// TestVectors runs the project's own vectors and, if PALIMPSEST_SAMPLES names a directory with `vectors` beside it,
// the shared ones.
func TestVectors(t *testing.T) {
	dirs := []string{"testdata/vectors"}
	if samples := os.Getenv("PALIMPSEST_SAMPLES"); samples != "" {
		dirs = append(dirs, filepath.Join(samples, "..", "vectors"))
	} else {
		t.Log("PALIMPSEST_SAMPLES is not set: only the project's own vectors run")
	}
	for _, dir := range dirs {
		logs, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		if err != nil || len(logs) == 0 {
			t.Fatalf("no vectors in %s (%v)", dir, err)
		}
		for _, log := range logs {
			t.Run(strings.TrimSuffix(filepath.Base(log), ".jsonl"), func(t *testing.T) { runVector(t, log) })
		}
	}
}

func runVector(t *testing.T, path string) {
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(strings.TrimSuffix(path, "l"))
	if err != nil {
		t.Fatal(err)
	}
	var want vector
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	got := vector{Why: want.Why, At: want.At, Context: []string{}, Repairs: []int64{}, Damage: []string{}}
	end := int64(len(log))
	if want.At != nil {
		if _, end, err = session.FindBackward(bytes.NewReader(log), end, *want.At); err != nil {
			t.Fatal(err)
		}
	}
	ctx, err := overlay.Resolve(session.NewReverse(bytes.NewReader(log), end), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ctx.Messages {
		got.Context = append(got.Context, symbol(&ctx.Messages[i]))
	}
	if ctx.Compaction != nil {
		got.CompactionSeq = &ctx.CompactionSeq
	}
	for _, r := range ctx.Repairs {
		got.Repairs = append(got.Repairs, r.Seq)
	}
	slices.Sort(got.Repairs)
	got.Repairs = slices.Compact(got.Repairs)
	var x session.Index
	if err := x.Extend(bytes.NewReader(log), int64(len(log))); err != nil {
		t.Fatal(err)
	}
	for _, d := range x.Damage {
		got.Damage = append(got.Damage, d.Kind)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", want.Why, diff)
	}
}

// symbol writes a message as the vectors do.
func symbol(m *overlay.Message) string {
	switch m.Overlay {
	case overlay.OverlayCompaction:
		return "C"
	case overlay.OverlayBranch:
		return "B"
	case overlay.OverlayNote:
		return "N"
	case overlay.OverlayRepair:
		return "r:" + m.ToolCallID
	case overlay.OverlayPrune:
		instead := m.Content[0].Text
		if strings.HasPrefix(instead, "[tool result cleared: ") {
			instead = ""
		}
		return "p" + strconv.FormatInt(m.Seq, 10) + instead
	}
	return "m" + strconv.FormatInt(m.Seq, 10)
}
