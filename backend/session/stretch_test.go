package session

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// read takes all lines; their bytes are copied, as the next read may take them back.
func read(t *rapid.T, lines lineReader) []rawLine {
	defer lines.close()
	var out []rawLine
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		line.bytes = slices.Clone(line.bytes)
		line.header, line.peeked = rawLine{}.header, false
		out = append(out, line)
	}
}

// TestStretches: wherever a log is divided, its lines are those that one reader finds.
func TestStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := logs().Draw(t, "log")
		ends := []int{0}
		for i, c := range log {
			if c == '\n' {
				ends = append(ends, i+1)
			}
		}
		from := int64(rapid.SampledFrom(ends).Draw(t, "from"))
		size := rapid.Int64Range(from, int64(len(log))).Draw(t, "size")
		length := rapid.Int64Range(1, 300).Draw(t, "length")
		r := bytes.NewReader(log)
		want := read(t, newForwardLines(io.NewSectionReader(r, from, size-from), from))
		got := read(t, newStretches(r, from, size, length))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(rawLine{}), cmp.Comparer(bytes.Equal)); diff != "" {
			t.Fatalf("(-forward +stretches)\n%s", diff)
		}
	})
}

// littleIsMany has a log of some stretches be large.
func littleIsMany(t *testing.T) {
	before := manyBytes
	t.Cleanup(func() { manyBytes = before })
	manyBytes = 5 * stretchBytes
}

// TestSkimOfMuch: a skim that several have a part in finds what a full read finds, lines of any length too.
func TestSkimOfMuch(t *testing.T) {
	littleIsMany(t)
	var log bytes.Buffer
	for seq := int64(1); int64(log.Len()) < 2*manyBytes; seq++ {
		text := strings.Repeat("all work and no play ", int(seq*7919%9000))
		if seq == 40 {
			text = strings.Repeat("x", 3*stretchBytes)
		}
		log.WriteString(strings.Replace(msg(seq), "[]", `[{"type":"text","text":"`+text+`"}]`, 1) + "\n")
	}
	log.WriteString(`{"recordType":"mess`)
	var skimmed, whole Index
	if err := skimmed.Skim(bytes.NewReader(log.Bytes()), int64(log.Len())); err != nil {
		t.Fatal(err)
	}
	if err := whole.Extend(bytes.NewReader(log.Bytes()), int64(log.Len())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.Lines, skimmed.Lines, sameLines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(whole.Damage, skimmed.Damage); diff != "" {
		t.Error(diff)
	}
}

// TestSkimTellsPromptsApart: what a person alone was shown is none.
func TestSkimTellsPromptsApart(t *testing.T) {
	log := msg(1) + "\n" + strings.Replace(msg(2), `"role"`, `"aside":true,"role"`, 1) + "\n" + strings.Replace(msg(3), "[]", `[{"type":"text","text":"\"aside\":true"}]`, 1) + "\n"
	var skimmed Index
	if err := skimmed.Skim(strings.NewReader(log), int64(len(log))); err != nil {
		t.Fatal(err)
	}
	var kinds []LineKind
	for _, line := range skimmed.Lines.All() {
		kinds = append(kinds, line.Kind)
	}
	if diff := cmp.Diff([]LineKind{LineUser, LineAside, LineUser}, kinds); diff != "" {
		t.Error(diff)
	}
}

// failing can't be read beyond a place.
type failing struct {
	io.ReaderAt
	at int64
}

var errBroken = errors.New("broken")

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.at {
		return 0, errBroken
	}
	return f.ReaderAt.ReadAt(p, at)
}

// TestSkimFails: what can't be read is told, and the index stays as it was.
func TestSkimFails(t *testing.T) {
	littleIsMany(t)
	log := bytes.Repeat([]byte(msg(1)+"\n"), int(2*manyBytes)/len(msg(1)))
	var x Index
	if err := x.Skim(failing{bytes.NewReader(log), manyBytes + 5}, int64(len(log))); !errors.Is(err, errBroken) {
		t.Errorf("told %v", err)
	}
	if x.Lines.Len() != 0 || x.Size != 0 {
		t.Errorf("%d lines of %d bytes are indexed", x.Lines.Len(), x.Size)
	}
}
