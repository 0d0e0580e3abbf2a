//go:build !race

package compaction

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// lookups are a turn with one call of a tool for each size of result, in tokens.
func lookups(turn int, tool string, sizes ...int) []string {
	out := []string{said(fmt.Sprint("turn ", turn))}
	for i, size := range sizes {
		id := fmt.Sprintf("c%d-%d", turn, i)
		out = append(out, answered("", call(id, tool, "{}")), result(id, tokensOf(size)))
	}
	return append(out, answered("done"))
}

func TestClear(t *testing.T) {
	recent := slices.Concat(lookups(8, "read", 90_000), lookups(9, "read", 90_000)) // 8 records, never touched
	for name, c := range map[string]struct {
		log       []string
		protected []string
		want      []int64
	}{
		"an empty log":                   {nil, nil, nil},
		"two turns only":                 {nil, nil, nil},
		"within the newest 40,000":       {lookups(1, "read", 20_000, 20_000), nil, nil},
		"too little beyond them":         {lookups(1, "read", 19_000, 40_000), nil, nil},
		"enough beyond them":             {lookups(1, "read", 20_010, 40_000), nil, []int64{3}},
		"one that reaches beyond":        {lookups(1, "read", 1, 60_000), nil, []int64{5}},
		"several of several turns":       {slices.Concat(lookups(1, "read", 15_000, 15_000), lookups(2, "bash", 40_000)), nil, []int64{3, 5}},
		"a protected tool":               {slices.Concat(lookups(1, "skill", 30_000), lookups(2, "read", 40_000)), []string{"skill"}, nil},
		"a protected one does not count": {slices.Concat(lookups(1, "read", 30_000), lookups(2, "skill", 40_000), lookups(3, "read", 10_000)), []string{"skill"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			log := c.log
			if name != "an empty log" {
				log = slices.Concat(c.log, recent)
			}
			got := Clear(contextOf(t, log...), c.protected)
			var seqs []int64
			if got != nil {
				seqs = got.Seqs
			}
			if !slices.Equal(seqs, c.want) {
				t.Fatalf("%v, want %v", seqs, c.want)
			}
			if got == nil {
				return
			}
			line, err := got.Record()
			if err != nil {
				t.Fatal(err)
			}
			before, after := contextOf(t, log...), contextOf(t, append(log, string(line))...)
			if freed := before.Estimate() - after.Estimate(); freed != got.TokensFreed || freed < ClearLeast {
				t.Errorf("freed %d, said %d", freed, got.TokensFreed)
			}
			if again := Clear(after, c.protected); again != nil {
				t.Errorf("clears %v again", again.Seqs)
			}
		})
	}
}

// TestClearInOtherWords: what a prune has put in place of a result may be long, too, and is cleared like any other.
func TestClearInOtherWords(t *testing.T) {
	recent := slices.Concat(lookups(8, "read", 90_000), lookups(9, "read", 90_000))
	instead := func(words string) []string {
		return slices.Concat(lookups(1, "read", 30_000, 40_000), recent, []string{fmt.Sprintf(`{"recordType":"prune","schemaVersion":2,"seqs":[3],"tokensFreed":0,"texts":[%q]}`, words)})
	}
	log := instead(strings.Repeat("word ", 20_000))
	prune := Clear(contextOf(t, log...), nil)
	if prune == nil || !slices.Equal(prune.Seqs, []int64{3}) {
		t.Fatalf("%+v", prune)
	}
	line, err := prune.Record()
	if err != nil {
		t.Fatal(err)
	}
	before, after := contextOf(t, log...), contextOf(t, append(log, string(line))...)
	if freed := before.Estimate() - after.Estimate(); freed != prune.TokensFreed || Clear(after, nil) != nil {
		t.Errorf("freed %d, said %d", freed, prune.TokensFreed)
	}
	if prune := Clear(contextOf(t, instead("few words")...), nil); prune != nil {
		t.Errorf("clears what is short: %+v", prune)
	}
}

// TestClearedTokensAreFreed: what a prune says that it frees is what the context shrinks by, it names results only, and none
// of the last two turns.
func TestClearedTokensAreFreed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var log []byte
		for turn := range rapid.IntRange(1, 6).Draw(t, "turns") {
			sizes := rapid.SliceOfN(rapid.SampledFrom([]int{1, 30, 9_000, 21_000, 45_000}), 0, 3).Draw(t, "sizes")
			log = grow(t, log, lookups(turn, rapid.SampledFrom([]string{"read", "skill"}).Draw(t, "tool"), sizes...)...)
		}
		c := resolve(t, log)
		prune := Clear(c, []string{"skill"})
		if prune == nil {
			return
		}
		line, err := prune.Record()
		if err != nil {
			t.Fatal(err)
		}
		after := resolve(t, grow(t, log, string(line)))
		if freed := c.Estimate() - after.Estimate(); freed != prune.TokensFreed || freed < ClearLeast || len(after.Repairs) != 0 {
			t.Errorf("freed %d, said %d, repairs %v", freed, prune.TokensFreed, after.Repairs)
		}
		turns := 0
		for i := range slices.Backward(after.Messages) {
			m := &after.Messages[i]
			if m.Role == record.RoleUser {
				turns++
			}
			if m.Overlay == overlay.OverlayPrune && turns < 2 {
				t.Errorf("cleared %d of the last two turns", m.Seq)
			}
		}
	})
}

func TestKeepingMessages(t *testing.T) {
	log := []string{
		said("1"), answered("2"), said("3"), answered("", call("a", "read", "{}")), result("a", "5"), answered("6"), said("7"), answered("8"),
	}
	for keep, want := range map[int]int64{1: 8, 2: 7, 3: 6, 4: 6, 5: 4, 6: 3, 7: 2, 8: 0, 20: 0} {
		plan, err := Make(contextOf(t, log...), Options{KeepMessages: keep, KeepRecent: 1})
		switch {
		case want == 0 && err == nil:
			t.Errorf("%d: cut at %d", keep, plan.CutSeq)
		case want != 0 && (err != nil || plan.CutSeq != want):
			t.Errorf("%d: %+v, %v, want %d", keep, plan, err, want)
		}
	}
}
