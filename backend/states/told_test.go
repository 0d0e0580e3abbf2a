package states

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

// TestResolveGoesOn: what an account that was asked before tells of a log that grew by any bytes, and why, is what a context of it tells.
func TestResolveGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		sizes := rapid.SliceOfN(rapid.IntRange(0, len(log)), 0, 6).Draw(t, "sizes")
		slices.Sort(sizes)
		goesOn(t, log, append(sizes, len(log)))
	})
}

// TestResolveGoesOnBehindACompaction: a result is left out for another reason where its call is not in range any more.
func TestResolveGoesOnBehindACompaction(t *testing.T) {
	failed := strings.Replace(called(2, "a"), `"role":"assistant"`, `"role":"assistant","stopReason":"error"`, 1)
	log := said(1, "user", "") + failed + result(3, "a")
	all := log + compacted(4, 3) + said(5, "user", "")
	goesOn(t, all, []int{len(log), len(all)})
}

// tester is what both a test and an example that was drawn are.
type tester interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func goesOn(t tester, log string, sizes []int) {
	var account Account
	var x session.Index
	for _, size := range sizes {
		resolveOn(t, &account, &x, log[:size])
	}
}

// resolveOn asks that an account that was asked before tells of a log what a context of it tells.
func resolveOn(t tester, account *Account, x *session.Index, log string) {
	text := strings.NewReader(log)
	if err := x.Extend(text, text.Size()); err != nil {
		t.Fatal(err)
	}
	index := *x // tables keep it
	got, err := account.Resolve(text, &index, "")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Resolve(text, &index, "")
	if err != nil {
		t.Fatal(err)
	}
	if model, all := slices.Collect(got.Model.All()), slices.Collect(want.Model.All()); !slices.Equal(model, all) || got.Outlook() != nil {
		t.Fatalf("of\n%sthe model sees %d, not %d", log, model, all)
	}
	for i := range x.Lines.Len() {
		state, why := got.Of(&index, i)
		wanted, because := want.Of(&index, i)
		if state != wanted || why != because {
			t.Fatalf("line %d of\n%sis %s (%s), not %s (%s)", i+1, log, state, why, wanted, because)
		}
	}
}

// TestResolveGoesOnFromWhereItWas: nothing before the end of what was taken is read again.
func TestResolveGoesOnFromWhereItWas(t *testing.T) {
	log := said(1, "user", "") + called(2, "a") + result(3, "a") + result(4, "none") + strings.Repeat(said(5, "user", ""), 20)
	var account Account
	var x session.Index
	for n, more := range []string{"", said(6, "user", ""), called(7, "b"), result(8, "b")} {
		before := int64(len(log))
		log += more
		text := strings.NewReader(log)
		if err := x.Extend(text, text.Size()); err != nil {
			t.Fatal(err)
		}
		index := x
		if o := OutlookOf(&index); n > 1 && account.Unread(&o) > text.Size()-before+before/2 {
			t.Errorf("%d: %d bytes are to be read", n, account.Unread(&o))
		}
		if n > 1 {
			text = strings.NewReader(strings.Repeat("x", int(before/2)) + log[before/2:])
		}
		table, err := account.Resolve(text, &index, "")
		if err != nil {
			t.Fatal(err)
		}
		if state, why := table.Of(&index, 3); state != Dropped || !strings.Contains(why, "not open") {
			t.Errorf("%d: a result without a call is %s, %q", n, state, why)
		}
	}
}
