package states

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// TestAccountTellsTheStates: of any log, what the account tells without a context is what the context tells.
func TestAccountTellsTheStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareAccount(t, drawLog(t)) })
}

// TestAccountOfSeqsThatRepeat: a prune means the nearest result only, and a result the nearest open call.
func TestAccountOfSeqsThatRepeat(t *testing.T) {
	prune := over(5, "prune", `"seqs":[2],"tokensFreed":1`)
	compareAccount(t, called(1, "a")+result(2, "a")+called(3, "b")+result(2, "b")+prune)
	compareAccount(t, called(1, "a")+result(2, "a")+called(3, "b")+result(4, "b")+said(2, "user", "")+prune)
	failed := strings.Replace(called(2, "a"), `"role":"assistant"`, `"role":"assistant","stopReason":"error"`, 1)
	compareAccount(t, called(1, "a")+failed+result(3, "a")+result(4, "a")+result(5, "a"))
	compareAccount(t, failed+called(1, "a")+result(3, "a")+result(4, "a"))
}

func compareAccount(t interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}, log string,
) {
	x, resolved := tableOf(t, log)
	var again session.Index
	var account Account
	take := func(i int, _ session.Line, header record.Header, content []byte) {
		if content != nil {
			rec := record.DecodeScanned(header, content)
			account.Take(i, &rec)
		}
	}
	if err := again.Follow(strings.NewReader(log), int64(len(log)), take); err != nil {
		t.Fatal(err)
	}
	table := account.Table(&again)
	seen := table.Outlook().model()
	if model, want := slices.Collect(seen.All()), slices.Collect(resolved.Model.All()); !slices.Equal(model, want) {
		t.Fatalf("of\n%sthe model sees %d, not %d", log, model, want)
	}
	for i, line := range x.Lines.All() {
		if line.Kind == session.LineDamaged {
			continue
		}
		want, _ := resolved.Of(x, i)
		if state, _ := table.Of(&again, i); state != want {
			t.Fatalf("line %d of\n%sis %s, not %s", i+1, log, state, want)
		}
	}
}

// TestAccountGoesOn: what is told of a log that grew by any bytes is what is told of all of it at once, also where a line was half
// written, where lines in the middle are damaged and where the context begins earlier than before.
func TestAccountGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		var account Account
		var x session.Index
		sizes := rapid.SliceOfN(rapid.IntRange(0, len(log)), 0, 4).Draw(t, "sizes")
		slices.Sort(sizes)
		for _, size := range append(sizes, len(log)) {
			if err := x.Extend(strings.NewReader(log), int64(size)); err != nil {
				t.Fatal(err)
			}
			if x.Lines.Len() == 0 {
				continue
			}
			o := OutlookOf(&x)
			if o.kept >= x.Lines.Len() {
				continue // nothing is in range
			}
			table, err := account.resolve(strings.NewReader(log), &o)
			if err != nil {
				t.Fatal(err)
			}
			resolved, err := Resolve(strings.NewReader(log), &x, "")
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range x.Lines.All() {
				state, _ := table.Of(&x, i)
				if want, _ := resolved.Of(&x, i); line.Kind != session.LineDamaged && state != want {
					t.Fatalf("line %d of the first %d bytes of\n%sis %s, not %s", i+1, size, log, state, want)
				}
			}
		}
	})
}
