package gemini

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

const taken = "<tool_output_masked>gone</tool_output_masked>"

// masking is a session of so many calls, after each of which the output of the one before was taken out of the list.
func masking(calls int, output string) []string {
	lines := []string{set(start), user("u", "begin")}
	all := []string{start, user("u", "begin")}
	for i := range calls {
		call, id := fmt.Sprintf("c%d", i), fmt.Sprintf("g%d", i)
		lines = append(lines, model(id, "", called(call, output), tokens), response("r"+call, call, output))
		all = append(all, model(id, "", called(call, output), tokens), response("r"+call, call, output))
		if i > 0 {
			before := len(all) - 4
			all[before], all[before+1] = strings.ReplaceAll(all[before], output, taken), strings.ReplaceAll(all[before+1], output, taken)
			lines = append(lines, set(all...))
		}
	}
	return append(lines, user("v", "end"))
}

// TestOnlyWhatWasMasked: the log says which outputs were taken out, and what stands for each, and not all of the list once more.
func TestOnlyWhatWasMasked(t *testing.T) {
	const calls = 20
	output := strings.Repeat("long output. ", 100)
	_, r := reading(t, "session-1-s1.jsonl", file(masking(calls, output)...))
	seen := r.Seen(t)
	if strings.Count(seen, "toolResult: "+taken) != calls-1 || strings.Count(seen, "toolResult: long output") != 1 || !strings.HasSuffix(seen, "user: end\n") || r.Damaged > 0 {
		t.Errorf("%s", seen)
	}
	if most := 3 * calls * len(output); len(r.Log) > most {
		t.Errorf("%d bytes for outputs of %d", len(r.Log), calls*len(output))
	}
	if strings.Contains(r.Story(), "compaction") {
		t.Error(r.Story())
	}
}

// TestMaskedAndBack: what was taken out stays so when the conversation goes back to behind it, and when its list is replaced, and is there
// whole in what was said.
func TestMaskedAndBack(t *testing.T) {
	call := model("g1", "", called("c", "whole"), tokens)
	list := []string{start, user("u1", "one"), strings.ReplaceAll(call, "whole", taken), response("r1", "c", taken), model("g2", "two", tokens)}
	base := []string{set(start), user("u1", "one"), call, response("r1", "c", "whole"), model("g2", "two", tokens), set(list...)}
	const head = "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: " + taken + "\nassistant: two\n"
	for name, c := range map[string]struct {
		more []string
		want string
	}{
		"back":               {[]string{user("u2", "wrong"), `{"$rewindTo":"u2"}`, user("u3", "right")}, head + "user: right\n"},
		"erased":             {[]string{user("u2", "wrong"), set(list...), user("u3", "right")}, head + "user: right\n"},
		"back before it":     {[]string{`{"$rewindTo":"u1"}`, user("u3", "right")}, "user: right\n"},
		"the same once more": {[]string{set(list...), user("u3", "right")}, head + "user: right\n"},
		"masked again": {
			[]string{set(start, user("u1", "one"), strings.ReplaceAll(call, "whole", "less"), response("r1", "c", "less"), model("g2", "two", tokens)), user("u3", "right")},
			strings.Replace(head, taken, "less", 1) + "user: right\n",
		},
		"whole again": {
			[]string{set(start, user("u1", "one"), call, response("r1", "c", "whole"), model("g2", "two", tokens)), user("u3", "right")},
			strings.Replace(head, taken, "whole", 1) + "user: right\n",
		},
		"compressed": {
			[]string{set(start, user("n1", "<state_snapshot>S</state_snapshot>"), model("n2", acknowledged), model("g2", "two", tokens)), user("u3", "right")},
			"user: <state_snapshot>S</state_snapshot>\nassistant: " + acknowledged + "\nassistant: two\nuser: right\n",
		},
	} {
		_, r := reading(t, "session-1-s1.jsonl", file(append(append([]string(nil), base...), c.more...)...))
		if got := strings.TrimPrefix(r.Seen(t), began); got != c.want || !strings.Contains(r.Story(), "toolResult: whole\n") || r.Damaged > 0 {
			t.Errorf("%s:\n%s%s", name, got, r.Story())
		}
	}
}

// TestMaskedTogether: what one list took out is told of once, each output with its own text.
func TestMaskedTogether(t *testing.T) {
	one, two := model("g1", "", called("c1", "first"), tokens), model("g2", "", called("c2", "second"), tokens)
	_, r := reading(t, "session-1-s1.jsonl", file(set(start), user("u1", "one"), one, response("r1", "c1", "first"), two, response("r2", "c2", "second"),
		set(start, user("u1", "one"), one, response("r1", "c1", "less"), two, response("r2", "c2", taken)), user("u2", "two")))
	seen := r.Seen(t)
	if strings.Count(r.Story(), " prune [") != 1 || !strings.Contains(seen, "toolResult: less\n") || !strings.Contains(seen, "toolResult: "+taken+"\n") {
		t.Errorf("%s%s", seen, r.Story())
	}
}

// TestMaskedWhereNothingIsWrittenAgain: where there is no room to tell anew what was taken out, it is told at the end, as it was last.
func TestMaskedWhereNothingIsWrittenAgain(t *testing.T) {
	one, two := response("r1", "c1", "first"), response("r2", "c2", "second")
	lines := []string{
		start, model("g1", "", called("c1", "first"), tokens), one, model("g2", "", called("c2", "second"), tokens), two, user("u1", "wrong"),
		patch(updates(strings.Replace(one, "first", taken, 1), strings.Replace(two, "second", taken, 1))), `{"$rewindTo":"u1"}`,
		patch(updates(strings.Replace(two, "second", "less", 1))), user("u2", "right"),
	}
	spare(t, -1<<40, 0)
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{chats + "session-1-s1.jsonl": file(lines...)}))
	view := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env))).View(t)
	if got := strings.Join(view, "\n"); !strings.Contains(got, "toolResult: "+taken) || !strings.Contains(got, "toolResult: less") || !strings.HasSuffix(got, "user: right") {
		t.Error(got)
	}
}
