package backend

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
)

// codexThread is one of a family: what it says, as numbers, of which so many are another's.
type codexThread struct {
	id     string
	born   time.Time
	says   []int
	copied int
	from   *codexThread
}

// write writes a thread as Codex does: a fork begins with the lines of what it was made from, at the time at which it was.
func (c *codexThread) write() string {
	var out strings.Builder
	at := func(t time.Time) string { return t.Format("15:04:05") }
	more := ""
	if c.from != nil {
		more = fmt.Sprintf(`,"forked_from_id":%q`, c.from.id)
	}
	out.WriteString(codexHead(c.id, at(c.born), more))
	for from := c.from; from != nil; from = from.from {
		out.WriteString(codexHead(from.id, at(c.born), ""))
	}
	total := 0
	for i, n := range c.says {
		when := c.born
		if i >= c.copied {
			when = familyBegan.Add(time.Duration(n) * 10 * time.Minute)
		}
		total += 1 << n
		if n%4 == 3 {
			fmt.Fprintf(&out, `{"timestamp":"2026-01-02T%sZ","type":"compacted","payload":{"message":"sum %d"}}`+"\n", at(when), n)
		}
		out.WriteString(codexSays(at(when), fmt.Sprint("ask ", n)))
		fmt.Fprintf(&out, `{"timestamp":"2026-01-02T%sZ","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer %d"}]}}`+"\n", at(when), n)
		for range 2 {
			fmt.Fprintf(&out, `{"timestamp":"2026-01-02T%sZ","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d},"last_token_usage":{"input_tokens":%d,"output_tokens":1}}}}`+"\n", at(when), total, 1<<n)
		}
	}
	return out.String()
}

// TestCodexFamiliesCountOnce: whichever threads of a family are there, in whatever order they came, what they took is what each answer took, once.
func TestCodexFamiliesCountOnce(t *testing.T) {
	drawn.Few(t, func(r *rapid.T) {
		var all []*codexThread
		said := 0
		for i := range rapid.IntRange(1, 5).Draw(r, "threads") {
			one := &codexThread{id: fmt.Sprintf("019a0000-0000-7000-8000-%012d", i)}
			if len(all) > 0 && rapid.IntRange(0, 4).Draw(r, "forks") > 0 {
				one.from = rapid.SampledFrom(all).Draw(r, "of")
				one.copied = rapid.IntRange(1, len(one.from.says)).Draw(r, "copied")
				one.says = slices.Clone(one.from.says[:one.copied])
			}
			one.born = familyBegan.Add(time.Duration(said)*10*time.Minute + time.Minute)
			for range rapid.IntRange(1, 3).Draw(r, "more") {
				said++
				one.says = append(one.says, said)
			}
			all = append(all, one)
		}
		home, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{codex.Source{}}, Warn: func(err error) { r.Error(err) }})
		if err != nil {
			r.Fatal(err)
		}
		defer b.Close()
		want, seen, compacted := int64(0), map[int]bool{}, 0
		for _, one := range rapid.Permutation(all).Draw(r, "order") {
			if rapid.IntRange(0, 2).Draw(r, "there") == 0 {
				continue
			}
			writeAt(r, home, codexPlace+one.id+".jsonl", one.write())
			for _, n := range one.says {
				if !seen[n] {
					seen[n], want = true, want+1<<n
					if n%4 == 3 {
						compacted++
					}
				}
			}
			if err := b.Scan(t.Context(), false, nil); err != nil {
				r.Fatal(err)
			}
			s, err := b.Statistics(t.Context(), StatisticsOptions{})
			if err != nil {
				r.Fatal(err)
			}
			l, err := b.Ledger(t.Context(), LedgerOptions{})
			if err != nil {
				r.Fatal(err)
			}
			if s.Totals.Input == nil || *s.Totals.Input != want || s.Totals.Prompts != len(seen) {
				r.Fatalf("%b tokens and %d questions, not %b and %d", *s.Totals.Input, s.Totals.Prompts, want, len(seen))
			}
			if s.Totals.Compactions != compacted || l.Total-l.Copied != compacted {
				r.Fatalf("%d compactions are counted and %d of the ledger are no copies, not %d", s.Totals.Compactions, l.Total-l.Copied, compacted)
			}
		}
	})
}

func writeAt(r *rapid.T, home, name, text string) {
	path := home + "/" + name
	if err := os.MkdirAll(path[:strings.LastIndexByte(path, '/')], 0o700); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}
