package codex

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestFind(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, envelope(0, header(id, `,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}}`), item(user(agents, environment)),
		item(user("# Context from my IDE:\nx\n## My request for Codex:\ndo it")), settings, `turn_context {"model":"m2"}`))
	sourcetest.Write(t, env.Home, ".codex/session_index.jsonl", `{"id":"`+id+`","thread_name":"old"}`+"\n"+`{"id":"`+id+`","thread_name":"new"}`+"\nhalf{")
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.Title != "new" || found.FirstMessage != "do it" || found.Model != "m2" || found.Cwd != "/w" || found.Parent != "p" || found.Relation != sources.Subagent {
		t.Errorf("%+v", found)
	}
	if found.UpdatedAt.Second() != 2 || found.Version != "0.1" {
		t.Errorf("%+v", found)
	}
}

// TestLastIsAMessage: a list tells when something was said last. That is no compaction, nor what Codex notes of a turn or puts into the next.
func TestLastIsAMessage(t *testing.T) {
	spoken := []string{header(id, ""), settings, item(user("one")), item(says("A"))}
	for name, c := range map[string]struct {
		last int
		more []string
	}{
		"a turn's end": {3, []string{`event_msg {"type":"token_count"}`, `event_msg {"type":"task_complete"}`}},
		"a compaction": {3, []string{settings, tells(user("one")), `event_msg {"type":"context_compacted"}`}},
		"what is put in again": {3, []string{
			tells(user("one")), item(user(agents, environment)),
			item(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"D"}]}`),
		}},
		"an older summary": {3, []string{`compacted {"message":"S"}`, item(user(summary("S")))}},
		"a result":         {4, []string{item(`{"type":"function_call_output","call_id":"c","output":"out"}`), settings, tells(user("one"))}},
		"a prompt since":   {5, []string{tells(user("one")), item(user(environment, "two")), settings}},
		"a long line":      {5, []string{tells(user(strings.Repeat("x", 100<<10))), item(says("B")), `event_msg {"type":"task_complete"}`}},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, envelope(0, append(slices.Clone(spoken), c.more...)...))
		if at := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)).UpdatedAt; at.Second() != c.last {
			t.Errorf("%s: %v", name, at)
		}
	}
}

// TestFindBehindHeadings: what an editor puts before a request, under whatever headings, is not the first that a person typed.
func TestFindBehindHeadings(t *testing.T) {
	for said, want := range map[string]string{
		"# Files mentioned by the user:\n\n## a.txt\n\n## My request for Codex:\ndo it": "do it", "# Context from my IDE:\n\n## Open tabs:\n- a.txt": "",
		"# Mend the roof": "# Mend the roof",
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, envelope(0, header(id, ""), item(user(said))))
		if found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); found.FirstMessage != want {
			t.Errorf("%s: %q", said, found.FirstMessage)
		}
	}
}

// TestFindStrangers: files of others are no sessions, what is none at all is told of; a file that was renamed still is one.
func TestFindStrangers(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	dir := strings.TrimSuffix(place, "rollout-2026-11-21T01-22-10-"+id+".jsonl")
	sourcetest.Write(t, env.Home, dir+"rollout-2026-11-21T01-22-10-"+other+".jsonl", "")
	sourcetest.Write(t, env.Home, dir+"notes.jsonl", "{}\n")
	sourcetest.Write(t, env.Home, dir+"rollout-mine.jsonl", envelope(0, header(id, ""), item(user("one"))))
	sourcetest.Write(t, env.Home, dir+"rollout-2026-11-21T01-22-11-01a1fbb2-7000-7cd2-9976-548effd87cf7.jsonl.zst", "no zstd")
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if len(found) != 3 || found[id].Problem != "" || found[other].Problem == "" || found["01a1fbb2-7000-7cd2-9976-548effd87cf7"].Problem == "" {
		t.Errorf("%+v", found)
	}
}

// TestDamagedHeader: a file whose first line is damaged or missing is the session that its name says.
func TestDamagedHeader(t *testing.T) {
	lines := envelope(1, settings, item(user("one")), item(says("A")))
	for name, text := range map[string]string{
		"half": `{"timestamp":"2026-11-21T01:22:10.000Z","type":"session_me` + "\n" + lines, "none": lines, "bare": user("one") + "\n" + says("A") + "\n",
		"with an id": strings.Replace(lines, `"type":"message"`, `"type":"message","id":"msg_1"`, 1),
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, text)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, found)
		if got := r.View(t); found.ID != id || found.FirstMessage != "one" || r.Err != nil || !slices.Equal(got, []string{"user: one", "assistant: A"}) {
			t.Errorf("%s: %+v %v %q", name, found, r.Err, got)
		}
	}
}

// sampler has a line of each kind.
func sampler() string {
	return envelope(0, header(id, ""), settings, item(user(agents, environment)), item(user("one")), `event_msg {"type":"user_message","message":"one"}`,
		item(`{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"}`), item(says("A")),
		item(`{"type":"function_call","name":"sh","arguments":"{\"a\":1}","call_id":"c"}`), tokens(10, 1),
		item(`{"type":"function_call_output","call_id":"c","output":"Process exited with code 2\nOutput:\nx"}`),
		item(`{"type":"web_search_call","action":{}}`), `world_state {}`, `mystery {}`, `event_msg {"type":"turn_aborted"}`,
		`compacted {"message":"","replacement_history":[`+user("one")+`,{"type":"compaction"}]}`, item(user("two")),
		`event_msg {"type":"thread_rolled_back","num_turns":2}`, `compacted {"message":"S"}`, `event_msg {"type":"task_complete","error":{"message":"E"}}`)
}

func TestSurvives(t *testing.T) {
	home := t.TempDir()
	sourcetest.Write(t, home, place, sampler())
	sourcetest.Write(t, home, strings.Replace(place, ".jsonl", "_aa.jsonl", 1), envelope(9, header(id, base(9, id)), item(user("three"))))
	sourcetest.Survives(t, Source{}, home)
}

// TestCut: what stands before the last line is read, wherever that one was cut off.
func TestCut(t *testing.T) {
	text := envelope(0, header(id, ""), item(user("one")), item(user("two")))
	whole := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
	for cut := whole; cut < len(text)-1; cut++ {
		if r := read(t, text[:cut]); r.Damaged != 0 || !slices.Equal(r.View(t), []string{"user: one"}) {
			t.Fatalf("cut at %d: %d damaged, %q", cut, r.Damaged, r.View(t))
		}
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Fuzz(f, Source{}, place, sampler(), user("one")+"\n")
}

func TestSamples(t *testing.T) {
	const failedTurn = "the answer failed"
	if n := sourcetest.CheckSamples(t, Source{}, "codex-", failedTurn); n < 3 {
		t.Errorf("only %d sessions", n)
	}
}

func TestSamplesSurvive(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Samples(t, "codex-0.169.0-zstd")[0])
}

func TestCapabilities(t *testing.T) {
	sourcetest.CheckCapabilities(t, Source{}.Capabilities())
}

// TestLongLine: a line of 20 MB is read, its text kept beside the log, and what stands behind it is not lost.
func TestLongLine(t *testing.T) {
	const size = 20 << 20
	r := read(t, envelope(0, header(id, ""), item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`),
		item(`{"type":"function_call_output","call_id":"c","output":"`+strings.Repeat("x", size)+`"}`), item(user("one"))))
	if view := r.View(t); len(view) != 3 || len(view[1]) > 1<<20 || view[2] != "user: one" || len(r.Blobs) != 1 {
		t.Errorf("%d messages, %d blobs", len(view), len(r.Blobs))
	}
	for _, blob := range r.Blobs {
		if len(blob) != size {
			t.Errorf("%d bytes are kept", len(blob))
		}
	}
}

// TestMovedHome: the variable that moves Codex's directory moves both folders of sessions.
func TestMovedHome(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Getenv = func(name string) string { return map[string]string{"CODEX_HOME": "~/moved"}[name] }
	sourcetest.Write(t, env.Home, place, envelope(0, header(id, ""), item(user("not here"))))
	sourcetest.Write(t, env.Home, "moved/archived_sessions/rollout-2026-11-21T01-22-10-"+id+".jsonl", envelope(0, header(id, ""), item(user("here"))))
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.FirstMessage != "here" || !f.Archived {
		t.Errorf("%+v", f)
	}
}
