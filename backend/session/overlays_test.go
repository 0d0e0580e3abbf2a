//go:build !race

package session

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/many"
)

// talkative is a log of so many turns with a note each, and a compaction every hundred, with texts that are long beside what an index asks of
// them.
func talkative(turns int) []byte {
	var log bytes.Buffer
	text, seq := strings.Repeat("word ", 60), 0
	put := func(kind string, version int, more string) {
		seq++
		fmt.Fprintf(&log, `{"recordType":"%s","schemaVersion":%d,"seq":%d,"timestamp":"2026-01-02T10:00:00Z",%s}`+"\n", kind, version, seq, more)
	}
	for turn := range turns {
		put("note", 2, fmt.Sprintf(`"namespace":"agent.event","data":{"text":%q},"display":false`, text))
		put("note", 2, fmt.Sprintf(`"namespace":"agent.injected","content":[{"type":"text","text":%q}],"display":true`, text))
		put("label", 2, fmt.Sprintf(`"targetSeq":%d,"label":"here"`, seq))
		put("model", 2, `"provider":"p","model":"m"`)
		put("message", 1, fmt.Sprintf(`"role":"user","content":[{"type":"text","text":%q}]`, text))
		if turn%100 == 99 {
			put("compaction", 1, fmt.Sprintf(`"summary":%q,"firstKeptSeq":%d,"tokensBefore":9,"tokensAfter":5,"readFiles":[%q],"modifiedFiles":[]`, text, seq, text))
		}
	}
	return log.Bytes()
}

// TestAnIndexHoldsNoTexts: what is held of a log is the same however many notes, labels and models it has, and little for each compaction.
func TestAnIndexHoldsNoTexts(t *testing.T) {
	many.TestOnlyLittle(t)
	const few, more, most = 3000, 4 * 3000, 64 << 10
	logs := map[int][]byte{}
	for _, turns := range []int{few / 8, few, more} {
		logs[turns] = talkative(turns)
	}
	for name, index := range map[string]func(x *Index, r io.ReaderAt, size int64) error{
		"extended": (*Index).Extend, "skimmed": (*Index).Skim,
	} {
		t.Run(name, func(t *testing.T) {
			heldFor := func(turns int) int64 {
				log := bytes.NewReader(logs[turns])
				var x Index
				var before, after runtime.MemStats
				readMemory(&before)
				if err := index(&x, log, log.Size()); err != nil || x.Records < 5*turns {
					t.Fatal(x.Records, err)
				}
				readMemory(&after)
				runtime.KeepAlive(&x)
				runtime.KeepAlive(log)
				return int64(after.HeapAlloc) - int64(before.HeapAlloc)
			}
			heldFor(few / 8) // what is made once
			if less, all := heldFor(few), heldFor(more); all > less+most {
				t.Errorf("%d bytes are held, and of a fourth of it %d", all, less)
			}
		})
	}
	runtime.KeepAlive(logs)
}

// readMemory tells what is in use, after everything that is not was let go of: what pools hold goes the second time.
func readMemory(m *runtime.MemStats) {
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(m)
}
