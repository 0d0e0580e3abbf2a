//go:build unix

package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/agent"
	"palimpsest/backend/agent/tools"
	"palimpsest/backend/session"
)

// worker is a talker whose session has a folder.
type worker struct {
	*talker
	dir string
}

func atWork(t *testing.T, settings ...string) *worker {
	t.Helper()
	k := talk(t, settings...)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	newsMust(t, err)
	made, err := k.New(NewSession{Cwd: dir})
	newsMust(t, err)
	k.id = made.ID
	return &worker{k, dir}
}

func (w *worker) path(name string) string { return filepath.Join(w.dir, name) }

func (w *worker) put(name, text string) {
	w.t.Helper()
	newsMust(w.t, os.WriteFile(w.path(name), []byte(text), 0o644))
}

func (w *worker) text(name string) string {
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		return "(none)"
	}
	return string(data)
}

// calls sends a message that the model answers with one call.
func (w *worker) calls(tool, arguments string) *turn {
	w.t.Helper()
	turn := w.say("go on")
	w.server.Next().Call(0, "c1", tool, arguments).End("tool_calls")
	return turn
}

// asked waits for the question, which is also in the state of the turn.
func (w *worker) asked(u *turn) agent.Question {
	w.t.Helper()
	told, ok := u.until(agent.KindPermission).Data.(agent.Question)
	state, err := w.Turns(w.id)
	newsMust(w.t, err)
	if !ok || state.Running == nil || state.Running.Asking == nil || state.Running.State != agent.StateAsking || state.Running.Asking.Asked != told.Asked {
		w.t.Fatalf("%+v\n%+v", told, state.Running)
	}
	if ids := w.Asking(); !slices.Equal(ids, []string{w.id}) {
		w.t.Errorf("%q ask", ids)
	}
	return *state.Running.Asking
}

func (w *worker) answers(u *turn, answer, reason string) Answered {
	w.t.Helper()
	out, err := w.Answer(w.t.Context(), w.id, u.TurnID, Response{CallID: "c1", Answer: answer, Reason: reason})
	newsMust(w.t, err)
	return out
}

// ends reads the result that the model is given, and ends the turn.
func (w *worker) ends(u *turn) string {
	w.t.Helper()
	q := w.server.Next()
	result := q.Last()
	q.Answer("done")
	u.ok()
	if ids := w.Asking(); len(ids) > 0 {
		w.t.Errorf("%q ask", ids)
	}
	return result
}

// last are the members of the last tool result in the log.
func (w *worker) last() (result struct {
	IsError bool
	Diff    string
	Changes []tools.Change
	Content []struct {
		Type, Text, Blob, MediaType string
		Bytes                       int
	}
},
) {
	w.t.Helper()
	data, err := os.ReadFile(w.store.LogPath(w.id))
	newsMust(w.t, err)
	for _, line := range slices.Backward(strings.Split(string(data), "\n")) {
		if strings.Contains(line, `"role":"toolResult"`) {
			newsMust(w.t, json.Unmarshal([]byte(line), &result))
			return result
		}
	}
	w.t.Fatal("there is no result")
	return result
}

// TestAskedAnsweredAndRun goes all the way: a call, the question, the answer, the file, the log, the next request, and the
// rule that the answer left.
func TestAskedAnsweredAndRun(t *testing.T) {
	w := atWork(t)
	w.put("a.txt", "one\n")
	const edit = `{"path":"a.txt","oldText":"one","newText":"two"}`
	u := w.say("change it")
	first := w.server.Next()
	if len(first.Tools) != 7 {
		t.Errorf("%d tools are offered", len(first.Tools))
	}
	first.Call(0, "c1", "edit", edit).End("tool_calls")
	const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n"
	q := w.asked(u)
	if q.Diff != diff || q.Tool != "edit" || !slices.Equal(q.Paths, []string{w.path("a.txt")}) || !slices.Equal(q.Rules, []string{"edit(a.txt)"}) ||
		string(q.Arguments) != edit || !strings.Contains(q.Why, "No rule allows") {
		t.Errorf("%+v", q)
	}
	if w.text("a.txt") != "one\n" {
		t.Error("changed before it was allowed")
	}
	if out := w.answers(u, AnswerSession, ""); out.Answer != AnswerSession || !slices.Equal(out.Rules, q.Rules) || out.Problem != nil {
		t.Errorf("%+v", out)
	}
	if got := w.ends(u); !strings.HasPrefix(got, "edited a.txt: 1 lines added, 1 removed") || w.text("a.txt") != "two\n" {
		t.Errorf("%q, %q", got, w.text("a.txt"))
	}
	r := w.last()
	if r.Diff != diff || len(r.Changes) != 1 || r.Changes[0].Path != w.path("a.txt") || r.IsError {
		t.Errorf("%+v", r)
	}
	if before, err := w.blobOf(w.id, *r.Changes[0].Before); err != nil || string(before) != "one\n" {
		t.Errorf("%q, %v", before, err)
	}
	rules, err := w.Permissions(w.id)
	newsMust(t, err)
	if !slices.Equal(rules.Permissions, []session.Permission{{Rule: "edit(a.txt)", Effect: "allow"}}) || len(rules.Inherited) != 4 || rules.NoTools != nil {
		t.Errorf("%+v", rules)
	}
	again := w.calls("edit", `{"path":"a.txt","oldText":"two","newText":"three"}`) // is not asked about
	w.ends(again)
	if w.text("a.txt") != "three\n" {
		t.Error(w.text("a.txt"))
	}
}

func TestWhatIsNotAllowedIsNotRun(t *testing.T) {
	w := atWork(t, "permissions:", "  allow: [bash(touch a *)]", "  deny: ['bash(touch b *)', 'read(secret)']")
	w.put("secret", "the word\n")
	w.put("plain", "the word\n")
	for command, answer := range map[string]string{"touch a": "", "touch b": "", "touch c": AnswerNo, "touch d; touch b": "", "touch e": AnswerOnce} {
		u := w.calls("bash", fmt.Sprintf(`{"command":%q}`, command))
		if answer != "" {
			if q := w.asked(u); q.Command != command {
				t.Errorf("%+v", q)
			}
			w.answers(u, answer, "use d")
		}
		result := w.ends(u)
		name := command[len(command)-1:]
		if run := w.text(name) == ""; run != (name == "a" || name == "e") {
			t.Errorf("%s: %q", command, result)
		}
		if answer == AnswerNo && !strings.HasSuffix(result, "The user says: use d") || name == "b" && !strings.Contains(result, "denies") {
			t.Errorf("%s: %q", command, result)
		}
	}
	if got := w.ends(w.calls("grep", `{"pattern":"word","path":"."}`)); !strings.Contains(got, "plain") || strings.Contains(got, "secret") {
		t.Errorf("what is denied is found: %q", got)
	}
	rules, err := w.Permissions(w.id)
	newsMust(t, err)
	if len(rules.Permissions) != 0 {
		t.Errorf("an answer for once left %v", rules.Permissions)
	}
}

func TestAllowedForOneTurn(t *testing.T) {
	w := atWork(t)
	u := w.send(Outgoing{Text: "go", Allow: []string{"write(b)"}})
	w.server.Next().Call(0, "c1", "write", `{"path":"b","content":"x"}`).End("tool_calls")
	w.ends(u)
	if w.text("b") != "x" {
		t.Error(w.text("b"))
	}
	u = w.calls("write", `{"path":"b","content":"y"}`)
	w.asked(u)
	w.answers(u, AnswerNo, "")
	w.ends(u)
	if _, err := w.Send(t.Context(), w.id, Outgoing{Text: "x", Allow: []string{"bash("}}, nil); !errors.Is(err, session.ErrInput) {
		t.Error(err)
	}
}

func TestAlwaysIsWrittenIntoTheSettings(t *testing.T) {
	w := atWork(t, "# mine")
	u := w.calls("bash", `{"command":"git status"}`)
	w.asked(u)
	if out := w.answers(u, AnswerAlways, ""); out.Answer != AnswerAlways || out.Problem != nil {
		t.Errorf("%+v", out)
	}
	w.ends(u)
	text, err := os.ReadFile(filepath.Join(w.home, "config.yaml"))
	newsMust(t, err)
	if !strings.Contains(string(text), "# mine\npermissions:\n  allow:\n    - \"bash(git status *)\"\n") {
		t.Errorf("%s", text)
	}
	w.ends(w.calls("bash", `{"command":"git status --short"}`))

	// Where the file can't be edited safely, the answer holds for the session, and says so.
	w = atWork(t, "permissions: {deny: [bash(rm *)]}")
	u = w.calls("bash", `{"command":"echo x"}`)
	w.asked(u)
	out := w.answers(u, AnswerAlways, "")
	if out.Answer != AnswerSession || out.Problem == nil || !strings.Contains(out.Problem.Message, "by hand") {
		t.Errorf("%+v", out)
	}
	w.ends(u)
	w.ends(w.calls("bash", `{"command":"echo y"}`))
}

// TestLostRulesAllowNothing: a wall that can't be read is still one.
func TestLostRulesAllowNothing(t *testing.T) {
	w := atWork(t, "permissions: {allow: [bash], deny: ['read(secret']}")
	w.put("secret", "x")
	u := w.calls("read", `{"path":"secret"}`)
	if q := w.asked(u); !strings.Contains(q.Why, "config.yaml has a mistake") {
		t.Errorf("%+v", q)
	}
	w.answers(u, AnswerNo, "")
	w.ends(u)
}

func TestWithoutAFolderThereAreNoTools(t *testing.T) {
	k := talk(t)
	u := k.say("hello")
	q := k.server.Next()
	if len(q.Tools) != 0 {
		t.Errorf("%d tools", len(q.Tools))
	}
	q.Call(0, "c1", "bash", `{"command":"touch x"}`).End("tool_calls")
	q = k.server.Next()
	if got := q.Last(); got != `there is no tool "bash": the session has no folder to work in` {
		t.Error(got)
	}
	q.Answer("oh")
	u.ok()
	c, err := k.Context(k.id, ContextOptions{})
	newsMust(t, err)
	if turns, err := k.Turns(k.id); err != nil || turns.NoTools == nil || *turns.NoTools != errNoFolder.Error() {
		t.Errorf("%+v, %v", turns, err)
	}
	if c.Injected.NoTools == nil || *c.Injected.NoTools != errNoFolder.Error() {
		t.Errorf("%+v", c.Injected)
	}
	off := atWork(t, "tools: {enabled: false}")
	u = off.say("hello")
	q = off.server.Next()
	if len(q.Tools) != 0 {
		t.Errorf("%d tools", len(q.Tools))
	}
	q.Answer("hi")
	u.ok()
}

// TestLongOutputAndImages: what the model is shown is cut, the whole of it is kept, and so are images.
func TestLongOutputAndImages(t *testing.T) {
	w := atWork(t, "tools: {output_budget: 1000}", "permissions: {allow: [bash]}")
	got := w.ends(w.calls("bash", `{"command":"seq 5000"}`))
	r := w.last()
	if len(got) > 1000 || len(r.Content) != 1 || r.Content[0].Text != got || r.Content[0].Bytes != 23893 {
		t.Errorf("%d bytes shown, %+v", len(got), r)
	}
	whole, err := w.blobOf(w.id, r.Content[0].Blob)
	if err != nil || len(whole) != 23893 || !strings.HasPrefix(string(whole), "1\n2\n") {
		t.Errorf("%d bytes kept: %v", len(whole), err)
	}
	w.put("dot.png", "\x89PNG\r\n\x1a\n"+strings.Repeat("\x00", 20))
	w.ends(w.calls("read", `{"path":"dot.png"}`))
	if r = w.last(); len(r.Content) != 2 || r.Content[1].Type != "image" || r.Content[1].MediaType != "image/png" {
		t.Errorf("%+v", r)
	}
	forked, err := w.Fork(w.id, 0)
	newsMust(t, err)
	if _, err := w.blobOf(forked.ID, r.Content[1].Blob); err != nil {
		t.Error(err)
	}
}

func TestKeysAreNoneOfTheirBusiness(t *testing.T) {
	w := atWork(t, "permissions: {allow: [bash]}")
	t.Setenv("OPENROUTER_API_KEY", "sk-secret")
	t.Setenv("PALIMPSEST_API_KEY", "sk-secret")
	if got := w.ends(w.calls("bash", `{"command":"env; echo $OPENROUTER_API_KEY"}`)); strings.Contains(got, "sk-secret") || !strings.Contains(got, "PATH=") {
		t.Errorf("%q", got)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	w := atWork(t)
	u := w.calls("bash", `{"command":"x=1 y"}`)
	q := w.asked(u)
	for _, c := range []struct {
		r    Response
		turn string
		want error
	}{
		{Response{CallID: "c1", Answer: "perhaps"}, u.TurnID, session.ErrInput},
		{Response{CallID: "c2", Answer: AnswerOnce}, u.TurnID, agent.ErrNoQuestion},
		{Response{CallID: "c1", Asked: 7, Answer: AnswerOnce}, u.TurnID, agent.ErrNoQuestion},
		{Response{CallID: "c1", Answer: AnswerOnce}, "other", agent.ErrNoTurn},
	} {
		if _, err := w.Answer(t.Context(), w.id, c.turn, c.r); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
	if len(q.Rules) != 1 || q.Rules[0] != "bash(x=1 y)" {
		t.Errorf("%q", q.Rules)
	}
	if _, err := w.EndTurn(w.id, u.TurnID); err != nil {
		t.Error(err)
	}
	if done := u.done(); done.Status != agent.StatusAborted {
		t.Errorf("%+v", done)
	}
	if r := w.last(); !r.IsError || r.Content[0].Text != "not run: the turn was stopped" {
		t.Errorf("%+v", r)
	}
}

func TestPermissionsAreEditable(t *testing.T) {
	w := atWork(t)
	set := func(rules ...session.Permission) error {
		_, err := w.ChangePermissions(t.Context(), w.id, func([]session.Permission) []session.Permission { return rules })
		return err
	}
	newsMust(t, set(session.Permission{Rule: " Bash( make ) ", Effect: "allow"}, session.Permission{Rule: "bash(make)", Effect: "allow"}))
	for _, bad := range []session.Permission{{Rule: "bash(", Effect: "deny"}, {Rule: "ls", Effect: "perhaps"}} {
		if err := set(bad); !errors.Is(err, session.ErrInput) {
			t.Error(err)
		}
	}
	rules, err := w.Permissions(w.id)
	newsMust(t, err)
	if !slices.Equal(rules.Permissions, []session.Permission{{Rule: "bash(make)", Effect: "allow"}}) {
		t.Errorf("%+v", rules.Permissions)
	}
}

// TestACommandPrintsWhileItRuns: its output is told, and stands in the state of the turn, before it has ended.
func TestACommandPrintsWhileItRuns(t *testing.T) {
	w := atWork(t, "permissions:", "  allow: [bash]")
	u := w.calls("bash", `{"command":"echo begun; until [ -e go ]; do sleep 0.01; done; echo ended"}`)
	told, _ := u.until(agent.KindToolOutput).Data.(agent.ToolOutput)
	if told.ToolCallID != "c1" || told.Text != "begun\n" {
		t.Errorf("%+v", told)
	}
	state, err := w.Turns(w.id)
	newsMust(t, err)
	if calls := state.Running.ToolCalls; len(calls) != 1 || calls[0].State != agent.CallRunning || calls[0].Output != "begun\n" || calls[0].StartedAt == nil {
		t.Errorf("%+v", calls)
	}
	w.put("go", "")
	if got := w.ends(u); got != "begun\nended\n" {
		t.Errorf("%q", got)
	}
}

// TestWhatIsAskedDoesNotRunYet: a call that the user is asked about has not begun.
func TestWhatIsAskedDoesNotRunYet(t *testing.T) {
	w := atWork(t)
	u := w.calls("bash", `{"command":"echo done"}`)
	w.asked(u)
	state, err := w.Turns(w.id)
	newsMust(t, err)
	if calls := state.Running.ToolCalls; len(calls) != 1 || calls[0].State != agent.CallWaiting || calls[0].StartedAt != nil {
		t.Errorf("%+v", calls)
	}
	w.answers(u, "once", "")
	if started, _ := u.until(agent.KindToolStarted).Data.(agent.ToolStarted); started.ToolCallID != "c1" {
		t.Errorf("%+v", started)
	}
	w.ends(u)
}

// TestDeniedWhileAsked: a rule that came while the user thought about a call holds for it.
func TestDeniedWhileAsked(t *testing.T) {
	w := atWork(t)
	u := w.calls("write", `{"path":"a","content":"one\n"}`)
	w.asked(u)
	_, err := w.SetPermissions(t.Context(), w.id, []session.Permission{{Rule: "write", Effect: "deny"}}, nil)
	newsMust(t, err)
	w.answers(u, AnswerOnce, "")
	if said := w.ends(u); !strings.HasPrefix(said, notAllowed) || w.text("a") != "(none)" {
		t.Errorf("%q, a is %q", said, w.text("a"))
	}
}

// TestOwnKeysAreNotGivenBack: what a command finds of the program's keys is nowhere: neither in the log, nor beside it, nor in
// what is told of the turn, nor with the model; and the command itself has none.
func TestOwnKeysAreNotGivenBack(t *testing.T) {
	const entered, lent = "sk-entered-0123456789", "sk-lent-0123456789abc"
	w := atWork(t, "permissions: {allow: [bash, read]}", "tools: {output_budget: 2000}")
	t.Setenv("PALIMPSEST_API_KEY_ELSEWHERE", lent)
	t.Setenv("OPENROUTER_API_KEY", lent+"-2")
	w.keys.Chain = newKeychain()
	newsKey(t, w.Backend, KeyPlace{}, entered)
	w.put("keys.txt", strings.Repeat(entered+" "+lent+"\n", 200))
	var told []string
	clean := func(where, text string) {
		t.Helper()
		if strings.Contains(text, entered) || strings.Contains(text, lent) {
			t.Errorf("a key is in %s", where)
		}
	}
	for _, call := range [][2]string{{"bash", `{"command":"cat keys.txt; env"}`}, {"read", `{"path":"keys.txt"}`}} {
		turn := w.calls(call[0], call[1])
		q := w.server.Next()
		clean("the request", q.Raw)
		if !strings.Contains(q.Raw, "[key removed] [key removed]") || strings.Contains(q.Raw, "API_KEY") {
			t.Errorf("%s", q.Raw)
		}
		q.Answer("well")
		for done := false; !done; {
			e := <-turn.events
			text, err := json.Marshal(e)
			newsMust(t, err)
			told, done = append(told, string(text)), e.Kind == agent.KindDone
		}
	}
	clean("the events", strings.Join(told, ""))
	newsMust(t, filepath.WalkDir(w.store.Home(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		clean(path, string(data))
		return err
	}))
}
