package gemini

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// patch is a line that changes the list.
func patch(members ...string) string { return `{"$patch":{` + strings.Join(members, ",") + `}}` }

func updates(all ...string) string { return `"updates":[` + strings.Join(all, ",") + `]` }

func ids(member string, all ...string) string {
	return `"` + member + `":["` + strings.Join(all, `","`) + `"]`
}

// TestPatches: later versions write what changes in the list, and new messages before that.
func TestPatches(t *testing.T) {
	const after = `{"$set":{"lastUpdated":"2026-01-02T10:05:00.000Z"}}`
	call, answer := model("g1", "", called("c", "whole"), tokens), model("g2", "two", tokens)
	asked := user("u1", "one")
	const ran = "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: "
	parted := `{"id":"g1","content":[{"functionCall":{"id":"c","name":"run_shell_command","args":{"command":"ls"}}}]}`
	gone := `[{"functionResponse":{"id":"c","name":"run_shell_command","response":{"output":"` + taken + `"}}}]`
	mask := updates(`{"id":"r1","content":`+gone+`}`, `{"id":"g1","toolCalls":[{"id":"c","result":`+gone+`}]}`)
	snapshot, ack := user("n1", "<state_snapshot>S</state_snapshot>"), model("n2", acknowledged)
	const summed = "user: <state_snapshot>S</state_snapshot>\nassistant: " + acknowledged + "\n"
	for name, c := range map[string]struct {
		lines    []string
		want     string
		triggers int
		told     string
	}{
		"nothing that the model sees": {[]string{start, asked, call, response("r1", "c", "whole"), patch(updates(parted)), answer}, ran + "whole\nassistant: two\n", 0, ""},
		"an order": {
			[]string{start, asked, call, answer, response("r1", "c", "whole"), patch(updates(parted), ids("orderIds", "ctx", "u1", "g1", "r1", "g2")), after, user("u2", "three")},
			ran + "whole\nassistant: two\nuser: three\n", 0, "",
		},
		"an order, and back": {
			[]string{start, asked, call, answer, response("r1", "c", "whole"), patch(ids("orderIds", "ctx", "u1", "g1", "r1", "g2")), after, `{"$rewindTo":"g2"}`, user("u2", "three")},
			ran + "whole\nuser: three\n", 0, "",
		},
		"an order of two, and back": {
			[]string{start, asked, call, answer, response("r1", "c", "whole"), response("r2", "c", "whole"), patch(ids("orderIds", "ctx", "u1", "g1", "r1", "r2", "g2")), after, `{"$rewindTo":"g2"}`, user("u2", "three")},
			ran + "whole\nuser: three\n", 0, "",
		},
		"output that was taken out": {
			[]string{start, asked, call, response("r1", "c", "whole"), answer, patch(mask), after, user("u2", "three")}, ran + taken + "\nassistant: two\nuser: three\n", 0, "prune",
		},
		"output that was taken out of a message that stands alone": {
			[]string{start, asked, call, answer, patch(`"id":"g1"`, `"toolCalls":[{"id":"c","result":`+gone+`}]`), user("u2", "three")}, ran + taken + "\nassistant: two\nuser: three\n", 0, "prune",
		},
		"output that was taken out of a compressed list": {
			[]string{start, user("u0", "old"), asked, call, response("r1", "c", "whole"), answer, snapshot, ack, patch(ids("removeIds", "u0"), ids("orderIds", "ctx", "n1", "n2", "u1", "g1", "r1", "g2")), patch(mask), user("u2", "three")},
			summed + ran + taken + "\nassistant: two\nuser: three\n", 2, "message user: old",
		},
		"a compression": {
			[]string{start, asked, call, response("r1", "c", "whole"), answer, snapshot, ack, patch(ids("removeIds", "u1", "g1", "r1", "g2")), after, user("u2", "three")}, summed + "user: three\n", 1, "message assistant: two",
		},
		"a compression that has each of its messages noted": {
			[]string{start, asked, answer, snapshot, after, ack, after, patch(ids("removeIds", "u1"), ids("orderIds", "ctx", "n1", "n2", "g2")), after, user("u2", "three")}, summed + "assistant: two\nuser: three\n", 1, "message user: one",
		},
		"an early compression, written anew": {
			[]string{start, snapshot, ack, `{"$set":{"sessionId":"s1"}}`, asked, user("u9", "lost"), patch(ids("removeIds", "u9")), user("u2", "three")}, summed + "user: one\nuser: three\n", 0, "message user: <state_snapshot>",
		},
		"a summary that is taken back, and written again": {
			[]string{start, asked, answer, snapshot, `{"$rewindTo":"n1"}`, snapshot, ack, patch(ids("removeIds", "u1")), user("u2", "three")}, "assistant: two\n" + summed + "user: three\n", 1, "message user: one",
		},
		"a summary, and one behind it that is gone": {
			[]string{start, asked, answer, snapshot, ack, user("u9", "lost"), patch(ids("removeIds", "u9")), user("u2", "three")}, "user: one\nassistant: two\n" + summed + "user: three\n", 1, "message user: lost",
		},
		"a summary that is gone at once": {
			[]string{start, asked, answer, snapshot, ack, patch(ids("removeIds", "n1", "n2")), user("u2", "three")}, "user: one\nassistant: two\nuser: three\n", 0, "message user: <state_snapshot>",
		},
		"an early compression that was answered": {
			[]string{start, snapshot, ack, asked, answer, user("u9", "lost"), patch(ids("removeIds", "u9")), user("u2", "three")}, summed + "user: one\nassistant: two\nuser: three\n", 0, "message user: <state_snapshot>",
		},
		"a text that is written three times, with another gone before the last": {
			[]string{start, asked, model("g2", "first"), model("g2", "second"), user("u9", "lost"), patch(ids("removeIds", "u9")), model("g2", "third"), user("u2", "three")}, "user: one\nassistant: third\nuser: three\n", 0, "message user: lost",
		},
		"a text that changed, and is written again": {
			[]string{start, asked, answer, patch(updates(`{"id":"g2","content":[{"text":"other"}]}`)), model("g2", "again"), user("u2", "three")}, "user: one\nassistant: again\nuser: three\n", 1, "message assistant: two",
		},
		"a text that changed": {
			[]string{start, asked, answer, patch(updates(`{"id":"none","content":"x"}`, `{"id":"g2","content":[{"text":"other"}]}`)), user("u2", "three")}, "user: one\nassistant: other\nuser: three\n", 1, "message assistant: two",
		},
		"the end is gone": {[]string{start, asked, answer, user("u9", "lost"), patch(ids("removeIds", "u9"), ids("orderIds", "ctx", "u1", "g2")), user("u2", "three")}, "user: one\nassistant: two\nuser: three\n", 0, "message user: lost"},
		"one of those without an id is gone, in a list": {
			[]string{set(start, user("u1", "one"), `{"type":"gemini","content":"nameless"}`, `{"id":7,"type":"user","content":"seven"}`, user("u9", "lost")), patch(ids("removeIds", "u9")), user("u2", "three")},
			"user: one\nassistant: nameless\nuser: seven\nuser: three\n", 0, "message user: lost",
		},
		"the middle is gone": {[]string{start, asked, user("u9", "lost"), answer, patch(ids("removeIds", "u9")), user("u2", "three")}, "user: one\nassistant: two\nuser: three\n", 1, "message user: lost"},
	} {
		_, r := reading(t, "session-1-s1.jsonl", file(c.lines...))
		if got := strings.TrimPrefix(r.Seen(t), began); got != c.want || len(r.Triggers()) != c.triggers || !strings.Contains(r.Story(), c.told) || strings.Contains(r.Story(), "gemini.unknown") || r.Damaged > 0 {
			t.Errorf("%s: %q\n%swant\n%s%s", name, r.Triggers(), got, c.want, r.Story())
		}
		if c.triggers > 0 && strings.Contains(c.want, summed) && strings.Count(r.Story(), "message user: <state_snapshot>") > 0 {
			t.Errorf("%s: the summary is told as a prompt\n%s", name, r.Story())
		}
	}
}

// TestPatchesOfALongList: what is written of a list that is changed again and again is in proportion to the file, and the last of it is what
// Gemini holds.
func TestPatchesOfALongList(t *testing.T) {
	const messages, changes = 150, 150
	spare(t, 0, 4)
	says := strings.Repeat("a word ", 20)
	for name, change := range map[string]func(i int) string{
		"one is gone":                      func(i int) string { return patch(ids("removeIds", fmt.Sprint("m", i))) },
		"one is put at the end":            func(i int) string { return patch(ids("orderIds", fmt.Sprint("m", i))) },
		"one changes":                      func(i int) string { return patch(`"id":"m1"`, fmt.Sprintf(`"content":"now %d"`, i)) },
		"one changes, and is put in place": func(i int) string { return patch(`"id":"m1"`, `"content":"now"`, fmt.Sprintf(`"orderIds":["m%d"]`, i)) },
	} {
		var lines []string
		for i := range messages {
			lines = append(lines, user(fmt.Sprint("m", i), says))
		}
		for i := range changes {
			lines = append(lines, change(i), user(fmt.Sprint("n", i), "next"))
		}
		text := file(lines...)
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{chats + "session-1-s1.jsonl": text}))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if most := 20 * len(text); r.Err != nil || len(r.Log) > most {
			t.Errorf("%s: %d bytes of a file of %d, %v", name, len(r.Log), len(text), r.Err)
		}
		if said := strings.Count(string(r.Log), "more often than can be followed"); said != 1 || r.Damaged != 1 {
			t.Errorf("%s: it is said %d times, in %d, that not all is followed", name, said, r.Damaged)
		}
		if seen := r.View(t); seen[len(seen)-1] != "user: next" || len(seen) < changes {
			t.Errorf("%s: %d messages, the last %q", name, len(seen), seen[len(seen)-1])
		}
	}
}
