package backend

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/compaction"
	"palimpsest/backend/session"
)

// What a draft tells of is told of its text when somebody asks, and of the compaction once it is made; of the next one, too, which replaces it.
func TestFidelityIsTheSameBeforeAndAfter(t *testing.T) {
	asksNobody(t)
	log := said(1, "user", "Never touch vendor/a.go. It took 40 s.") + said(2, "assistant", "`runAll` fails with ENOENT, see src/b.go") +
		said(3, "user", "and src/c.go?") + said(4, "assistant", "Fixed in 9f8c3f1.") + said(5, "user", "Thanks.")
	b, id := open(t, log)
	var told []compaction.Fidelity
	for _, c := range []struct {
		cut     int64
		summary string
	}{{3, "## Goal\n- leave vendor/a.go alone, never touch it; `runAll` fails"}, {5, "## Goal\n- look at src/c.go"}} {
		wanted := Compact{Cut: cutAt(c.cut), Summary: &c.summary, DryRun: true}
		dry, err := b.Compact(t.Context(), id, wanted)
		newsMust(t, err)
		measured, err := b.Measure(t.Context(), id, Measure{Cut: cutAt(c.cut), Summary: c.summary})
		newsMust(t, err)
		if diff := cmp.Diff(dry.Draft.Fidelity, measured); diff != "" {
			t.Errorf("asked for it:\n%s", diff)
		}
		wanted.DryRun = false
		made, err := b.Compact(t.Context(), id, wanted)
		newsMust(t, err)
		after, err := b.Fidelity(id, *made.CommittedSeq)
		newsMust(t, err)
		if diff := cmp.Diff(measured, after); diff != "" {
			t.Errorf("made:\n%s", diff)
		}
		told = append(told, *after)
	}
	want := []compaction.Fidelity{
		{
			Kept: 3, Total: 6,
			Kinds: []compaction.FactCount{
				{Kind: compaction.FactRule, Kept: 1, Total: 1},
				{Kind: compaction.FactFile, Kept: 1, Total: 2},
				{Kind: compaction.FactIdentifier, Kept: 1, Total: 1},
				{Kind: compaction.FactError, Total: 1},
				{Kind: compaction.FactNumber, Total: 1},
			},
			Lost: []compaction.Fact{{Kind: compaction.FactFile, Text: "src/b.go", Seq: 2}, {Kind: compaction.FactError, Text: "ENOENT", Seq: 2}, {Kind: compaction.FactNumber, Text: "40 s", Seq: 1}},
		},
		{
			Kept: 1, Total: 5,
			Kinds: []compaction.FactCount{
				{Kind: compaction.FactRule, Total: 1},
				{Kind: compaction.FactFile, Kept: 1, Total: 2},
				{Kind: compaction.FactIdentifier, Total: 1},
				{Kind: compaction.FactCommit, Total: 1},
			},
			Lost: []compaction.Fact{
				{Kind: compaction.FactRule, Text: "leave vendor/a.go alone, never touch it; `runAll` fails", Seq: 6},
				{Kind: compaction.FactFile, Text: "vendor/a.go", Seq: 6},
				{Kind: compaction.FactIdentifier, Text: "runAll", Seq: 6},
				{Kind: compaction.FactCommit, Text: "9f8c3f1", Seq: 4},
			},
		},
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	for seq, want := range map[int64]error{1: session.ErrInput, 99: session.ErrNotFound} {
		if _, err := b.Fidelity(id, seq); !errors.Is(err, want) {
			t.Errorf("record %d: %v", seq, err)
		}
	}
	if _, err := b.Measure(t.Context(), id, Measure{Cut: cutAt(5)}); !errors.Is(err, session.ErrInput) && !errors.Is(err, compaction.ErrCut) {
		t.Errorf("of nothing that could be compacted: %v", err)
	}
}

// Of a log of which a compaction was made a long time ago only what came since is looked at.
func TestSinceCompaction(t *testing.T) {
	log := said(1, "user", strings.Repeat("x", 1000)) +
		`{"recordType":"compaction","schemaVersion":1,"seq":2,"summary":"S","firstKeptSeq":2}` + "\n" + said(3, "user", "y")
	b, id := open(t, log+`{"recordType":"compaction","schemaVersion":1,"seq":4,"summary":"T","firstKeptSeq":4}`+"\n")
	v, err := b.view(id)
	newsMust(t, err)
	defer v.close()
	second := strings.Index(log, `{"recordType":"compaction"`)
	if first, then := v.sinceCompaction(1), v.sinceCompaction(3); first != int64(second) || then != int64(len(log)-second) {
		t.Errorf("%d and %d of %d bytes", first, then, len(log))
	}
}

// A compaction of another agent is measured as one of ours is.
func TestFidelityOfAnotherAgent(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	outline, err := b.Outline("pi:s1")
	newsMust(t, err)
	f, err := b.Fidelity("pi:s1", outline.Compactions[0].Seq)
	if err != nil || f == nil || f.Kinds == nil || f.Lost == nil {
		t.Errorf("%+v, %v", f, err)
	}
}
