package pi

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

const head4 = `{"kind":"header","v":4,"storageVersion":1,"id":"s1","createdAt":1767348000000,"cwd":"/w","parentSessionId":"s0"}` + "\n"

// flat and nested are the two forms that entries were written in.
func flat(seq int, lane, id, parent, entry string) string {
	return fmt.Sprintf(`{"kind":"entry","lane":%q,"seq":%d,"id":%q,"parentId":%s,"timestamp":%d,%s}`, lane, seq, id, parent, 1767348000000+seq, entry)
}

func nested(seq int, id, entry string) string {
	return fmt.Sprintf(`{"kind":"entry","seq":%d,"id":%q,"entry":{"timestamp":%d,%s}}`, seq, id, 1767348000000+seq, entry)
}

// TestFormat4: what pi wrote behind version 3 is read as far as it is known, and says that it is newer.
func TestFormat4(t *testing.T) {
	said := func(text string) string {
		return `"type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"` + text + `"}],"usage":{"input":10,"output":2}}`
	}
	tail := `"type":"compaction","summary":"S","tokensBefore":9,"retainedTail":[{"role":"user","content":"kept"},{"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"too"}]}]`
	replaced := fmt.Sprintf(summary, "S")
	cases := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"entries with what they follow", []string{flat(1, "main", "a", "null", user("one")), flat(2, "main", "b", `"a"`, said("two")), flat(3, "main", "c", `"a"`, user("three"))}, []string{"user: one", "user: three"}},
		{"several at once, each behind the other", []string{nested(1, "a", user("one")), "[" + nested(2, "b", said("two")) + "," + `{"kind":"usage","seq":3}` + "," + nested(4, "c", user("three")) + "]"}, []string{"user: one", "assistant: two", "user: three"}},
		{"a compaction brings what it keeps", []string{nested(1, "a", user("one")), nested(2, "b", tail), nested(3, "c", user("three"))}, []string{replaced, "user: kept", "assistant: too", "user: three"}},
		{"but no answer that was stopped", []string{nested(1, "a", user("one")), nested(2, "b", strings.Replace(tail, `"model":"m",`, `"model":"m","stopReason":"aborted",`, 1))}, []string{replaced, "user: kept"}},
		{"the lane of a helper is none of the conversation", []string{flat(1, "main", "a", "null", user("one")), flat(2, "side", "b", `"a"`, user("aside"))}, []string{"user: one"}},
		{"a lane is put back", []string{flat(1, "main", "a", "null", user("one")), flat(2, "main", "b", `"a"`, user("two")), `{"kind":"lane","seq":3,"lane":"main","leafId":"a"}`}, []string{"user: one"}},
		{"a compaction that brings nothing keeps what it points to, without the prompt", []string{
			nested(1, "a", user("one")), "[" + nested(2, "b", user("two")) + `,{"kind":"usage","seq":3},` + nested(4, "s", `"type":"message","message":{"role":"system","content":"P"}`) + "," +
				nested(5, "b2", said("too")) + "]", nested(6, "c", `"type":"compaction","summary":"S","firstKeptEntryId":"b"`), nested(7, "d", user("three")),
		}, []string{replaced, "user: two", "assistant: too", "user: three"}},
		{"an entry of nothing", []string{nested(1, "a", user("one")), `{"kind":"entry","seq":2,"id":"b","entry":{ }}`, nested(3, "c", user("two"))}, []string{"user: one", "user: two"}},
		{"what is no entry", []string{nested(1, "a", user("one")), `{"kind":"mystery","seq":2}`, `{"seq":3}`, "[]", `["x"]`}, []string{"user: one"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			found, r := read(t, head4+strings.Join(test.lines, "\n")+"\n"+`{"kind":"fact","seq":9,"fact":"name","name":"N"}`+"\n")
			if got := r.View(t); r.Err != nil || r.Damaged > 0 || !slices.Equal(got, test.want) {
				t.Errorf("%v, %d damaged: %q\n%s", r.Err, r.Damaged, got, r.Story())
			}
			if found.Title != "N" || found.Problem != "" || found.Cwd != "/w" || found.Parent != "s0" || found.FirstMessage != "one" || found.CreatedAt.IsZero() {
				t.Errorf("%+v", found)
			}
			if log := string(r.Log); !strings.Contains(log, `"pi.newer_version"`) || !strings.Contains(log, `"version":4,"readByTheRulesOf":3`) {
				t.Error(log)
			}
		})
	}
}

// TestNewerVersions of the header of version 3 are read, and say so.
func TestNewerVersions(t *testing.T) {
	for version, newer := range map[string]bool{"3": false, "9": true} {
		_, r := read(t, strings.Replace(tree("1 - "+user("one")), `"version":3`, `"version":`+version, 1))
		if got := r.View(t); !slices.Equal(got, []string{"user: one"}) || strings.Contains(string(r.Log), "pi.newer_version") != newer {
			t.Errorf("version %s: %q\n%s", version, got, r.Story())
		}
	}
}

// TestFormat4Grows: it is read anew, since where it ends may not be where it stands.
func TestFormat4Grows(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	path := sourcetest.Write(t, env.Home, place, head4+nested(1, "a", user("one"))+"\n")
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	var log strings.Builder
	reading, err := Source{}.Follow(t.Context(), env, found, sources.NewLog(agent, "s1", &log, func([]byte) (string, error) { return "sha", nil }))
	if err != nil || reading != nil || !strings.Contains(log.String(), `"one"`) {
		t.Errorf("%v, %v, %s", reading, err, log.String())
	}
	if err := os.WriteFile(path, []byte(head4[:40]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range sourcetest.Find(t, Source{}, env) {
		sourcetest.Read(t, Source{}, env, f)
	}
}

func TestFormat4Survives(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Home(t, map[string]string{
		place: head4 + flat(1, "main", "a", "null", user("one")) + "\n[" + nested(2, "b", said("two")) + "," + nested(3, "c", `"type":"compaction","summary":"S","retainedTail":[{"role":"user","content":"kept"}]`) + "]\n" +
			`{"kind":"lane","seq":4,"lane":"main","leafId":"a"}` + "\n",
	}))
}
