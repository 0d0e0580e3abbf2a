package backend

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/sourcetest"
)

const (
	geminiPlace = ".gemini/tmp/app/chats/session-2026-01-02T10-00-s1.jsonl"
	geminiID    = "gemini:s1"
	geminiHead  = `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","lastUpdated":"2026-01-02T10:00:00.000Z","kind":"main"}` + "\n"
)

// geminiWrites are the lines that Gemini CLI writes one after the other in a turn with a call, and how many records each adds. All but the last
// answer say this.
func geminiWrites(turn int, says string) (lines []string, adds []int) {
	answer := fmt.Sprintf(`{"id":"g%d","timestamp":"2026-01-02T10:00:02.000Z","type":"gemini","content":"I look: %s","thoughts":[{"subject":"Hm","description":"so"}],"tokens":{"input":9,"output":5},"model":"m"`, turn, says)
	response := fmt.Sprintf(`[{"functionResponse":{"id":"c%d","name":"ls","response":{"output":%q}}}]`, turn, says)
	const updated = `{"$set":{"lastUpdated":"2026-01-02T10:00:03.000Z"}}`
	for _, line := range []struct {
		text string
		adds int
	}{
		{fmt.Sprintf(`{"id":"u%d","timestamp":"2026-01-02T10:00:01.000Z","type":"user","content":[{"text":%q}]}`, turn, says), 1},
		{updated, 0},
		{answer + "}", 1},
		{updated, 0},
		{answer + fmt.Sprintf(`,"toolCalls":[{"id":"c%d","name":"ls","args":{},"status":"success","result":%s}]}`, turn, response), 1},
		{fmt.Sprintf(`{"id":"r%d","timestamp":"2026-01-02T10:00:04.000Z","type":"user","content":%s}`, turn, response), 0},
		{updated, 0},
		{fmt.Sprintf(`{"id":"e%d","timestamp":"2026-01-02T10:00:05.000Z","type":"gemini","content":"Done.","tokens":{"input":9,"output":5},"model":"m"}`, turn), 1},
		{updated, 0},
	} {
		lines, adds = append(lines, line.text+"\n"), append(adds, line.adds)
	}
	return lines, adds
}

// geminiSession is one of so many turns.
func geminiSession(turns int, says string) string {
	var text strings.Builder
	text.WriteString(geminiHead)
	for turn := range turns {
		lines, _ := geminiWrites(turn, says)
		text.WriteString(strings.Join(lines, ""))
	}
	return text.String()
}

// TestATurnOfGeminiIsReadOn: a session of Gemini CLI is not read from its beginning when a turn is added to it line by line, neither for the
// index nor for who looks at it, also where an answer that was shown gets its calls. It is what it would be had all been read.
func TestATurnOfGeminiIsReadOn(t *testing.T) {
	const few = 20
	home := t.TempDir()
	path := sourcetest.Write(t, home, geminiPlace, geminiSession(few, "said"))
	counted := &counting{Follower: gemini.Source{}}
	b := staying(t, home, counted)
	awaitIndex(t, b, "scanned", ready(1))
	b.indexing.scanner.Pause()
	page, err := b.Page(geminiID, PageOptions{Limit: 1})
	newsMust(t, err)
	total := page.Total
	for turn := range 3 {
		lines, adds := geminiWrites(few+turn, "grown")
		for n, line := range lines {
			add(t, path, line)
			_, err := b.library.List(t.Context())
			newsMust(t, err)
			page, err := b.Page(geminiID, PageOptions{Limit: 1})
			newsMust(t, err)
			listing, err := b.indexing.stock.List(t.Context(), nil)
			newsMust(t, err)
			newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
			if total += adds[n]; page.Total != total {
				t.Fatalf("%d records, not %d, with line %d of turn %d", page.Total, total, n, turn)
			}
			times := counted.times.Swap(0)
			if turn > 0 && times > 0 { // the first of each reads what is kept then
				t.Errorf("line %d of turn %d: it was read from the beginning %d times", n, turn, times)
			}
		}
	}
	got, _, err := b.indexing.index.Session(t.Context(), geminiID)
	newsMust(t, err)
	if want := scanNow(t, scanOf(t, home, t.TempDir(), gemini.Source{}), geminiID); !bytes.Equal(got.Digest, want) {
		t.Errorf("it is\n%s\nand not\n%s", got.Digest, want)
	}
}
