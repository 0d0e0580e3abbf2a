//go:build !race

package codex

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// written counts what is.
type written struct{ bytes int64 }

func (w *written) Write(p []byte) (int, error) {
	w.bytes += int64(len(p))
	return len(p), nil
}

// TestCraftedFilesTakeNoSquare: whatever was compacted and taken back, and how often, what is looked at again and written for it grows with the
// lines of a file.
func TestCraftedFilesTakeNoSquare(t *testing.T) {
	begin := func(i int) string { return fmt.Sprintf(`event_msg {"type":"task_started","turn_id":"t%d"}`, i) }
	asked, back, older := item(user("a")), rollBack(1), `compacted {"message":"s"}`
	tell := `compacted {"message":"","replacement_history":[` + user("kept") + `]}`
	for name, c := range map[string]struct {
		// a file has lines of the one kind, then as many of the other.
		first, then func(i int) []string
		// each is how much may be looked at for each line.
		each int64
	}{
		"compactions in turns, taken back one by one": {
			func(i int) []string { return []string{begin(i), asked, tell} },
			func(int) []string { return []string{back} }, 1000,
		},
		"with a turn in between": {
			func(i int) []string { return []string{begin(i), asked, tell} },
			func(i int) []string { return []string{begin(-i), asked, rollBack(2)} }, 100,
		},
		"with words in between": {
			func(i int) []string { return []string{begin(i), asked, tell} },
			func(int) []string { return []string{item(says("b")), back} }, 1000,
		},
		"turns that are misnamed": {
			func(i int) []string { return []string{begin(i), asked} },
			func(i int) []string {
				return []string{fmt.Sprintf(`event_msg {"type":"turn_aborted","turn_id":"x%d"}`, i), begin(-i), back}
			}, 1000,
		},
		"behind much that was put in": {
			func(int) []string { return []string{item(user(environment))} },
			func(int) []string { return []string{asked, back} }, 10,
		},
		"much that was put in, and nothing said": {
			func(int) []string { return []string{item(user(environment))} },
			func(int) []string { return []string{back} }, 10,
		},
		"older compactions of much": {
			func(int) []string { return []string{asked} },
			func(int) []string { return []string{older} }, 10_000,
		},
		"older compactions of many kinds of what was put in": {
			func(i int) []string {
				return []string{item(fmt.Sprintf(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"%d"}]}`, i))}
			},
			func(int) []string { return []string{older} }, 20_000,
		},
		"both kinds of compactions": {
			func(i int) []string { return []string{begin(i), asked, tell, older} },
			func(int) []string { return []string{back} }, 10_000,
		},
		"into what a compaction kept": {
			func(int) []string {
				return []string{`compacted {"message":"","replacement_history":[` + strings.Repeat(user("kept")+",", 100) + user("kept") + `]}`}
			},
			func(int) []string { return []string{back} }, 100_000,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out written
			r := newReader(sources.NewLog(agent, id, &out, func([]byte) (string, error) { return "sha", nil }))
			take := func(of func(i int) []string) (bytes int64) {
				for i := range 500 {
					lines := envelope(0, of(i)...)
					for line := range strings.Lines(lines) {
						r.numbered(gjson.Parse(line), 0, &copies{}, nil)
					}
					bytes += int64(len(lines))
				}
				return bytes
			}
			read := take(c.first) + take(c.then)
			const first = 1 << 21 // what is common, and what one line may take beyond it
			if most := first + c.each*r.history.lines; r.history.spent > most {
				t.Errorf("%d looked at for %d lines, more than %d", r.history.spent, r.history.lines, most)
			}
			if most := 2<<20 + 80*read; out.bytes > most {
				t.Errorf("%d written of %d, more than %d", out.bytes, read, most)
			}
		})
	}
}
