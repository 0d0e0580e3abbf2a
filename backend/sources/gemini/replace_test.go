package gemini

import (
	"strings"
	"testing"

	"palimpsest/backend/record"
)

const (
	tokens = `,"tokens":{"input":100,"output":10,"cached":0,"thoughts":0,"tool":0,"total":110}`
	// dot stands for an image; the test does not look at it.
	dot = `{"inlineData":{"mimeType":"image/png","data":"iVBORw0K"}}`
)

// withBehind has something stand behind each response.
func withBehind(message, part string) string {
	return strings.ReplaceAll(message, `}}}]`, `}}},`+part+`]`)
}

// TestReplacedByItsOwn: a list that has what was there, changed in one place, is what the model sees from then on. Nothing is told twice
// for that, and it is no compaction.
func TestReplacedByItsOwn(t *testing.T) {
	const masked = "<tool_output_masked>gone</tool_output_masked>"
	info := `{"id":"i","timestamp":"2026-01-02T10:00:00.000Z","type":"info","content":"a new version is there"}`
	other := strings.Replace(start, "/w/app", "/w/other", 1)
	call := user("u1", "one") + "\n" + model("g1", "", called("c", "long"), tokens)
	answer, more := model("g2", "two", tokens), user("u2", "three")
	summary := []string{user("n1", "<state_snapshot>S</state_snapshot>"), model("n2", acknowledged)}
	tests := map[string]struct {
		lines       []string
		want        string
		messages    int
		compactions int
	}{
		"output that was taken out": {
			[]string{set(start), call, response("r1", "c", "long"), answer, set(start, user("u1", "one"), model("g1", "", called("c", masked), tokens), response("r1", "c", masked), answer), more},
			began + "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: " + masked + "\nassistant: two\nuser: three\n", 5, 0,
		},
		"output that was taken out of what the model gets, and stands with the call as it was": {
			[]string{set(start), call, response("r1", "c", "long"), answer, set(start, user("u1", "one"), model("g1", "", called("c", "long"), tokens), response("r1", "c", masked), answer), more},
			began + "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: " + masked + "\nassistant: two\nuser: three\n", 5, 0,
		},
		"output that was taken out after a prompt was erased": {
			[]string{
				set(start), call, response("r1", "c", "long"), answer, user("u9", "lost"), set(start, user("u1", "one"), model("g1", "", called("c", "long")), response("r1", "c", "long"), answer),
				set(start, user("u1", "one"), model("g1", "", called("c", masked)), response("r1", "c", masked), answer), more,
			},
			began + "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: " + masked + "\nassistant: two\nuser: three\n", 6, 0,
		},
		"what stood first is gone": {
			[]string{set(start), user("u0", "zero"), model("g0", "nought", tokens), user("u1", "one"), answer, set(start, user("u1", "one"), answer), more},
			began + "user: one\nassistant: two\nuser: three\n", 5, 0,
		},
		"what stood first is gone, and something new is behind": {
			[]string{set(start), user("u0", "zero"), user("u1", "one"), set(start, user("u1", "one"), answer, more)},
			began + "user: one\nassistant: two\nuser: three\n", 4, 0,
		},
		"the context of another day": {
			[]string{set(start), user("u1", "one"), set(start, summary[0], summary[1]), user("u2", "two"), model("g2", "too", tokens), set(other, summary[0], summary[1], user("u2", "two"), model("g2", "too", tokens)), user("u3", "three")},
			strings.Replace(began, "/w/app", "/w/other", 1) + "user: <state_snapshot>S</state_snapshot>\nassistant: " + acknowledged + "\nuser: two\nassistant: too\nuser: three\n", 4, 1,
		},
		"without what Gemini told the user": {
			[]string{set(start), user("u1", "one"), info, answer, set(start, user("u1", "one"), answer), more}, began + "user: one\nassistant: two\nuser: three\n", 3, 0,
		},
		"what replaced others, again without what Gemini told the user behind it, and back": {
			[]string{user("u1", "one"), user("u8", "two"), set(user("u8", "two"), user("u1", "one")), info, user("u4", "four"), set(user("u8", "two"), user("u1", "one"), user("u4", "four")), `{"$rewindTo":"u4"}`, more},
			"user: two\nuser: one\nuser: three\n", 4, 0,
		},
		"a text that thinking interrupts": {
			[]string{set(start), user("u1", "one"), model("g1", "a b", tokens), set(start, user("u1", "one"), `{"id":"g1","type":"gemini","content":[{"text":"a "},{"text":"hm","thought":true},{"text":"b"}]}`), more},
			began + "user: one\nassistant: a b\nuser: three\n", 3, 0,
		},
	}
	for name, test := range tests {
		_, r := reading(t, "session-2026-01-02T10-00-s1.jsonl", file(test.lines...))
		messages, compactions, told := 0, 0, 0
		for _, rec := range r.Records {
			if rec.Compaction != nil && rec.Compaction.Counts() {
				compactions++
			}
			if rec.Message != nil {
				messages++
			}
			if rec.Message != nil && rec.Message.Usage != nil {
				told += rec.Message.Usage.Input
			}
		}
		wanted := 0
		for id := range map[string]bool{"g0": true, "g1": true, "g2": true} {
			for _, line := range test.lines {
				if strings.Contains(line, `"`+id+`"`) && strings.Contains(line, tokens) {
					wanted += 100
					break
				}
			}
		}
		if got := r.Seen(t); got != test.want || messages != test.messages || compactions != test.compactions || told != wanted {
			t.Errorf("%s: %d messages, %d compactions, %d tokens, not %d; got\n%swant\n%s%s", name, messages, compactions, told, wanted, got, test.want, r.Story())
		}
	}
}

// TestBehindAResult: what stands behind a response, as an image that was read, is part of the result, and no prompt.
func TestBehindAResult(t *testing.T) {
	call, answered := model("g1", "", called("c", "read")), response("r1", "c", "read")
	const one = `{"functionResponse":{"id":"c","name":"run_shell_command","response":{"output":"read"}}}`
	running := strings.Split(call, `,"toolCalls"`)[0] + `,"toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"ls"},"status":"executing"}]}`
	const result = "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: read [image]\nassistant: two\n"
	for name, lines := range map[string][]string{
		"with the call":                {user("u1", "one"), withBehind(call, dot), model("g2", "two")},
		"in both":                      {user("u1", "one"), withBehind(call, dot), withBehind(answered, dot), model("g2", "two")},
		"in a message of its own":      {user("u1", "one"), strings.Split(call, `,"toolCalls"`)[0] + `,"toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"ls"},"status":"executing"}]}`, withBehind(answered, dot), model("g2", "two")},
		"twice in one message":         {user("u1", "one"), running, `{"id":"r1","type":"user","content":[` + strings.Join([]string{one, dot, one, dot}, ",") + `]}`, model("g2", "two")},
		"in a list that replaced them": {user("u1", "first"), withBehind(call, dot), withBehind(answered, dot), set(user("u1", "one"), withBehind(call, dot), withBehind(answered, dot), model("g2", "two"))},
	} {
		_, r := reading(t, "session-1-s1.jsonl", file(lines...))
		if got := r.Seen(t); got != result {
			t.Errorf("%s:\n%s%s", name, got, r.Story())
		}
	}
	_, r := reading(t, "session-1-s1.json", `{"sessionId":"s1","messages":[`+strings.Join([]string{user("u1", "one"), withBehind(call, dot), model("g2", "two")}, ",")+`]}`)
	if r.Seen(t) != result {
		t.Error(r.Story())
	}
	_, r = reading(t, "session-1-s1.jsonl", file(user("u1", "one"), call, withBehind(answered, `{"text":"a hint"}`), model("g2", "two")))
	typed := 0
	for _, rec := range r.Records {
		if rec.Message != nil && rec.Message.Role == record.RoleUser {
			typed++
		}
	}
	if typed != 1 || !strings.Contains(r.Seen(t), "user: a hint\n") {
		t.Errorf("%d prompts\n%s", typed, r.Story())
	}
}

// TestOtherChanges: what a change says of the session besides its messages is kept.
func TestOtherChanges(t *testing.T) {
	_, r := reading(t, "session-1-s1.jsonl", file(user("u1", "one"), `{"$set":{"directories":["/w/other"]}}`, `{"$set":{"sessionId":"s1","lastUpdated":"2026-01-02T10:05:00.000Z"}}`, `{"$set":{"summary":null}}`))
	if strings.Count(r.Story(), "gemini.set") != 1 || !strings.Contains(string(r.Log), "/w/other") {
		t.Error(r.Story())
	}
}
