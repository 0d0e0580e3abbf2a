package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func msg(seq int64) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[]}`, seq)
}

func TestDamage(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		last  string // without a newline
		want  []string
	}{
		{name: "none", lines: []string{msg(1), "", msg(2), " \t\r"}},
		{name: "torn inside", lines: []string{msg(1), `{"a":`, msg(2)}, want: []string{"torn 2"}},
		{name: "torn twice", lines: []string{msg(1), `{"a":`, `{"b`, msg(2)}, want: []string{"torn 2", "torn 3"}},
		{name: "corrupt", lines: []string{msg(1), `{"a":`, msg(3)}, want: []string{"corrupt 2"}},
		{name: "no record, nothing missing", lines: []string{msg(1), `{"seq":2}`, msg(2)}, want: []string{"corrupt 2"}},
		{name: "first line", lines: []string{`{"a":`, msg(1)}, want: []string{"torn 1"}},
		{name: "first record lost", lines: []string{`{"a":`, msg(2)}, want: []string{"corrupt 1"}},
		{name: "gap", lines: []string{msg(1), msg(4)}, want: []string{"gap 2"}},
		{name: "gap at the start", lines: []string{msg(2)}, want: []string{"gap 1"}},
		{name: "a damaged line accounts for a gap", lines: []string{msg(1), "x", msg(5)}, want: []string{"corrupt 2"}},
		{name: "order", lines: []string{msg(1), msg(2), msg(2), msg(1), msg(2)}, want: []string{"order 3", "order 4"}},
		{name: "order behind damage", lines: []string{msg(2), "x", msg(1)}, want: []string{"gap 1", "corrupt 2", "order 3"}},
		{name: "newer counts", lines: []string{msg(1), `{"recordType":"hologram","schemaVersion":1,"seq":2}`, msg(3)}},
		{name: "torn tail", lines: []string{msg(1)}, last: `{"recordType"`, want: []string{"torn 2"}},
		{name: "tail that is no record", lines: []string{msg(1)}, last: `{"seq":2}`, want: []string{"torn 2"}},
		{name: "whole tail", lines: []string{msg(1)}, last: msg(2)},
		{name: "last line changed", lines: []string{msg(1), "x" + msg(2)}, want: []string{"corrupt 2"}},
		{name: "last line cut and ended", lines: []string{msg(1), msg(2)[:20]}, want: []string{"torn 2"}},
		{name: "NUL tail", lines: []string{msg(1)}, last: "\x00\x00", want: []string{"torn 2"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			log := []byte(test.last)
			if len(test.lines) > 0 {
				log = []byte(strings.Join(test.lines, "\n") + "\n" + test.last)
			}
			var x Index
			if err := x.Extend(bytes.NewReader(log), int64(len(log))); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range x.Damage {
				got = append(got, fmt.Sprintf("%s %d", d.Kind, d.Line))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			back := NewReverse(bytes.NewReader(log), int64(len(log)))
			for {
				if _, err := back.Prev(); err != nil {
					break
				}
			}
			ignore := cmpopts.IgnoreFields(Damage{}, "Line", "Index")
			if diff := cmp.Diff(x.Damage, back.Damage(), ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("reading backward differs from forward (-forward +backward)\n%s", diff)
			}
		})
	}
}

// logs draws logs of all kinds of lines, in any order.
func logs() *rapid.Generator[[]byte] {
	line := rapid.OneOf(
		rapid.Map(rapid.Int64Range(1, 12), msg),
		rapid.Map(rapid.Int64Range(1, 12), func(seq int64) string {
			return fmt.Sprintf(`{"recordType":"hologram","schemaVersion":1,"seq":%d}`, seq)
		}),
		rapid.SampledFrom([]string{"", " ", "\x00\x00", "{", "{}", "null", "x", `{"a":1}{`, "\xef\xbb\xbf", "\r", strings.Repeat("y", 100_000)}),
	)
	return rapid.Custom(func(t *rapid.T) []byte {
		lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"", "\n", "\r\n"}).Draw(t, "end")
		return []byte(strings.Join(lines, "\n") + end)
	})
}

// TestBackwardReadsWhatForwardReads: the same records at the same places and the same damage.
func TestBackwardReadsWhatForwardReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := logs().Draw(t, "log")
		var x Index
		if err := x.Extend(bytes.NewReader(log), int64(len(log))); err != nil {
			t.Fatal(err)
		}
		var forward, backward []string
		for _, line := range x.Lines.All() {
			if line.Seq > 0 {
				forward = append(forward, fmt.Sprint(line.Offset, line.Seq))
			}
		}
		back := NewReverse(bytes.NewReader(log), int64(len(log)))
		for {
			entry, err := back.Prev()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			backward = append(backward, fmt.Sprint(entry.Offset, entry.Seq))
		}
		slices.Reverse(backward)
		if diff := cmp.Diff(forward, backward); diff != "" {
			t.Fatalf("records (-forward +backward)\n%s", diff)
		}
		ignore := cmpopts.IgnoreFields(Damage{}, "Line", "Index")
		if diff := cmp.Diff(x.Damage, back.Damage(), ignore, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("damage (-forward +backward)\n%s", diff)
		}
	})
}

// TestExtendingEqualsIndexingAnew: however a log grew, in whole lines or not, the index is the same.
func TestExtendingEqualsIndexingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := logs().Draw(t, "log")
		var grown Index
		for size := 0; size < len(log); {
			size += rapid.IntRange(1, len(log)-size).Draw(t, "more")
			if err := grown.Extend(bytes.NewReader(log), int64(size)); err != nil {
				t.Fatal(err)
			}
		}
		var whole Index
		if err := whole.Extend(bytes.NewReader(log), int64(len(log))); err != nil {
			t.Fatal(err)
		}
		opts := cmp.Options{sameLines, cmpopts.EquateEmpty(), cmpopts.EquateComparable(Counts{}), cmpopts.IgnoreUnexported(Index{})}
		if diff := cmp.Diff(whole, grown, opts); diff != "" {
			t.Fatalf("(-at once +grown)\n%s", diff)
		}
	})
}

// TestSkimFindsTheSamePlaces: a skim knows the place and the number of every line that a full read takes for a record,
// however the log grew.
func TestSkimFindsTheSamePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := logs().Draw(t, "log")
		if rapid.Bool().Draw(t, "damage inside") {
			log = append([]byte(strings.Replace(msg(5), "[]", "[nonsense]", 1)+"\n"), log...)
		}
		var skimmed, whole Index
		size := rapid.IntRange(0, len(log)).Draw(t, "at first")
		for _, size := range []int{size, len(log)} {
			if err := skimmed.Skim(bytes.NewReader(log), int64(size)); err != nil {
				t.Fatal(err)
			}
		}
		if err := whole.Extend(bytes.NewReader(log), int64(len(log))); err != nil {
			t.Fatal(err)
		}
		if skimmed.Lines.Len() != whole.Lines.Len() || skimmed.Size != whole.Size {
			t.Fatalf("%d lines, not %d", skimmed.Lines.Len(), whole.Lines.Len())
		}
		for i, line := range whole.Lines.All() {
			got := skimmed.Lines.At(i)
			if line.Kind == LineDamaged {
				line.Seq, line.Kind = got.Seq, got.Kind // all that a skim may get wrong
			}
			if diff := cmp.Diff(line, got); diff != "" {
				t.Fatalf("line %d (-whole +skimmed)\n%s", i, diff)
			}
		}
	})
}

// FuzzRead: any bytes index and read backward without a panic, with the same records, and every byte belongs to a line
// that is a record, damage or blank.
func FuzzRead(f *testing.F) {
	f.Add([]byte(msg(1) + "\n" + msg(2)))
	f.Add([]byte("\xef\xbb\xbf" + msg(1) + "\r\n\x00\x00\n" + msg(3) + "{}\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		var x Index
		if err := x.Extend(bytes.NewReader(log), int64(len(log))); err != nil {
			t.Fatal(err)
		}
		damaged := 0
		for _, d := range x.Damage {
			if d.Kind == DamageTorn || d.Kind == DamageCorrupt {
				damaged++
			}
		}
		if x.Records+x.Newer+damaged != x.Lines.Len() {
			t.Fatalf("%d records, %d newer, %d damaged lines make %d lines", x.Records, x.Newer, damaged, x.Lines.Len())
		}
		back := NewReverse(bytes.NewReader(log), int64(len(log)))
		n := 0
		for {
			if _, err := back.Prev(); err != nil {
				break
			}
			n++
		}
		if n != x.Records+x.Newer {
			t.Fatalf("%d records backward, %d forward", n, x.Records+x.Newer)
		}
	})
}

// TestReaderNeverSeesHalfARecord follows a log that grows byte by byte.
func TestReaderNeverSeesHalfARecord(t *testing.T) {
	log := []byte(msg(1) + "\n" + `{"recordType":"message","schemaVersion":1,"seq":2,"role":"user","content":[{"type":"text","text":"}{\"\\"}]}` + "\n")
	first, second := int64(strings.Index(string(log), "\n")), int64(len(log)-1)
	var x Index
	for size := range int64(len(log) + 1) {
		if err := x.Extend(bytes.NewReader(log), size); err != nil {
			t.Fatal(err)
		}
		want := 0
		if size >= first {
			want++
		}
		if size >= second {
			want++
		}
		if got := len(seqsOf(&x)); got != want {
			t.Fatalf("at byte %d: %d records, want %d", size, got, want)
		}
	}
}
