//go:build !race

package backend

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/sourcetest"
)

// everywhere is a machine with sessions of every agent and of ours, as a search has them and as they show.
func everywhere(t *testing.T) (*Backend, []*naive) {
	t.Helper()
	home := t.TempDir()
	others, release := all.Open()
	for _, source := range others {
		_, files := claimsOf(t, source.Agent())
		for _, file := range files {
			if filepath.Ext(file.Name) != ".sqlite" {
				sourcetest.Write(t, home, file.Name, strings.ReplaceAll(string(file.Data), "PNG", png))
			}
		}
	}
	b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: others, Release: release, Warn: func(err error) { t.Log(err) }})
	newsMust(t, err)
	t.Cleanup(b.Close)
	hold(t, b, session.New{Name: "story", Cwd: "/home/ann/api", Model: "gpt-5.4"}, strings.Replace(story(), `"hologram"`, `"label"`, 1))
	put := hold(t, b, session.New{Name: "bells", Cwd: "/home/ann/web-api/cmd", Agent: "night"}, tooled("bash"))
	hold(t, b, session.New{Name: "signs"}, said(1, "user", `f(x) a-b std::vector \"q\" C:\\x 港の灯台を見た 서울 Straße nai\u0308ve\ttabs  and\nlines ſ K`)+said(2, "assistant", "naïve {}[] $5.00 a.b*c?"))
	_, err = b.Archive(t.Context(), put, true)
	newsMust(t, err)
	_, err = b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	scanned(t, b)
	rows, err := b.List(t.Context(), ListOptions{Archived: true, Subagents: true})
	newsMust(t, err)
	var known []*naive
	for i := range rows {
		known = append(known, naiveOf(t, b, rows[i]))
	}
	return b, known
}

// drawTerm draws what somebody may look for: mostly a piece of what is there, in any case, as it stands or as an expression.
func drawTerm(t *rapid.T, known []*naive) (one term, typed string) {
	n := known[rapid.IntRange(0, len(known)-1).Draw(t, "session")]
	piece := []rune(n.texts[rapid.IntRange(0, len(n.texts)-1).Draw(t, "text")].text)
	from := rapid.IntRange(0, len(piece)-1).Draw(t, "from")
	text := string(piece[from:min(len(piece), from+rapid.IntRange(1, 14).Draw(t, "length"))])
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		text = strings.ToUpper(text)
	case 1:
		text = rapid.StringOfN(rapid.RuneFrom([]rune(`ae灯台서울.-(\"'{}ſKsS ß`)), 1, 3, -1).Draw(t, "runes")
	case 2:
		expr := regexp.QuoteMeta(text)
		expr = strings.ReplaceAll(expr, "e", rapid.SampledFrom([]string{"[a-e]", ".", "(e|x)", "e+"}).Draw(t, "expression"))
		if !strings.ContainsAny(expr, "/ \n\t") {
			return term{text: expr, regex: true}, "/" + expr + "/"
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	return term{text: text}, `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// drawQuery draws terms and conditions.
func drawQuery(t *rapid.T, known []*naive, filters []condition) *asked {
	q := &asked{minds: rapid.Bool().Draw(t, "case")}
	for range rapid.IntRange(1, 3).Draw(t, "terms") {
		one, typed := drawTerm(t, known)
		if one.text == "" {
			t.Skip("nothing to look for")
		}
		if one.not = len(q.terms) > 0 && rapid.IntRange(0, 3).Draw(t, "not") == 0; one.not {
			typed = "-" + typed
		}
		q.terms, q.typed = append(q.terms, one), append(q.typed, typed)
	}
	for range rapid.IntRange(0, 3).Draw(t, "filters") {
		c := rapid.SampledFrom(filters).Draw(t, "filter")
		c.not = rapid.IntRange(0, 3).Draw(t, "left out") == 0
		if c.name == "tool" && c.not { // leaves out the sessions that called it
			c.text = nil
		}
		q.filters, q.typed = append(q.filters, c), append(q.typed, c.typed())
	}
	return q
}

// TestSearchIsWhatShows: of any query, over the sessions of every agent, a search finds what a look at everything that they show does:
// the same sessions, as many places in each, and the same places.
func TestSearchIsWhatShows(t *testing.T) {
	t.Parallel()
	b, known := everywhere(t)
	filters := conditions()
	hits := 0
	rapid.Check(t, func(r *rapid.T) {
		q := drawQuery(r, known, filters)
		opts := SearchOptions{Text: strings.Join(q.typed, " "), Case: q.minds, Limit: searchMost, Count: true}
		found, err := b.Search(t.Context(), opts)
		if err != nil || !found.Complete || !found.Counted {
			r.Fatalf("%s: %+v, %v", opts.Text, found, err)
		}
		if len(found.Query.Problems) > 0 {
			r.Skip(found.Query.Problems)
		}
		want, got := map[string]int{}, map[string]int{}
		for _, n := range known {
			places := q.in(n)
			if len(places) == 0 {
				continue
			}
			want[n.row.ID] = len(places)
			hits += len(places)
			within, err := b.SearchIn(t.Context(), n.row.ID, opts)
			if err != nil {
				r.Fatal(err)
			}
			if diff := cmp.Diff(whereNaive(places), whereFound(within.Hits)); diff != "" {
				r.Fatalf("%s in %s: %s", opts.Text, n.row.ID, diff)
			}
		}
		for _, hit := range found.Hits {
			got[hit.ID] = hit.Count
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("%s (case %v): %s", opts.Text, q.minds, diff)
		}
	})
	if hits == 0 {
		t.Error("nothing was found by any of them")
	}
}

func whereNaive(places []naiveText) (out []string) {
	for _, one := range places {
		state := one.state
		if one.scope == "name" {
			state = ""
		}
		out = append(out, fmt.Sprintf("%d %s %s", max(one.seq, 0), one.scope, state))
	}
	slices.Sort(out)
	return out
}

func whereFound(hits []SearchPlace) (out []string) {
	for _, one := range hits {
		seq := int64(0)
		if one.Seq != nil {
			seq = *one.Seq
		}
		out = append(out, fmt.Sprintf("%d %s %s", seq, one.Scope, *orEmpty(one.State)))
	}
	slices.Sort(out)
	return out
}

// TestFiltersOfACopy: what a copy was copied from counts what is in it, but it is in it all the same.
func TestFiltersOfACopy(t *testing.T) {
	b := archive(t)
	_, err := b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	home := sourcetest.Home(t, map[string]string{".gemini/tmp/app/checkpoint-plan.json": `[{"role":"user","parts":[{"text":"no time is told"}]}]`})
	timeless := abroad(t, home)
	scanned(t, b)
	scanned(t, timeless)
	for text, want := range map[string]int{
		"is:imported": 1, "is:imported -tool:ls": 0, "is:imported -tool:bash": 1, "is:imported model:m": 1, "is:imported on:2026-01-02": 1, "is:imported on:2026-01-03": 0,
	} {
		if found := look(t, b, text); len(found.Hits) != want {
			t.Errorf("%s: %v", text, told(found))
		}
	}
	for text, want := range map[string]int{"told": 1, "told on:2026-01-02": 0, "told after:7d": 1} {
		if found := look(t, timeless, text); len(found.Hits) != want {
			t.Errorf("%s: %v", text, told(found))
		}
	}
}
