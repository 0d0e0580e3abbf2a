package codex

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// migratedFrom is a rollout as it was before Codex wrote it anew: no line had a number, and an event told of what was said.
func migratedFrom(text, last string) string {
	lines := regexp.MustCompile(`"ordinal":\d+,`).ReplaceAllString(text, "")
	return lines + `{"timestamp":"2026-11-21T01:22:03.000Z","type":"event_msg","payload":{"type":"user_message","message":"` + last + `"}}` + "\n"
}

// TestTwice: a rollout that is there twice is one session while one file begins with the other, wherever they are and however they are
// kept, and it is the longer one. Those that went on apart are two, each by an id of its own.
func TestTwice(t *testing.T) {
	var (
		one, two = envelope(0, header(id, ""), item(user("one"))), envelope(0, header(id, ""), item(user("one")), item(user("two")))
		three    = envelope(0, header(id, ""), item(user("one")), item(user("three")))
		archived = strings.Replace(place, "sessions/2026/11/21", "archived_sessions", 1)
		next     = strings.Replace(place, "/21/", "/22/", 1)
		mine     = filepath.ToSlash(filepath.Join(filepath.Dir(place), "rollout-mine.jsonl"))
		segment  = strings.Replace(place, ".jsonl", "_aa.jsonl", 1)
		back     = envelope(2, header(id, base(2, id)), item(user("back")))
		legacy   = migratedFrom(one, "one")
		longer   = migratedFrom(three, "three")
		long     = envelope(0, header(id, ""), item(user("one")), item(user(strings.Repeat("x", 200_000))), item(user("two")))
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string // the last that was said, by id
	}{
		"packed":            {map[string]string{place: two, place + ".zst": packed(t, two)}, map[string]string{id: "two"}},
		"packed before":     {map[string]string{place: two, place + ".zst": packed(t, one)}, map[string]string{id: "two"}},
		"packed whole":      {map[string]string{place: one, place + ".zst": packed(t, two)}, map[string]string{id: "two"}},
		"packed apart":      {map[string]string{place: two, place + ".zst": packed(t, three)}, map[string]string{id: "two", id + "@zst": "three"}},
		"packed, damaged":   {map[string]string{place: one, place + ".zst": packed(t, long)[:200]}, map[string]string{id: "one"}},
		"both packed":       {map[string]string{place + ".zst": packed(t, one), archived + ".zst": packed(t, two)}, map[string]string{id: "two"}},
		"nothing yet":       {map[string]string{place: "", place + ".zst": packed(t, two)}, map[string]string{id: "two"}},
		"put away":          {map[string]string{place: two, archived: two}, map[string]string{id: "two"}},
		"put away, longer":  {map[string]string{place: one, archived: long}, map[string]string{id: "two"}},
		"put away, apart":   {map[string]string{place: two, archived: three}, map[string]string{id: "two", id + "@archived_sessions": "three"}},
		"two days":          {map[string]string{place: three, next: two}, map[string]string{id: "three", id + "@22": "two"}},
		"two days, one":     {map[string]string{place: one, next: two}, map[string]string{id: "two"}},
		"a copy":            {map[string]string{place: two, mine: one}, map[string]string{id: "two"}},
		"a copy that grew":  {map[string]string{place: one, mine: two}, map[string]string{id: "two"}},
		"a copy, apart":     {map[string]string{place: two, mine: three}, map[string]string{id: "two", id + "@rollout-mine": "three"}},
		"with a segment":    {map[string]string{place: two, archived: three, segment: back}, map[string]string{id: "back", id + "@archived_sessions": "back"}},
		"three of them":     {map[string]string{place: two, next: three, archived: one}, map[string]string{id: "two", id + "@22": "three"}},
		"three apart":       {map[string]string{place: two, next: three, archived: long}, map[string]string{id: "two", id + "@22": "three", id + "@archived_sessions": "two"}},
		"migrated":          {map[string]string{place: two, place + ".zst": packed(t, legacy)}, map[string]string{id: "two"}},
		"migrated, alike":   {map[string]string{place: one, archived: legacy}, map[string]string{id: "one"}},
		"migrated, apart":   {map[string]string{place: two, archived: longer}, map[string]string{id: "two", id + "@archived_sessions": "three"}},
		"migrated, behind":  {map[string]string{place: one, archived: longer}, map[string]string{id: "three"}},
		"one that is empty": {map[string]string{place: "", archived: "", next: two}, map[string]string{id: "two"}},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, c.files))
		env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "1")
		for range 2 { // from memory, too
			found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
			if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(c.want)); !slices.Equal(got, want) {
				t.Errorf("%s: %q", name, got)
			}
			for one, want := range c.want {
				said, err := sources.Said(t.Context(), Source{}, env, found[one])
				if err != nil || len(said) == 0 || !strings.HasSuffix(said[len(said)-1], want) {
					t.Errorf("%s: %s: %.200q, %v", name, one, said, err)
				}
			}
		}
	}
}
