//go:build !race

package opencode

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// tally is a store in memory that counts how often a message is asked for.
type tally struct {
	held
	at    map[string]int
	asked int
}

func tallyOf(all [][]string) *tally {
	t := &tally{held: all, at: map[string]int{}}
	for i, m := range all {
		t.at[gjson.Get(m[0], "id").Str] = i
	}
	return t
}

func (t *tally) message(ctx context.Context, id string) (row, error) {
	t.asked++
	return t.held[t.at[id]:][:1].message(ctx, id)
}

func (t *tally) parts(ctx context.Context, message string, visit func(row) error) error {
	return t.held[t.at[message]:][:1].parts(ctx, message, visit)
}

// TestWorkDoesNotGrow: however many compactions came to nothing, and whatever they were to keep, what is done for each is the same.
func TestWorkDoesNotGrow(t *testing.T) {
	before := againMost
	t.Cleanup(func() { againMost = before })
	againMost = 1 << 18 // which is the same for a session of any length
	const unfinished = `,"error":{"name":"MessageAbortedError"}`
	summary := func(n, of int, more string) []string {
		return answered(n, "S", fmt.Sprintf(`,"summary":true,"parentID":"msg_%03d"`, of), more)
	}
	keeping := func(n, from int) []string { return marked(n, fmt.Sprintf(`,"tail_start_id":"msg_%03d"`, from)) }
	for name, turns := range map[string]func(n int) [][]string{
		"marks alone":         func(n int) [][]string { return [][]string{asked(n, "ask"), keeping(n+1, n)} },
		"marks that keep all": func(n int) [][]string { return [][]string{asked(n, "ask"), keeping(n+1, 1)} },
		"marks without tail":  func(n int) [][]string { return [][]string{asked(n, "ask"), marked(n+1, "")} },
		"answers to one":      func(n int) [][]string { return [][]string{summary(n, 1, unfinished)} },
		"failed": func(n int) [][]string {
			return [][]string{asked(n, "ask"), keeping(n+1, n), summary(n+2, n+1, unfinished)}
		},
		"failed, with all": func(n int) [][]string {
			return [][]string{asked(n, "ask"), keeping(n+1, 1), summary(n+2, n+1, unfinished)}
		},
		"failed, with none": func(n int) [][]string {
			return [][]string{asked(n, "ask"), marked(n+1, ""), summary(n+2, n+1, unfinished)}
		},
		"done, with all": func(n int) [][]string { return [][]string{asked(n, "ask"), keeping(n+1, 1), summary(n+2, n+1, "")} },
		"done":           func(n int) [][]string { return [][]string{asked(n, "ask"), marked(n+1, ""), summary(n+2, n+1, "")} },
	} {
		t.Run(name, func(t *testing.T) {
			const count = 3000
			all := [][]string{marked(1, "")}
			for len(all) < count {
				all = append(all, turns(len(all)+1)...)
			}
			from := tallyOf(all)
			var out bytes.Buffer
			log := sources.NewLog("opencode", "ses_2", &out, nil)
			r := newReader(log, nil)
			if err := r.read(t.Context(), from, session{id: "ses_2"}); err != nil || log.Err() != nil {
				t.Fatal(err, log.Err())
			}
			if most := 10 * count; r.marks.looks > most || from.asked > most {
				t.Errorf("of %d messages each is looked at %d times, and read %d times", len(all), r.marks.looks/count, from.asked/count)
			}
		})
	}
}
