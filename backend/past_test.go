package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/session"
)

func statesIn(t *testing.T, b *Backend, id string, opts PageOptions) []State {
	t.Helper()
	page, err := b.Page(id, opts)
	newsMust(t, err)
	got := make([]State, 0, len(page.Entries))
	for _, entry := range page.Entries {
		got = append(got, entry.State)
	}
	return got
}

func TestAPageAsOfAMoment(t *testing.T) {
	b, id := open(t, story())
	for _, c := range []struct {
		at   int64
		want []State
	}{
		{1, []State{"kept"}},
		{3, []State{"kept", "kept", "kept"}},
		{4, []State{"superseded", "superseded", "kept", "inForce"}},
		{6, []State{"superseded", "superseded", "superseded", "folded", "kept", "inForce"}},
		{7, []State{"superseded", "superseded", "kept", "inForce", "fresh", "reverted", "meta"}},
		{8, []State{"superseded", "superseded", "kept", "inForce", "fresh", "reverted", "meta", "fresh"}},
		{9, []State{"superseded", "superseded", "kept", "inForce", "fresh", "reverted", "meta", "offPath", "meta"}},
	} {
		got := statesIn(t, b, id, PageOptions{AsOf: c.at})
		for len(c.want) < len(got) {
			c.want = append(c.want, StateLater)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("as of %d: %s", c.at, diff)
		}
	}
	if diff := cmp.Diff(statesIn(t, b, id, PageOptions{}), statesIn(t, b, id, PageOptions{AsOf: 12})); diff != "" {
		t.Error("the last record is now:", diff)
	}
	if diff := cmp.Diff([]State{"kept", "inForce", "fresh"}, statesIn(t, b, id, PageOptions{AsOf: 5, Model: true})); diff != "" {
		t.Error("what the model saw:", diff)
	}
	if _, err := b.Page(id, PageOptions{AsOf: 99}); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
	if _, err := b.OutlineAsOf(id, 99); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
}

func TestAnOutlineAsOfAMoment(t *testing.T) {
	b, id := open(t, story())
	now, err := b.Outline(id)
	newsMust(t, err)
	then, err := b.OutlineAsOf(id, 4)
	newsMust(t, err)
	if then.ModelTotal != 2 || then.Total != now.Total {
		t.Errorf("%d of %d", then.ModelTotal, then.Total)
	}
	if got := []State{then.Compactions[0].State, then.Compactions[1].State}; !slices.Equal(got, []State{StateInForce, StateLater}) {
		t.Error(got)
	}
	for i := range then.Compactions {
		if diff := cmp.Diff(now.Compactions[i].Messages, then.Compactions[i].Messages); diff != "" {
			t.Error("what it took out:", diff)
		}
	}
}

// A moment does not change: what is appended behind it is later, in the moment that was resolved before, too.
func TestAMomentStaysWhatItWas(t *testing.T) {
	b, id := open(t, story())
	before := statesIn(t, b, id, PageOptions{AsOf: 5})
	_, err := b.Append(t.Context(), id, strings.NewReader(`{"recordType":"message","schemaVersion":1,"role":"user","content":[]}`+"\n"))
	newsMust(t, err)
	if diff := cmp.Diff(append(before, StateLater), statesIn(t, b, id, PageOptions{AsOf: 5})); diff != "" {
		t.Error(diff)
	}
}

// Page after page of one moment is resolved once.
func TestAMomentIsResolvedOnce(t *testing.T) {
	b, id := open(t, story())
	resolved := func(at int64) any {
		v, err := b.glance(id)
		newsMust(t, err)
		defer v.close()
		newsMust(t, v.asOf(at))
		return v.states
	}
	first := resolved(5)
	if resolved(5) != first {
		t.Error("resolved again")
	}
	if resolved(6) == first {
		t.Error("another moment has the same states")
	}
}

func TestAPageAsOfAMomentOfTheirs(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	outline, err := b.Outline("pi:s1")
	newsMust(t, err)
	complaints := momentComplaints(b, "pi:s1", int64(outline.Total))
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

// momentComplaints compares, as of each record, what a page says the model saw with what the context as of it holds.
func momentComplaints(b *Backend, id string, last int64) (complaints []string) {
	for at := int64(1); at <= last; at++ {
		seen, err := b.Context(id, ContextOptions{At: at})
		page, pageErr := b.Page(id, PageOptions{AsOf: at, Limit: pageMost})
		if errors.Is(err, session.ErrNotFound) && errors.Is(pageErr, session.ErrNotFound) {
			continue
		}
		if err != nil || pageErr != nil {
			return append(complaints, fmt.Sprintf("as of %d: %v, %v", at, err, pageErr))
		}
		held, shown := []int64{}, []int64{}
		for _, m := range seen.Messages {
			if m.Seq != 0 {
				held = append(held, m.Seq)
			}
		}
		for i, entry := range page.Entries {
			var rec struct {
				RecordType string
				Seq        int64
			}
			if err := json.Unmarshal(page.Records[i], &rec); err != nil {
				return append(complaints, err.Error())
			}
			in := entry.State == StateKept || entry.State == StateFresh || entry.State == StatePruned
			if in && rec.RecordType == "message" {
				shown = append(shown, rec.Seq)
			}
		}
		slices.Sort(held) // results stand behind their calls there
		slices.Sort(shown)
		if diff := cmp.Diff(held, shown); diff != "" {
			complaints = append(complaints, fmt.Sprintf("as of %d: %s", at, diff))
		}
	}
	return complaints
}
