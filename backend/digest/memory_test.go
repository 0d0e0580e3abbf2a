//go:build !race

package digest

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/index"
	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// talk is a log of so many turns, each with a call, its result and a note, with a compaction and a branch now and then.
func talk(turns int) []byte {
	var log bytes.Buffer
	seq := 0
	put := func(kind string, version int, more string) {
		seq++
		fmt.Fprintf(&log, `{"recordType":"%s","schemaVersion":%d,"seq":%d,"timestamp":"2026-01-02T10:00:00Z",%s}`+"\n", kind, version, seq, more)
	}
	for turn := range turns {
		put("message", 1, `"role":"user","content":[{"type":"text","text":"go on"}]`)
		put("message", 1, fmt.Sprintf(`"role":"assistant","model":"m","stopReason":"toolUse","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{}}]`, turn))
		if turn%7 > 0 {
			put("message", 1, fmt.Sprintf(`"role":"toolResult","toolCallId":"c%d","isError":false,"content":[{"type":"text","text":"x"}]`, turn-turn%2))
		}
		put("note", 2, `"namespace":"agent.event","data":{},"display":false`)
		put("note", 2, `"namespace":"agent.injected","content":[{"type":"text","text":"put in"}],"display":true`)
		if turn%400 == 399 {
			put("compaction", 1, fmt.Sprintf(`"summary":"S","firstKeptSeq":%d,"tokensBefore":9,"readFiles":[],"modifiedFiles":[]`, seq-3))
			put("branch", 2, fmt.Sprintf(`"fromSeq":%d`, seq-1))
		}
	}
	return log.Bytes()
}

// TestMemoryDoesNotGrow: four times as many records take no more memory, but for what became of them and, where they are not put away early,
// for their names, which are in the digest and once more where it is written.
func TestMemoryDoesNotGrow(t *testing.T) {
	many.TestOnlyLittle(t)
	defer func(before int64) { printsMost = before }(printsMost)
	printsMost = 1 << 10
	const few, more, most = 1000, 4 * 1000, 32 << 10
	const putAway = "read, and put away"
	const named, fate = 3 * (saidBytes + saidBytes*4/3), 10 // of each turn, of which three are messages
	logs := map[int][]byte{}
	for _, turns := range []int{few / 4, few, more} {
		logs[turns] = talk(turns)
	}
	for name, digest := range map[string]func(log []byte, emit func(index.Text) error) (*Digest, error){
		putAway: func(log []byte, emit func(index.Text) error) (*Digest, error) {
			return Read(bytes.NewReader(log), int64(len(log)), Options{Early: true, Same: true}, emit)
		},
		"read": func(log []byte, emit func(index.Text) error) (*Digest, error) {
			return Read(bytes.NewReader(log), int64(len(log)), Options{}, emit)
		},
		"taken": func(log []byte, emit func(index.Text) error) (*Digest, error) {
			taker := Take(Options{}, emit)
			for line := range bytes.Lines(log) {
				line = bytes.TrimRight(line, "\n")
				rec, err := record.Decode(line)
				if err != nil {
					return nil, err
				}
				if err := taker.Line(line, &rec, false); err != nil {
					return nil, err
				}
			}
			return taker.End()
		},
	} {
		heldFor := func(turns int) (most int64) {
			log := logs[turns]
			before, texts := heaptest.InUse(), 0
			d, err := digest(log, func(index.Text) error {
				if texts++; texts%(turns/2) == 0 {
					most = max(most, heaptest.InUse()-before)
				}
				return nil
			})
			if err != nil || d.Messages < 2*turns {
				t.Fatal(err)
			}
			most = max(most, heaptest.InUse()-before)
			encoded := d.Encode()
			most = max(most, heaptest.InUse()-before)
			runtime.KeepAlive(d)
			runtime.KeepAlive(encoded)
			return most
		}
		heldFor(few / 4) // what is made once
		each := int64(named + fate)
		if name == putAway {
			each = fate
		}
		if less, all := heldFor(few), heldFor(more); all > less+most+(more-few)*each {
			t.Errorf("%s: %d bytes are held, and of a fourth of it %d", name, all, less)
		}
	}
	runtime.KeepAlive(logs)
}

// TestWhatIsAppendedIsNotHeld, but for little of it, until it is sure that it counts: the texts, and what it is called.
func TestWhatIsAppendedIsNotHeld(t *testing.T) {
	const turns = 2000
	most := int64(2 * keptMost)
	log := talk(4)
	d, err := Read(bytes.NewReader(log), int64(len(log)), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("word ", 2000)
	for i := range turns {
		log = fmt.Appendf(log, `{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":%q}]}`+"\n", 100+i, text)
	}
	before, held, texts := heaptest.InUse(), int64(0), 0
	_, err = Continue(d, bytes.NewReader(log), int64(len(log)), Options{}, func(index.Text) error {
		if texts++; texts%(turns/4) == 0 {
			held = max(held, heaptest.InUse()-before)
		}
		return nil
	})
	runtime.KeepAlive(log)
	if err != nil || texts != turns+1 || held > most {
		t.Errorf("%d texts, and %d bytes are held; %v", texts, held, err)
	}
}

// TestWhatSummariesSayIsNotHeld: of a compaction the ledger has some numbers and words.
func TestWhatSummariesSayIsNotHeld(t *testing.T) {
	const compactions, long = 200, 20_000
	var log []byte
	for seq := range compactions {
		log = fmt.Appendf(log, `{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":%q,"tokensBefore":9,"tokensAfter":3,`+
			`"readFiles":[],"modifiedFiles":[],"model":"m","trigger":"manual"}`+"\n", seq+1, seq+1, strings.Repeat("w", long))
	}
	before := heaptest.InUse()
	d, err := Read(bytes.NewReader(log), int64(len(log)), Options{}, nil)
	held := heaptest.InUse() - before
	runtime.KeepAlive(log)
	if err != nil || d.Compactions != compactions || *d.Ledger[7].Before != 9 || d.Ledger[7].Model != "m" || held > compactions*long/4 {
		t.Errorf("of %d compactions %d bytes are held; %v", d.Compactions, held, err)
	}
}
