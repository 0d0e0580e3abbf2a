//go:build !race

package export

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// piOfMany writes a long session in which calls, results, prunes, labels and branches point back.
func piOfMany(t *testing.T, out io.Writer, records int, each func(i int)) {
	t.Helper()
	lines := []string{
		`"recordType":"message","schemaVersion":1,"role":"assistant","model":"m","content":[{"type":"toolCall","id":"call%[1]d","name":"bash","arguments":{}}]`,
		`"recordType":"message","schemaVersion":1,"role":"toolResult","toolCallId":"call%[2]d","isError":false,"content":[{"type":"text","text":"` + strings.Repeat("x", 300) + `"}]`,
		`"recordType":"prune","schemaVersion":2,"seqs":[%[2]d],"tokensFreed":1`,
		`"recordType":"label","schemaVersion":2,"targetSeq":%[2]d,"label":"l"`,
		`"recordType":"branch","schemaVersion":2,"fromSeq":%[2]d`,
	}
	p := NewPi(out, Session{ID: "S", Name: "N"}, nil, nil)
	for seq := 1; seq <= records; seq++ {
		rec, err := record.Decode(fmt.Appendf(nil, `{"seq":%[1]d,`+lines[(seq-1)%len(lines)]+`}`, seq, seq-1))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Add(&rec, false); err != nil {
			t.Fatal(err)
		}
		each(seq)
	}
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
}

// TestPiMemoryDoesNotGrow: four times as many records take no more memory.
func TestPiMemoryDoesNotGrow(t *testing.T) {
	const few, most = 3000, 64 << 10
	many.TestOnlyLittle(t)
	heldFor := func(records int) (held int64) {
		before := heaptest.InUse()
		piOfMany(t, io.Discard, records, func(seq int) {
			if seq == records {
				held = heaptest.InUse() - before
			}
		})
		return held
	}
	heldFor(few / 8) // what is made once
	if less, more := heldFor(few), heldFor(4*few); more > less+most {
		t.Errorf("%d bytes are held, and of a fourth of it %d", more, less)
	}
}

// TestPiWithOnlyLittleInMemory: what is looked up in files is what is looked up in memory.
func TestPiWithOnlyLittleInMemory(t *testing.T) {
	const records = 6000
	var want, got bytes.Buffer
	piOfMany(t, &want, records, func(int) {})
	many.TestOnlyLittle(t)
	piOfMany(t, &got, records, func(int) {})
	if !bytes.Equal(want.Bytes(), got.Bytes()) {
		t.Error("another file is written")
	}
}
