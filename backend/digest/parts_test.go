package digest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/record"
)

// TestPartsAreAll: what is counted record by record, where copies are known by names, is together what is counted, one for each name; also where
// a log was read in steps.
func TestPartsAreAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := []byte(drawn(t))
		opts := Options{Same: true}
		whole, err := Read(bytes.NewReader(log), int64(len(log)), opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []Day
		for one := range whole.Parts.Each {
			if one.Said != 0 || !one.Loose {
				t.Errorf("a name beside the list of names: %+v", one)
			}
			all = append(all, one.Day)
		}
		if diff := cmp.Diff(whole.Days, MergeDays(all)); diff != "" || len(all) != whole.Said.Len() {
			t.Errorf("%d parts, %d names\n%s", len(all), whole.Said.Len(), diff)
		}
		first := int64(rapid.IntRange(0, len(log)).Draw(t, "first"))
		before, err := Read(bytes.NewReader(log), first, opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		after, err := Continue(before, bytes.NewReader(log), int64(len(log)), opts, nil)
		if errors.Is(err, ErrAnew) {
			return
		}
		if err != nil || !bytes.Equal(after.Parts, whole.Parts) || !slices.Equal(after.Said, whole.Said) {
			t.Errorf("in steps, %v:\n%v\nnot\n%v", err, slices.Collect(after.Parts.Each), slices.Collect(whole.Parts.Each))
		}
	})
}

// TestNamesThatAreTheSame: a record that has such a name is known by it, and what a person wrote also by when that was, and by the
// answer that it stands behind.
func TestNamesThatAreTheSame(t *testing.T) {
	log := `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[{"type":"text","text":"a"}],"timestamp":"2026-01-02T10:00:00Z","origin":{"agent":"x","session":"s","same":"n"}}` + "\n" +
		`{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","model":"m","content":[{"type":"text","text":"b"}],"origin":{"agent":"x","session":"s","same":"n","took":{"input":5}}}` + "\n" +
		`{"recordType":"compaction","schemaVersion":1,"seq":3,"firstKeptSeq":3,"summary":"c","origin":{"agent":"x","session":"s","same":"n","copied":true}}` + "\n"
	d, err := Read(bytes.NewReader([]byte(log)), int64(len(log)), Options{Same: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Collect(d.Said.Each)
	copies := slices.Collect(d.Copies.Each)
	if len(names) != 3 || names[0] == names[1] || names[1] != names[2] || len(copies) != 2 || !copies[0].Also || !copies[0].Behind || copies[1].Said != names[1] || copies[1].Loose {
		t.Errorf("%v %+v", names, copies)
	}
	if u := d.Days[0].Usage; u == nil || u.Input != 5 {
		t.Errorf("what another session tells is counted with the record: %+v", d.Days)
	}
}

// TestPartsTakeLittle: a session of questions, calls and results takes some twenty bytes for each, with its name.
func TestPartsTakeLittle(t *testing.T) {
	const count, most = 20_000, 25
	random := rand.New(rand.NewPCG(1, 2))
	f := newFigures(Options{Same: true})
	for i := range count {
		m := &record.Message{Role: record.RoleToolResult, Same: "x"}
		if i%2 == 0 {
			m = &record.Message{
				Role: record.RoleAssistant, Same: "x", Model: "claude-opus-4-5", Content: []record.Block{{Kind: record.BlockToolCall, Name: "Bash"}},
				Usage: &record.Usage{Input: random.IntN(100), Output: random.IntN(1000), CacheRead: random.IntN(200_000), CacheWrite: random.IntN(2000)},
			}
		}
		f.count(&record.Record{Header: record.Header{Seq: int64(i) + 1}, Message: m}, i, "Bash", false)
	}
	var d Digest
	f.into(&d)
	if each := (len(d.Parts) + len(d.Said)) / count; each > most || each < saidBytes {
		t.Errorf("%d bytes for each", each)
	}
}
