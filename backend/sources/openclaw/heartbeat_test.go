package openclaw

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// by is an answer of a model behind an interface, with these blocks.
func by(api, model string, blocks ...string) string {
	return `"type":"message","message":{"role":"assistant","api":"` + api + `","provider":"p","model":"` + model + `","content":[` + strings.Join(blocks, ",") + `]}`
}

func says(text string) string { return `{"type":"text","text":"` + text + `"}` }

func callBlock(id, name, arguments string) string {
	return `{"type":"toolCall","id":"` + id + `","name":"` + name + `","arguments":` + arguments + `}`
}

func gave(id, text string) string {
	return `"type":"message","message":{"role":"toolResult","toolCallId":"` + id + `","content":[` + says(text) + `]}`
}

func transcriptOf(t *testing.T, agent string, entries ...string) *sourcetest.Reading {
	t.Helper()
	last := "-"
	for i, entry := range entries {
		id := string(rune('a' + i))
		entries[i] = id + " " + last + " " + entry
		last = id
	}
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{"." + agent + "/agents/main/sessions/s1.jsonl": text(entries...)}))
	source := Source{Fork: agent == "coderclaw"}
	return sourcetest.Read(t, source, env, sourcetest.Only(t, sourcetest.Find(t, source, env)))
}

// TestHeartbeats: those to which nothing was to be said are in no request any more, with all that was done for them. They are where a person
// was told something, and where a heartbeat became one message with what stands beside it.
func TestHeartbeats(t *testing.T) {
	const claude, gpt, beat = "anthropic-messages", "openai-responses", "[OpenClaw heartbeat poll]"
	ok := says("HEARTBEAT_OK")
	for name, c := range map[string]struct {
		api     string
		entries []string
		want    string
	}{
		"all is well":            {claude, []string{user(beat), by(claude, "m", ok), user("two")}, "user: two\n"},
		"in other words":         {claude, []string{user(beat), by(claude, "m", says("**HEARTBEAT_OK** fine.")), user("two")}, "user: two\n"},
		"in many words":          {claude, []string{user(beat), by(claude, "m", says(strings.Repeat("x", 301)+" HEARTBEAT_OK")), user("two")}, "user: " + beat + "\nassistant: " + strings.Repeat("x", 90) + "…\nuser: two\n"},
		"a person was told":      {claude, []string{user(beat), by(claude, "m", says("The disk is full.")), user("two")}, "user: " + beat + "\nassistant: The disk is full.\nuser: two\n"},
		"looked, and all well":   {claude, []string{user(beat), by(claude, "m", says("looking"), callBlock("c", "ls", "{}")), gave("c", "x"), by(claude, "m", ok), user("two")}, "user: two\n"},
		"by the tool":            {claude, []string{user("[OpenClaw cron wake]"), by(claude, "m", callBlock("c", "heartbeat_respond", `{"notify":false}`)), gave("c", "ok"), by(claude, "m", says("done")), user("two")}, "user: two\n"},
		"told by the tool":       {claude, []string{user(beat), by(claude, "m", callBlock("c", "heartbeat_respond", `{"notify":true}`)), gave("c", "ok"), user("two")}, "user: " + beat + "\nassistant: heartbeat_respond#c{\"notify\":true}\ntoolResult: ok\nuser: two\n"},
		"no reply, joined":       {claude, []string{user(beat), by(claude, "m", says("NO_REPLY")), user("two")}, "user: " + beat + "\nuser: two\n"},
		"no reply, apart":        {gpt, []string{user(beat), by(gpt, "m", says("NO_REPLY")), user("two")}, "user: two\n"},
		"no reply, and the last": {claude, []string{by(claude, "m", says("one")), user(beat), by(claude, "m", says("NO_REPLY"))}, "assistant: one\n"},
		"without blocks":         {claude, []string{user(beat), `"type":"message","message":{"role":"assistant","api":"x","content":"HEARTBEAT_OK"}`, user("two")}, "user: two\n"},
		"left behind by a leaf":  {claude, []string{user("one"), by(claude, "m", says("A")), user(beat), by(claude, "m", ok), `"type":"leaf","targetId":"b"`, user("two")}, "user: one\nassistant: A\nuser: two\n"},
	} {
		if got := transcriptOf(t, "openclaw", c.entries...).Seen(t); got != c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if got := transcriptOf(t, "coderclaw", user(beat), by(claude, "m", ok), user("two")).Seen(t); !strings.Contains(got, beat) {
		t.Errorf("the fork: %s", got)
	}
}

// TestThinkingByTheModelThatFollows: of what was thought for earlier answers the model decides that the session goes on with.
func TestThinkingByTheModelThatFollows(t *testing.T) {
	thought := func(text, signature string) string {
		return `{"type":"thinking","thinking":"` + text + `","thinkingSignature":"` + signature + `"}`
	}
	const claude, old, recent = "anthropic-messages", "claude-3-7-sonnet", "claude-opus-4-6"
	for name, c := range map[string]struct {
		api, model, entry, want string
	}{
		"the newest answer":      {claude, old, "", "assistant: A\nassistant: B\nassistant: ~n C\n"},
		"one that is told":       {claude, recent, "", "assistant: ~s A\nassistant: B\nassistant: ~n C\n"},
		"another interface":      {"openai-responses", "gpt-5", "", "assistant: ~s A\nassistant: ~u B\nassistant: ~n C\n"},
		"a switch without words": {"openai-responses", "gpt-5", `"type":"custom","customType":"model-snapshot","data":{"provider":"p","modelApi":"anthropic-messages","modelId":"` + old + `"}`, "assistant: A\nassistant: B\nassistant: ~n C\n"},
	} {
		entries := []string{by("openai-responses", "gpt-5", thought("s", "x"), says("A")), by(claude, recent, thought("u", ""), says("B")), by(c.api, c.model, thought("n", "y"), says("C"))}
		if c.entry != "" {
			entries = append(entries, c.entry)
		}
		if got := transcriptOf(t, "openclaw", entries...).Seen(t); got != c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestThinkingBehindAnotherBranch: the model that a branch goes on with is that of its own last answer, also where one that was left had it first.
func TestThinkingBehindAnotherBranch(t *testing.T) {
	const claude, old = "anthropic-messages", "claude-3-7-sonnet"
	thought := func(text string) string {
		return `{"type":"thinking","thinking":"` + text + `","thinkingSignature":"x"}`
	}
	got := transcriptOf(
		t, "openclaw",
		by("openai-responses", "gpt-5", thought("s"), says("A")), by(claude, old, says("left")), `"type":"leaf","targetId":"a"`, by(claude, old, thought("n"), says("C")),
	).Seen(t)
	if want := "assistant: A\nassistant: ~n C\n"; got != want {
		t.Errorf("%s", got)
	}
}

// TestManyTokens: an answer that says the token without an end is looked at once.
func TestManyTokens(t *testing.T) {
	for text, want := range map[string]bool{
		"x " + strings.Repeat(beatOK+" ", 20_000): true, strings.Repeat(beatOK+" ", 20_000) + "x": true,
		"fine. " + beatOK + "…”!)": true, "fine. " + beatOK + "…”!).": false, "é" + beatOK + "…”…”": true,
	} {
		if allIsWell(text) != want {
			t.Errorf("%.40s: %v", text, !want)
		}
	}
}

// TestImageElsewhere: what is said in the place of an image that is not in the transcript.
func TestImageElsewhere(t *testing.T) {
	r := transcriptOf(t, "openclaw", `"type":"message","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","url":"https://x.test/a.png"},{"type":"document"}]}`)
	if got, want := r.Seen(t), "user: "+noImage+"\n"; got != want || !strings.Contains(r.Story(), "[?] "+noImage+" [?]") {
		t.Errorf("%s\n%s", got, r.Story())
	}
}
