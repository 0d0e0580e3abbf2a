package gemini

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestWhatIsReadOn: of a file that grows line by line, all that a session writes as a rule is read on, also by one program after the other;
// and what says otherwise of something before has it read anew.
func TestWhatIsReadOn(t *testing.T) {
	const updated = `{"$set":{"lastUpdated":"2026-01-02T10:05:00.000Z"}}`
	const thoughts = `,"thoughts":[{"subject":"Look","description":"around"}]`
	turn := func(n int, text, more string) []string {
		of := func(kind string) string { return fmt.Sprint(kind, n) }
		return []string{
			user(of("u"), "ask"), updated, model(of("g"), text, tokens, more), updated, model(of("g"), text, tokens, more, called(of("c"), "a")),
			response(of("r"), of("c"), "a"), updated, model(of("e"), "done", tokens), updated,
		}
	}
	list := []string{start, user("u1", "one"), `{"id":"g1","type":"gemini","content":[{"text":"two"}]}`}
	summary := []string{start, user("n1", "<state_snapshot>S</state_snapshot>"), model("n2", acknowledged), user("u2", "three")}
	for name, c := range map[string]struct {
		lines []string
		anew  int
	}{
		"turns, each with an answer that gets its calls": {lines: append(append(turn(1, "", thoughts), turn(2, "I look", "")...), turn(3, "", "")...)},
		"a resume, with the list as it is": {lines: []string{
			set(start), user("u1", "one"), model("g1", "two", tokens), updated, `{"$set":{"sessionId":"s1"}}`, set(list...), user("u2", "three"), model("g2", "", called("c", "a")),
		}},
		"a compression":                  {lines: []string{set(start), user("u1", "one"), model("g1", "two", tokens), user("u2", "three"), set(summary...), model("g3", "four", tokens), user("u4", "five")}},
		"calls in a list that was kept":  {lines: []string{set(start), user("u1", "one"), set(list...), model("g1", "two", called("c", "a")), response("r1", "c", "a"), user("u2", "three")}},
		"what is taken back":             {lines: []string{set(start), user("u1", "one"), model("g1", "two"), user("u2", "three"), model("g2", "four"), `{"$rewindTo":"u2"}`, user("u3", "five")}},
		"what an error erased":           {lines: []string{set(start), user("u1", "one"), model("g1", "two", tokens), user("u2", "lost"), set(list...), user("u3", "three")}},
		"what Gemini tells the user":     {lines: []string{user("u1", "one"), `{"id":"i1","type":"info","content":"told"}`, model("g1", "two"), `{"odd":1}`, "rubbish", user("u2", "three")}},
		"the first patch, and others":    {anew: 1, lines: []string{user("u1", "one"), model("g1", "two"), user("u2", "three"), patch(ids("removeIds", "g1")), user("u3", "four"), patch(ids("removeIds", "u2"))}},
		"other words in the last answer": {lines: []string{user("u1", "one"), model("g1", "two"), model("g1", "else"), user("u2", "three")}},
		"calls behind other messages":    {anew: 1, lines: []string{user("u1", "one"), model("g1", "two"), user("u2", "three"), model("g1", "two", called("c", "a")), user("u3", "four")}},
		"other words in a list":          {anew: 1, lines: []string{set(list...), user("u2", "three"), model("g1", "else"), user("u3", "four")}},
		"other words again":              {anew: 2, lines: []string{set(list...), user("u2", "three"), model("g1", "else"), model("g1", "two"), user("u3", "four")}},
	} {
		for how, pieces := range map[string]func(sourcetest.Failer, sources.Follower, sources.Env, sources.Found, []int) int{"one program": sourcetest.Pieces, "several": sourcetest.KeptPieces} {
			t.Run(name+", "+how, func(t *testing.T) {
				home := t.TempDir()
				text := file(c.lines...)
				path := sourcetest.Write(t, home, chats+"session-1-s1.jsonl", text)
				var cuts []int
				for at, b := range text {
					if b == '\n' {
						cuts = append(cuts, at+1)
					}
				}
				found := sources.Found{Agent: "gemini", ID: "s1", Files: []string{path}}
				if went, want := pieces(t, Source{}, sourcetest.Env(t, home), found, cuts), len(cuts)-1-c.anew; went != want {
					t.Errorf("it went on %d times, not %d", went, want)
				}
			})
		}
	}
}

// TestMuchBehindAnAnswer: an answer that may be written again is read again only as long as that is little.
func TestMuchBehindAnAnswer(t *testing.T) {
	long := `{"$set":{"later":"` + strings.Repeat("x", heldMost) + `"}}`
	home := t.TempDir()
	text := file(user("u1", "one"), model("g1", ""), long, user("u2", "three"), model("g2", "four"))
	path := sourcetest.Write(t, home, chats+"session-1-s1.jsonl", text)
	found := sources.Found{Agent: "gemini", ID: "s1", Files: []string{path}}
	behind := strings.Index(text, long) + len(long) + 1
	if went := sourcetest.Pieces(t, Source{}, sourcetest.Env(t, home), found, []int{behind, len(text)}); went != 1 {
		t.Errorf("it went on %d times", went)
	}
}
