package digest

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// littleAway has lists put away from the second or third of anything on.
func littleAway(t *testing.T) {
	names, rows, runs, copies := namesAway, rowsAway, runsAway, copiesBlock
	t.Cleanup(func() { namesAway, rowsAway, runsAway, copiesBlock = names, rows, runs, copies })
	namesAway, rowsAway, runsAway, copiesBlock = 2, 1, 2, 2
}

// TestWhatWasPutAwayIsNotNeeded: a log is read on from a digest of which all was put away that can be, and what is then there and put away is
// what would be if it had been read at once.
func TestWhatWasPutAwayIsNotNeeded(t *testing.T) {
	littleAway(t)
	away := 0
	rapid.Check(t, func(rt *rapid.T) {
		opts := options()
		opts.Same, opts.Own = rapid.Bool().Draw(rt, "same"), rapid.Bool().Draw(rt, "own")
		away += readsOn(rt, opts, drawn(rt), drawn(rt), drawn(rt))
	})
	var asked, answered, compacted strings.Builder
	for seq := 1; seq < 10; seq++ {
		line(&asked, seq, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"x"}]`)
		line(&answered, 10+seq, `"message","schemaVersion":1,"role":"assistant","model":"m","content":[{"type":"text","text":"x"}]`)
		line(&compacted, 10+seq, `"compaction","schemaVersion":1,"summary":"s","tokensBefore":9,"firstKeptSeq":%d`, seq)
	}
	opts := options()
	opts.Same = true
	away += readsOn(t, opts, asked.String(), answered.String())
	away += readsOn(t, opts, asked.String()+compacted.String(), asked.String(), asked.String())
	if away == 0 {
		t.Error("nothing was put away")
	}
}

// failing is a test, or a case of one.
type failing interface {
	Fatalf(format string, args ...any)
}

// readsOn reads a log that grows, and says how many pieces were put away and not needed.
func readsOn(t failing, opts Options, log string, more ...string) (away int) {
	d, err := Read(strings.NewReader(log), int64(len(log)), opts, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	pieces := d.PutAway()
	for _, part := range more {
		log += part
		before := string(d.Encode())
		next, err := Continue(d, strings.NewReader(log), int64(len(log)), opts, nil)
		if string(d.Encode()) != before {
			t.Fatalf("%s\nthe digest before was %s", d.Encode(), before)
		}
		if errors.Is(err, ErrAnew) {
			return 0
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		away, d = d.Away, next
		pieces = append(pieces, d.PutAway()...)
	}
	want, err := Read(strings.NewReader(log), int64(len(log)), opts, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	whole := *want
	if n := len(want.PutAway()); n != len(pieces) || string(d.Encode()) != string(want.Encode()) {
		t.Fatalf("%s\n%d pieces and\n%s\nnot %d and\n%s", log, len(pieces), d.Encode(), n, want.Encode())
	}
	if d.Rejoin(pieces); string(d.Encode()) != string(whole.Encode()) {
		t.Fatalf("%s\n%s\nnot\n%s", log, d.Encode(), whole.Encode())
	}
	return away
}

// TestWhatStaysIsLittle: however much was said, what is not put away is not more.
func TestWhatStaysIsLittle(t *testing.T) {
	const most = 16 << 10
	random := rand.New(rand.NewPCG(1, 2))
	var d Digest
	var c copier
	for range 6000 {
		name := short{byte(random.Uint32()), byte(random.Uint32())}
		d.Said = append(d.Said, name[:]...)
		*c.add(Said(random.Uint32())) = Day{Day: "2026-01-02", Model: "m", Sum: Sum{Messages: 1}}
	}
	d.Copies, d.Parts = c.all(), c.all()
	d.Ledger = slices.Repeat([]Compaction{{Seq: 1, Trigger: "auto", Model: "m", State: "superseded"}}, 1000)
	d.Spans, d.Apart = Spans(strings.Repeat("c3s4", 5000)), Spans(strings.Repeat("d1-20", 5000))
	all := len(d.Encode())
	if d.PutAway(); len(d.Encode()) > most {
		t.Errorf("of %d bytes %d stay", all, len(d.Encode()))
	}
}

// TestWhatIsLostOfADigest: where a piece is missing, nothing is told that it takes all of them for.
func TestWhatIsLostOfADigest(t *testing.T) {
	littleAway(t)
	d := Digest{Messages: 5, Said: make(Names, 5*saidBytes), Spans: "c3s4d5c6s7", Apart: "c1", Copies: Copies("x"), Parts: Copies("x")}
	pieces := d.PutAway()
	d.Rejoin(pieces[1:])
	if want := (Digest{Messages: 5}); !reflect.DeepEqual(d, want) {
		t.Errorf("%s", d.Encode())
	}
}

// TestPutAwayEarly: what was put away while a log was read, what was put away then, and the rest are the digest of it; and it is read on from
// the rest as if nothing had been put away early.
func TestPutAwayEarly(t *testing.T) {
	littleAway(t)
	away := 0
	rapid.Check(t, func(t *rapid.T) {
		opts := options()
		opts.Same, opts.Own = rapid.Bool().Draw(t, "same"), rapid.Bool().Draw(t, "own")
		log, more := drawn(t), drawn(t)
		read := func(early bool) *Digest {
			opts.Early = early
			d, err := Read(strings.NewReader(log), int64(len(log)), opts, nil)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		want, got := read(false), read(true)
		var pieces [][]byte
		for piece := range got.Early() {
			pieces = append(pieces, piece)
		}
		away += len(pieces)
		pieces = append(pieces, got.PutAway()...)
		rest := *want
		if n := len(rest.PutAway()); n != len(pieces) || string(rest.Encode()) != string(got.Encode()) {
			t.Fatalf("%s\n%d pieces and\n%s\nnot %d and\n%s", log, len(pieces), got.Encode(), n, rest.Encode())
		}
		all := log + more
		next, err := Continue(got, strings.NewReader(all), int64(len(all)), opts, nil)
		if err == nil {
			if next.Early() != nil {
				t.Fatal("what was put away before is told again")
			}
		} else if !errors.Is(err, ErrAnew) {
			t.Fatal(err)
		}
		if got.Rejoin(pieces); string(got.Encode()) != string(want.Encode()) {
			t.Fatalf("%s\n%s\nnot\n%s", log, got.Encode(), want.Encode())
		}
	})
	if away == 0 {
		t.Error("nothing was put away early")
	}
}
