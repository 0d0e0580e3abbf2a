package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/digest"
	"palimpsest/backend/session"
	"palimpsest/backend/sources/all"
)

// archive is a backend with an index, and a session of pi; its clock stands still.
func archive(t *testing.T) *Backend {
	t.Helper()
	home := t.TempDir()
	writePi(t, home, piSession())
	others, release := all.Open()
	b, err := Open(Options{
		Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: others, Release: release, Warn: func(err error) { t.Error(err) },
		Now: func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.Local) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// hold adds a session of ours.
func hold(t *testing.T, b *Backend, about session.New, log string) string {
	t.Helper()
	m, err := b.store.Import(about, []byte(log))
	newsMust(t, err)
	return m.ID
}

func scanned(t *testing.T, b *Backend) {
	t.Helper()
	newsMust(t, b.Scan(t.Context(), false, nil))
}

func look(t *testing.T, b *Backend, text string, more ...func(*SearchOptions)) Search {
	t.Helper()
	opts := SearchOptions{Text: text, Count: true}
	for _, change := range more {
		change(&opts)
	}
	found, err := b.Search(t.Context(), opts)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return found
}

// told is what a search found, in a line for each session.
func told(found Search) []string {
	out := []string{}
	for _, h := range found.Hits {
		name := ""
		if h.Title != nil {
			name = *h.Title
		}
		if h.Hit == nil {
			out = append(out, name)
			continue
		}
		seq, state := "-", "-"
		if h.Hit.Seq != nil {
			seq = fmt.Sprint(*h.Hit.Seq)
		}
		if h.Hit.State != nil {
			state = *h.Hit.State
		}
		out = append(out, fmt.Sprintf("%s %s %s %s [%s] %d", name, seq, h.Hit.Scope, state, h.Hit.Excerpt.Match, h.Count))
	}
	return out
}

// tooled is a session with a call, as pi writes it, and one as Claude Code does.
func tooled(name string) string {
	return said(1, "user", "ring the bell") + fmt.Sprintf(
		`{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","model":"gpt-5.4","content":[{"type":"thinking","text":"a bell?"},{"type":"toolCall","id":"c","name":%q,"arguments":{"command":"bell --loud"}}],"timestamp":"2026-03-02T08:00:02Z"}`+"\n", name) +
		said(3, "toolResult", "bell rang")
}

func shelved(t *testing.T) (*Backend, map[string]string) {
	b := archive(t)
	ids := map[string]string{
		"story":  hold(t, b, session.New{Name: "story", Cwd: "/home/ann/api", Model: "gpt-5.4"}, story()),
		"bash":   hold(t, b, session.New{Name: "bash", Cwd: "/home/ann/web-api/cmd"}, tooled("bash")),
		"Bash":   hold(t, b, session.New{Name: "Bash", Agent: "night"}, tooled("Bash")),
		"signs":  hold(t, b, session.New{Name: "signs"}, said(1, "user", `f(x) a-b std::vector \"q\" 港の灯台 Straße naïve`)),
		"thrown": hold(t, b, session.New{Name: "thrown"}, said(1, "user", "ring five")),
	}
	newsMust(t, b.Trash(t.Context(), ids["thrown"]))
	_, err := b.Archive(t.Context(), ids["bash"], true)
	newsMust(t, err)
	scanned(t, b)
	return b, ids
}

func TestSearchFinds(t *testing.T) {
	t.Parallel()
	b, _ := shelved(t)
	for text, want := range map[string][]string{
		"":                            {},
		"  ":                          {},
		"nothing like it":             {},
		"FIVE":                        {"story 5 user context [five] 1"},
		"ive":                         {"story 5 user context [ive] 1"},
		"f(x)":                        {"signs 1 user context [f(x)] 1"},
		`"`:                           {`signs 1 user context ["] 1`},
		"灯台":                          {"signs 1 user context [灯台] 1"},
		"STRASSE":                     {},
		"NAÏVE a-b":                   {"signs 1 user context [naïve] 1"},
		"f(x) five":                   {},
		`/f\(.\)/`:                    {"signs 1 user context [f(x)] 1"},
		"bell in:context tool:bash":   {"Bash 3 output context [bell] 2", "bash 3 output context [bell] 2"},
		"bell -loud tool:bash":        {"Bash 3 output context [bell] 1", "bash 3 output context [bell] 1"},
		"tool:BASH scope:output":      {"Bash 3 output context [] 1", "bash 3 output context [] 1"},
		"rang tool:x tool:Bash":       {"Bash 3 output context [rang] 1", "bash 3 output context [rang] 1"},
		"rang tool:x,Bash":            {"Bash 3 output context [rang] 1", "bash 3 output context [rang] 1"},
		"bell scope:thinking":         {"Bash 2 thinking context [bell] 1", "bash 2 thinking context [bell] 1"},
		"bell -scope:user,call,name":  {"Bash 3 output context [bell] 2", "bash 3 output context [bell] 2"},
		"bell agent:night":            {"Bash 1 user context [bell] 4"},
		"bell -agent:night":           {"bash 1 user context [bell] 4"},
		"bell agent:night,pi":         {"Bash 1 user context [bell] 4"},
		"bell is:archived":            {"bash 1 user context [bell] 4"},
		"bell -is:archived":           {"Bash 1 user context [bell] 4"},
		"bell project:api":            {},
		"five project:api":            {"story 5 user context [five] 1"},
		"bell project:web-api":        {"bash 1 user context [bell] 4"},
		"bell project:ann/web":        {"bash 1 user context [bell] 4"},
		`bell project:ann\WEB-api\`:   {"bash 1 user context [bell] 4"},
		"bell project:web":            {},
		"bell model:gpt-5":            {"Bash 1 user context [bell] 4", "bash 1 user context [bell] 4"},
		"one in:summary":              {"story 1 user summary [one] 1"},
		"one in:context":              {},
		"one -in:context":             {"story 1 user summary [one] 1"},
		"left in:dropped":             {"first 6 user dropped [left] 1", "story 8 user dropped [left] 1"},
		"in:dropped scope:user":       {"first 6 user dropped [] 1", "story 8 user dropped [] 1"},
		"summary in:dropped":          {"story 6 summary dropped [summary] 1"},
		"story":                       {"story - name - [story] 1"},
		"story -in:dropped":           {"story - name - [story] 1"},
		"story in:context":            {},
		"is:compacted":                {"story", "first"},
		"compactions:>=2":             {"story"},
		"compactions:1":               {"first"},
		"is:foreign":                  {"first"},
		"is:compacted,foreign":        {"first"},
		"is:compacted is:foreign":     {"first"},
		"-is:compacted,foreign":       {"signs", "Bash", "bash"},
		"is:foreign -agent:pi":        {},
		"third agent:pi":              {"first 10 user context [third] 1"},
		"is:damaged":                  {"story"},
		"is:gone":                     {},
		"is:imported":                 {},
		"name:BAS":                    {"Bash", "bash"},
		"agent:palimpsest is:foreign": {},
		"agent:palimpsest -name:bash": {"signs", "story"},
		"-tool:bash is:archived":      {},
		"after:2026-03":               {"signs", "Bash", "bash", "story"},
		"before:2026-03":              {"first"},
		"on:2026-01-02":               {"first"},
		"on:2026-01-03":               {},
		"before:7d -is:foreign":       {"signs", "Bash", "bash", "story"},
		"after:today":                 {},
	} {
		found := look(t, b, text)
		if diff := cmp.Diff(sorted(want), sorted(told(found))); diff != "" || !found.Complete || len(found.Query.Problems) > 0 {
			t.Errorf("%s: %s %v %q", text, diff, found.Complete, found.Query.Problems)
		}
	}
}

// sorted leaves the order out: all of ours were made in the same moment.
func sorted(lines []string) string {
	return strings.Join(slices.Sorted(slices.Values(lines)), "\n")
}

// TestSearchByTime: where texts are looked for, a filter of time chooses among them, and a session need not have ended or begun there.
func TestSearchByTime(t *testing.T) {
	b := archive(t)
	line := func(seq int, at, text string) string {
		return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":%q}]%s}`+"\n", seq, text, at)
	}
	at := func(day string) string { return `,"timestamp":"` + day + `T12:00:00Z"` }
	hold(t, b, session.New{Name: "long"}, line(1, at("2025-08-01"), "early bell")+line(2, at("2025-10-15"), "middle bell")+line(3, at("2026-03-01"), "late\nword"))
	hold(t, b, session.New{Name: "timeless"}, line(1, "", "bell"))
	summed := fmt.Sprintf(`{"recordType":"compaction","schemaVersion":1,"seq":2,"summary":"gong","firstKeptSeq":2,"tokensBefore":9%s}`+"\n", at("2026-04-02"))
	hold(t, b, session.New{Name: "summed"}, line(1, at("2026-03-01"), "gong")+summed)
	scanned(t, b)
	for text, want := range map[string][]string{
		"early before:2025-09":              {"long 1 user context [early] 1"},
		"bell before:2025-09 name:long":     {"long 1 user context [bell] 1"},
		"bell after:2025-09 name:long":      {"long 2 user context [bell] 1"},
		"bell after:2026":                   {"timeless 1 user context [bell] 1"},
		"bell after:2025-09 before:2025-11": {"long 2 user context [bell] 1"},
		"bell on:2025-10 name:long":         {"long 2 user context [bell] 1"},
		"bell on:2025-09":                   {},
		"bell -on:2025-10 name:long":        {"long 1 user context [bell] 1"},
		"bell -before:2025-09 name:long":    {"long 2 user context [bell] 1"},
		"scope:user after:2026 name:long":   {"long 3 user context [] 1"},
		`"late word"`:                       {"long 3 user context [late word] 1"},
		`"early  bell" on:2025-08-01`:       {"long 1 user context [early bell] 1"},
		`bell -"early bell" name:long`:      {"long 2 user context [bell] 1"},
		"before:2025-12":                    {},
		"gong after:2026-04":                {"summed 2 summary context [gong] 1"}, // after the last message
		"gong on:2026-04-02":                {"summed 2 summary context [gong] 1"},
	} {
		if diff := cmp.Diff(sorted(want), sorted(told(look(t, b, text)))); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestSearchSaysWhatItDidNotUnderstand(t *testing.T) {
	b, _ := shelved(t)
	for text, want := range map[string]string{
		"in:foo":      "looked for as text",
		"agent:codxe": "There is no session of “codxe”.",
		"-five":       "looked for as it stands",
	} {
		if found := look(t, b, text); len(found.Query.Problems) != 1 || !strings.Contains(found.Query.Problems[0], want) {
			t.Errorf("%s: %q", text, found.Query.Problems)
		}
	}
	if _, err := b.Search(t.Context(), SearchOptions{Text: " " + strings.Repeat("x", wordsMost) + "\n "}); err != nil {
		t.Errorf("blanks at the ends make it too long: %v", err)
	}
	for _, opts := range []SearchOptions{
		{Text: strings.Repeat("x", wordsMost+1)}, {Text: "x" + strings.Repeat(" ", wordsMost), Regex: true}, {Text: "x", Scopes: []string{"x"}}, {Text: "x", Cursor: "?"}, {Text: "is:foreign", Cursor: "?"},
	} {
		if _, err := b.Search(t.Context(), opts); !errors.Is(err, session.ErrInput) {
			t.Errorf("%.40v: %v", opts, err)
		}
	}
}

func TestSearchByScopeCaseAndID(t *testing.T) {
	b, ids := shelved(t)
	found := look(t, b, "bell", func(o *SearchOptions) { o.Scopes = []string{"output", "call"} })
	if found.Scopes["output"] != 2 || found.Scopes["call"] != 2 || found.Scopes["user"] != 0 || !found.Counted {
		t.Errorf("%+v", found.Scopes)
	}
	both := look(t, b, "bell scope:call", func(o *SearchOptions) { o.Scopes = []string{"output"} })
	if len(both.Hits) != 0 || !both.Complete {
		t.Errorf("%v", told(both))
	}
	if found := look(t, b, "FIVE", func(o *SearchOptions) { o.Case = true }); len(found.Hits) != 0 {
		t.Errorf("%v", told(found))
	}
	if found := look(t, b, "f.VE", func(o *SearchOptions) { o.Regex = true }); len(found.Hits) != 1 {
		t.Errorf("%v", told(found))
	}
	found = look(t, b, strings.ToLower(ids["story"]))
	if len(found.Hits) != 1 || found.Hits[0].ID != ids["story"] || found.Hits[0].Hit.Scope != "name" || found.Hits[0].Hit.Excerpt.Match != ids["story"] {
		t.Errorf("%v", told(found))
	}
}

func TestSearchGoesOn(t *testing.T) {
	b, _ := shelved(t)
	for _, text := range []string{"bell", "-name:first", "-tool:x", "e"} {
		whole, cursor := []string{}, ""
		for n := 0; ; n++ {
			found := look(t, b, text, func(o *SearchOptions) { o.Limit, o.Cursor = 1, cursor })
			whole = append(whole, told(found)...)
			if found.Complete || n > 20 {
				break
			}
			if cursor = *found.Cursor; len(found.Hits) != 1 {
				t.Errorf("%s: %+v", text, found)
			}
		}
		if diff := cmp.Diff(sorted(told(look(t, b, text))), sorted(whole)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestSearchInOneSession(t *testing.T) {
	b, ids := shelved(t)
	found, err := b.SearchIn(t.Context(), ids["Bash"], SearchOptions{Text: "bell"})
	newsMust(t, err)
	var scopes []string
	for _, hit := range found.Hits {
		scopes = append(scopes, hit.Scope)
	}
	if diff := cmp.Diff([]string{"user", "thinking", "call", "output"}, scopes); diff != "" || found.Total != 4 || !found.Complete {
		t.Errorf("%s %+v", diff, found)
	}
	if *found.Hits[3].Seq != 3 || *found.Hits[3].Index != 2 || *found.Hits[3].State != "context" {
		t.Errorf("%+v", found.Hits[3])
	}
	if found, err := b.SearchIn(t.Context(), ids["Bash"], SearchOptions{Text: "bell", Limit: 2}); err != nil || len(found.Hits) != 2 || found.Complete {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := b.SearchIn(t.Context(), ids["Bash"], SearchOptions{Text: "bell agent:pi"}); err != nil || len(found.Hits) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := b.SearchIn(t.Context(), ids["thrown"], SearchOptions{Text: "x"}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("%v", err)
	}
	fresh := hold(t, b, session.New{}, said(1, "user", "fresh"))
	if found, err := b.SearchIn(t.Context(), fresh, SearchOptions{Text: "fresh"}); err != nil || found.Complete {
		t.Errorf("what was not read yet is said to be complete: %+v, %v", found, err)
	}
	log, err := os.OpenFile(b.store.LogPath(ids["signs"]), os.O_APPEND|os.O_WRONLY, 0)
	newsMust(t, err)
	_, err = log.WriteString(said(90, "user", "appended"))
	newsMust(t, errors.Join(err, log.Close()))
	for id, want := range map[string]string{fresh: notYetScanned, ids["signs"]: notYetScanned, ids["story"]: digest.SkipDamaged} {
		if found, err := b.SearchIn(t.Context(), id, SearchOptions{Text: "appended"}); err != nil || found.Complete || len(found.Skipped) != 1 || found.Skipped[0].Reason != want {
			t.Errorf("%s: %+v, %v", want, found, err)
		}
	}
}

func TestSearchSaysWhatItSkipped(t *testing.T) {
	b, ids := shelved(t)
	fresh := hold(t, b, session.New{}, said(1, "user", "fresh"))
	skipped := map[string][]string{}
	for _, s := range look(t, b, "x").Skipped {
		skipped[s.Reason] = s.IDs
		if s.Count != len(s.IDs) {
			t.Errorf("%+v", s)
		}
	}
	want := map[string][]string{notYetScanned: {fresh}, digest.SkipDamaged: {ids["story"]}}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
	for _, s := range look(t, b, "x agent:pi").Skipped {
		if s.Reason == digest.SkipDamaged {
			t.Errorf("of sessions that nobody asked for: %+v", s)
		}
	}
	// What is in the trash by now is not shown, even if the index still has it.
	newsMust(t, b.Trash(t.Context(), ids["signs"]))
	if found := look(t, b, "f(x)"); len(found.Hits) != 0 {
		t.Errorf("%v", told(found))
	}
}

func TestSearchWithoutAnIndex(t *testing.T) {
	b, id := open(t, story())
	if found := look(t, b, "five"); len(found.Hits) != 0 || found.Complete || len(found.Query.Problems) != 1 {
		t.Errorf("%+v", found)
	}
	if found, err := b.SearchIn(t.Context(), id, SearchOptions{Text: "five"}); err != nil || found.Complete {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestNoTextFails: whatever is typed, there is an answer, and each place that it names holds what was looked for.
func TestNoTextFails(t *testing.T) {
	b, _ := shelved(t)
	pieces := rapid.SampledFrom([]string{
		"five", "FI", "(", "[", "/", `\`, `"`, "-", "*", "+", " ", "\n", ":", "in:", "context", "tool:", "bash", "after:", "2026", "灯", "é", "\xff", "\x00", "{1000}", "(?i)", "^", "$",
	})
	rapid.Check(t, func(rt *rapid.T) {
		opts := SearchOptions{
			Text: strings.Join(rapid.SliceOfN(pieces, 0, 8).Draw(rt, "text"), ""), Regex: rapid.Bool().Draw(rt, "regex"), Case: rapid.Bool().Draw(rt, "case"),
		}
		found, err := b.Search(t.Context(), opts)
		if err != nil {
			rt.Fatal(err)
		}
		for _, hit := range found.Hits {
			terms := found.Query.Terms
			if hit.Hit != nil && hit.Hit.Excerpt.Match == "" && len(terms) > 0 {
				rt.Fatalf("%+v holds nothing of %+v", hit.Hit, terms)
			}
		}
	})
}

func TestSavedSearches(t *testing.T) {
	b, _ := open(t, "")
	if list, err := b.SavedSearches(); err != nil || list == nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	want := []SavedSearch{{"lost", "in:dropped", false}, {"a", `"b c"`, false}, {"A", "A", true}}
	_, err := b.SaveSearches(want)
	newsMust(t, err)
	list, err := b.SavedSearches()
	if diff := cmp.Diff(want, list); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, bad := range [][]SavedSearch{
		{{Q: "x"}}, {{Name: "x", Q: " "}}, {{Name: strings.Repeat("x", nameMost+1), Q: "x"}}, {{Name: "x", Q: strings.Repeat("x", wordsMost+1)}}, make([]SavedSearch, searchesMost+1),
	} {
		if _, err := b.SaveSearches(bad); !errors.Is(err, session.ErrInput) {
			t.Errorf("%.60v: %v", bad, err)
		}
	}
	newsMust(t, os.WriteFile(filepath.Join(b.Home(), "desk", "searches.json"), []byte(`{"other":1}`), 0o600))
	if list, err := b.SavedSearches(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}
