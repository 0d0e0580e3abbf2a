package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

// noModel clears whatever the tester's environment says about models.
func noModel(t *testing.T) {
	t.Helper()
	for _, name := range []string{"PALIMPSEST_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "PALIMPSEST_BASE_URL", "PALIMPSEST_MODEL", "PALIMPSEST_CONTEXT_WINDOW"} {
		t.Setenv(name, "")
	}
	t.Setenv("PALIMPSEST_AUTO_NAME", "off") // a name is one request more, which most tests don't expect
}

// talker is a backend with a session and a model that the test plays.
type talker struct {
	*Backend
	t      *testing.T
	server *modeltest.Server
	id     string
}

// talk begins one; settings are more lines of config.yaml.
func talk(t *testing.T, settings ...string) *talker {
	t.Helper()
	noModel(t)
	server := modeltest.New(t) // before the backend, so that it ends after it
	home := t.TempDir()
	text := strings.Join(append([]string{"base_url: " + server.URL, "model: m-1"}, settings...), "\n") + "\n"
	newsMust(t, os.WriteFile(filepath.Join(home, "config.yaml"), []byte(text), 0o600))
	b := talkAt(t, home, newsDeadline)
	return &talker{b, t, server, newsSession(t, b)}
}

func talkAt(t *testing.T, home string, wait time.Duration) *Backend {
	t.Helper()
	b, err := Open(Options{Home: home, Wait: wait})
	newsMust(t, err)
	t.Cleanup(b.Close)
	return b
}

// turn is a message that was sent, and the events of its turn.
type turn struct {
	Sent
	t      *testing.T
	events chan agent.Event
}

func (k *talker) send(m Outgoing) *turn {
	k.t.Helper()
	events := make(chan agent.Event, 1<<16)
	sent, err := k.Send(k.t.Context(), k.id, m, func(e agent.Event) { events <- e })
	newsMust(k.t, err)
	return &turn{sent, k.t, events}
}

func (k *talker) say(text string) *turn {
	k.t.Helper()
	return k.send(Outgoing{Text: text})
}

// until reads the turn's events until one is of this kind, and returns that one.
func (u *turn) until(kind string) agent.Event {
	u.t.Helper()
	for {
		select {
		case e := <-u.events:
			if e.Kind == kind {
				return e
			}
			if e.Kind == agent.KindDone {
				u.t.Fatalf("no event %s until the turn was done: %+v", kind, e.Data)
			}
		case <-time.After(newsDeadline):
			u.t.Fatalf("no event %s", kind)
		}
	}
}

func (u *turn) done() agent.Done {
	u.t.Helper()
	done, ok := u.until(agent.KindDone).Data.(agent.Done)
	if !ok {
		u.t.Fatal("the event done carries something else")
	}
	return done
}

func (u *turn) ok() agent.Done {
	u.t.Helper()
	done := u.done()
	if done.Status != agent.StatusOK {
		u.t.Fatalf("%s: %+v", done.Status, done.Error)
	}
	return done
}

// written is what the tests look at of a record.
type written struct {
	RecordType, Role, StopReason, ErrorMessage, Model, Trigger, Summary string
	Seq, FirstKeptSeq                                                   int64
	Content                                                             []struct{ Type, Text string }
}

func (w written) String() string {
	what := w.Role
	if w.RecordType != "message" {
		what = w.RecordType
	}
	if w.StopReason != "" && w.StopReason != "stop" {
		what += "/" + w.StopReason
	}
	var texts []string
	for _, block := range w.Content {
		texts = append(texts, block.Text)
	}
	return what + ": " + strings.Join(texts, "|")
}

func logOf(t testing.TB, b *Backend, id string) []written {
	t.Helper()
	data, err := os.ReadFile(b.store.LogPath(id))
	if err != nil {
		t.Fatal(err)
	}
	var out []written
	for text := range bytes.Lines(data) {
		var w written
		if err := json.Unmarshal(text, &w); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out = append(out, w)
	}
	return out
}

func (k *talker) wantLog(want ...string) {
	k.t.Helper()
	var got []string
	for _, w := range logOf(k.t, k.Backend, k.id) {
		got = append(got, w.String())
	}
	if !slices.Equal(got, want) {
		k.t.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func echo(q *modeltest.Asked) { q.Answer("re: " + q.Last()) }

// TestS7_10_ConcurrentSendsAreQueued sends from many sides while a turn runs. Each message and its answer stand together,
// in the order in which the messages were taken.
func TestS7_10_ConcurrentSendsAreQueued(t *testing.T) {
	const n = 12
	k := talk(t)
	first := k.say("message 0")
	asked := k.server.Next()
	k.server.Script(echo)
	turns := make([]*turn, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { turns[i] = k.say(fmt.Sprint("message ", i+1)) })
	}
	all.Wait()
	k.wantLog("user: message 0")
	order := make([]string, n+1)
	for i, u := range turns {
		if !u.Queued || u.Seq != nil || u.Ahead < 1 || u.Ahead > n || order[u.Ahead] != "" {
			t.Fatalf("message %d: %+v, taken so far: %q", i+1, u.Sent, order)
		}
		order[u.Ahead] = fmt.Sprint("message ", i+1)
	}
	asked.Answer("re: message 0")
	first.ok()
	for _, u := range turns {
		u.ok()
	}
	want := []string{"user: message 0", "assistant: re: message 0"}
	for _, message := range order[1:] {
		want = append(want, "user: "+message, "assistant: re: "+message)
	}
	k.wantLog(want...)
}

// TestS7_10_ConcurrentSendsDoNotInterleave sends without holding the first back: whatever the order, answers stand behind
// their messages.
func TestS7_10_ConcurrentSendsDoNotInterleave(t *testing.T) {
	const senders, each = 6, 5
	k := talk(t)
	k.server.Script(echo)
	var all sync.WaitGroup
	for i := range senders {
		all.Go(func() {
			for j := range each {
				k.say(fmt.Sprintf("%d of %d", j, i)).ok()
			}
		})
	}
	all.Wait()
	log := logOf(t, k.Backend, k.id)
	if len(log) != 2*senders*each {
		t.Fatalf("%d records", len(log))
	}
	next := [senders]int{}
	for i := 0; i < len(log); i += 2 {
		message, answer := log[i], log[i+1]
		text := strings.TrimPrefix(message.String(), "user: ")
		if answer.String() != "assistant: re: "+text || message.Seq != int64(i+1) || answer.Seq != int64(i+2) {
			t.Errorf("record %d: %s, then %s", i+1, message, answer)
		}
		var j, from int
		_, err := fmt.Sscanf(text, "%d of %d", &j, &from)
		newsMust(t, err)
		if next[from] != j {
			t.Errorf("message %d of %d came out of order", j, from)
		}
		next[from]++
	}
}

const talkHome = "PALIMPSEST_TEST_TALK_HOME"

// TestTalkOtherProcess is the other process: it sends one message and waits for the end of its turn.
func TestTalkOtherProcess(t *testing.T) {
	home := os.Getenv(talkHome)
	if home == "" {
		t.Skip("only as a process of its own")
	}
	k := &talker{Backend: talkAt(t, home, newsDeadline), t: t, id: os.Getenv(talkHome + "_ID")}
	k.say("from the other process").ok()
}

// talkInOtherProcess returns when the turn there has begun: its model is asked. Wait ends it.
func (k *talker) talkInOtherProcess() (asked *modeltest.Asked, pid int, wait func()) {
	k.t.Helper()
	command := exec.CommandContext(k.t.Context(), os.Args[0], "-test.run=^TestTalkOtherProcess$")
	command.Env = append(os.Environ(), talkHome+"="+k.Home(), talkHome+"_ID="+k.id)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	newsMust(k.t, command.Start())
	asked = k.server.Next()
	return asked, command.Process.Pid, func() {
		k.t.Helper()
		if err := command.Wait(); err != nil {
			k.t.Fatalf("the other process: %v\n%s", err, &out)
		}
	}
}

// TestS7_10_OneTurnAtATimeAcrossProcesses: who does not wait is told who has the session; who waits comes next.
func TestS7_10_OneTurnAtATimeAcrossProcesses(t *testing.T) {
	k := talk(t)
	asked, pid, wait := k.talkInOtherProcess()

	impatient := talkAt(t, k.Home(), 50*time.Millisecond)
	_, err := impatient.Send(t.Context(), k.id, Outgoing{Text: "in between"}, nil)
	if !errors.Is(err, session.ErrBusy) || !strings.Contains(err.Error(), fmt.Sprintf("process %d ", pid)) {
		t.Errorf("got %v, which should name process %d", err, pid)
	}
	if p := ProblemOf(err); p.Code != CodeBusy || p.Hint == "" {
		t.Errorf("%+v", p)
	}
	k.wantLog("user: from the other process")

	sent := make(chan *turn)
	go func() { sent <- k.say("from this process") }()
	select {
	case <-sent:
		t.Fatal("a second turn began while the first ran")
	case <-time.After(100 * time.Millisecond): // that it does not come can't be waited for otherwise
	}
	k.wantLog("user: from the other process")
	asked.Answer("first")
	wait()
	mine := <-sent
	k.server.Next().Answer("second")
	mine.ok()
	k.wantLog("user: from the other process", "assistant: first", "user: from this process", "assistant: second")
}

// TestS7_10_QueuedBehindAnotherProcess: the messages that wait here keep their order while another process has the turn.
func TestS7_10_QueuedBehindAnotherProcess(t *testing.T) {
	k := talk(t)
	asked, _, wait := k.talkInOtherProcess()
	first := make(chan *turn)
	go func() { first <- k.say("one") }()
	for ticker := time.NewTicker(time.Millisecond); ; {
		<-ticker.C
		if turns, err := k.Turns(k.id); err != nil || turns.Running != nil {
			newsMust(t, err)
			ticker.Stop()
			break
		}
	}
	second := k.say("two")
	if !second.Queued || second.Ahead != 1 {
		t.Errorf("%+v", second.Sent)
	}
	k.server.Script(echo)
	asked.Answer("first")
	wait()
	(<-first).ok()
	second.ok()
	k.wantLog("user: from the other process", "assistant: first", "user: one", "assistant: re: one", "user: two", "assistant: re: two")
}

func TestSendRefuses(t *testing.T) {
	k := talk(t)
	for name, c := range map[string]struct {
		id   string
		m    Outgoing
		want error
	}{
		"empty":                 {k.id, Outgoing{}, session.ErrInput},
		"blank":                 {k.id, Outgoing{Text: " \n\t"}, session.ErrInput},
		"retry with text":       {k.id, Outgoing{Text: "x", Retry: true}, session.ErrInput},
		"retry without history": {k.id, Outgoing{Retry: true, NoHistory: true}, session.ErrInput},
		"nothing to retry":      {k.id, Outgoing{Retry: true}, agent.ErrNothingToAnswer},
		"bad id":                {"x", Outgoing{Text: "x"}, session.ErrInvalidID},
		"unknown id":            {"01ARZ3NDEKTSV4RRFFQ69G5FAV", Outgoing{Text: "x"}, session.ErrNotFound},
	} {
		if _, err := k.Send(t.Context(), c.id, c.m, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	k.wantLog()
	k.server.Silent()
}

func TestTurnsTell(t *testing.T) {
	k := talk(t)
	if turns, err := k.Turns(k.id); err != nil || turns.Running != nil || turns.CanRetry || turns.Queued == nil {
		t.Errorf("%+v, %v", turns, err)
	}
	first := k.say("one")
	asked := k.server.Next()
	asked.Say("so far")
	first.until(agent.KindText)
	second := k.say("two")
	turns, err := k.Turns(k.id)
	newsMust(t, err)
	if r := turns.Running; r == nil || r.TurnID != first.TurnID || r.Answer != "so far" || r.State != agent.StateStreaming || r.Text != "one" || r.ToolCalls == nil {
		t.Errorf("%+v", r)
	}
	if want := []agent.Waiting{{TurnID: second.TurnID, Text: "two"}}; !reflect.DeepEqual(turns.Queued, want) {
		t.Errorf("%+v", turns.Queued)
	}
	ended, err := k.EndTurn(k.id, second.TurnID)
	if err != nil || !reflect.DeepEqual(ended, Ended{TurnID: second.TurnID, Withdrawn: true, Text: "two"}) {
		t.Errorf("%+v, %v", ended, err)
	}
	if ended, err = k.EndTurn(k.id, first.TurnID); err != nil || ended.Withdrawn || ended.Text != "one" {
		t.Errorf("%+v, %v", ended, err)
	}
	if done := first.done(); done.Status != agent.StatusAborted {
		t.Errorf("%+v", done)
	}
	if _, err = k.EndTurn(k.id, first.TurnID); ProblemOf(err).Code != CodeNotFound {
		t.Errorf("ending it again: %v", err)
	}
	failed := k.say("three")
	k.server.Next().Fail(http.StatusBadRequest, `{"error":{"message":"no"}}`)
	failed.done()
	if turns, err = k.Turns(k.id); err != nil || !turns.CanRetry || turns.Running != nil {
		t.Errorf("%+v, %v", turns, err)
	}
	retried := k.send(Outgoing{Retry: true})
	k.server.Next().Answer("yes")
	retried.ok()
	if turns, err = k.Turns(k.id); err != nil || turns.CanRetry {
		t.Errorf("%+v, %v", turns, err)
	}
	k.wantLog("user: one", "assistant/aborted: so far", "user: three", "assistant/error: ", "assistant: yes")
}

func TestOverflowOfATurn(t *testing.T) {
	k := talk(t)
	u := k.say("long")
	k.server.Next().Fail(http.StatusBadRequest, `{"error":{"message":"maximum context length is 10 tokens","code":"context_length_exceeded"}}`)
	if done := u.done(); done.Status != agent.StatusError || done.Error.Code != string(CodeOverflow) || !strings.Contains(done.Error.Hint, "compact") {
		t.Errorf("%+v", done.Error)
	}
}

// TestWhatElseIsDoneDuringATurn: names and the archive don't wait for it, the rest does, and is busy then.
func TestWhatElseIsDoneDuringATurn(t *testing.T) {
	noModel(t)
	server := modeltest.New(t)
	b := talkAt(t, t.TempDir(), 50*time.Millisecond)
	newsMust(t, b.UseModel(server.URL, "m-1"))
	made, err := b.store.Import(session.New{}, []byte(said(1, "user", "one")+said(2, "assistant", "two")+compactionLine(3, 2)))
	newsMust(t, err)
	k := &talker{b, t, server, made.ID}
	ctx := t.Context()
	u := k.say("hello")
	asked := server.Next()
	before := len(logOf(t, b, k.id))

	if s, err := b.Rename(ctx, k.id, "renamed"); err != nil || *s.Name != "renamed" {
		t.Errorf("rename: %v", err)
	}
	if s, err := b.Archive(ctx, k.id, true); err != nil || s.ArchivedAt == nil {
		t.Errorf("archive: %v", err)
	}
	if s, err := b.Archive(ctx, k.id, false); err != nil || s.ArchivedAt != nil {
		t.Errorf("unarchive: %v", err)
	}
	keep := 0
	for name, do := range map[string]func() error{
		"append": func() error {
			_, err := b.Append(ctx, k.id, strings.NewReader(`{"recordType":"message","role":"user","content":[]}`))
			return err
		},
		"revert": func() error { _, err := b.Revert(ctx, k.id, 3); return err },
		"compact": func() error {
			_, err := b.Compact(ctx, k.id, Compact{Offline: true, Cut: Cut{KeepRecent: &keep}})
			return err
		},
		"trash": func() error { return b.Trash(ctx, k.id) },
	} {
		if err := do(); !errors.Is(err, session.ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(logOf(t, b, k.id)); n != before {
		t.Errorf("%d records were written", n-before)
	}
	asked.Answer("fine")
	u.ok()
	if s, err := b.Get(k.id); err != nil || *s.Name != "renamed" || *s.MessageCount != 4 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := b.Revert(ctx, k.id, 3); err != nil {
		t.Errorf("revert after the turn: %v", err)
	}
}

// TestWhoWaitsComesNext: what waits for the turn is done after it, while it waits long enough.
func TestWhoWaitsComesNext(t *testing.T) {
	k := talk(t)
	u := k.say("hello")
	asked := k.server.Next()
	appended := make(chan error)
	go func() {
		_, err := k.Append(context.Background(), k.id, strings.NewReader(`{"recordType":"message","role":"user","content":[{"type":"text","text":"appended"}]}`))
		appended <- err
	}()
	asked.Answer("fine")
	u.ok()
	newsMust(t, <-appended)
	k.wantLog("user: hello", "assistant: fine", "user: appended")
}

// TestRenamesWhileATurnWrites changes metadata again and again while a turn appends.
func TestRenamesWhileATurnWrites(t *testing.T) {
	k := talk(t)
	k.server.Script(echo)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 10 {
				if _, err := k.Rename(context.Background(), k.id, fmt.Sprintf("%d %d", i, j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 10 {
		k.say(fmt.Sprint(i)).ok()
	}
	all.Wait()
	report, err := k.Check(k.id)
	if err != nil || !report.Sound() || report.Metadata != session.MetadataOK {
		t.Errorf("%+v, %v", report, err)
	}
	if s, err := k.Get(k.id); err != nil || s.Name == nil || !strings.HasSuffix(*s.Name, " 9") || *s.MessageCount != 20 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestCloseDuringATurn(t *testing.T) {
	k := talk(t)
	u := k.say("one")
	k.say("two")
	asked := k.server.Next()
	asked.Say("half")
	u.until(agent.KindText)
	k.Close()
	asked.Gone()
	k.wantLog("user: one", "assistant/aborted: half", "user: two")
	if done := u.done(); done.Status != agent.StatusAborted {
		t.Errorf("%+v", done)
	}
	later := talkAt(t, k.Home(), -1)
	if _, err := later.Rename(t.Context(), k.id, "free"); err != nil {
		t.Errorf("the lock is still held: %v", err)
	}
	if _, err := k.Send(t.Context(), k.id, Outgoing{Text: "late"}, nil); !errors.Is(err, agent.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestNewsOfATurn: subscribers are told what the listener is, and a slow one is dropped without holding the turn up.
func TestNewsOfATurn(t *testing.T) {
	k := talk(t)
	events, cancel := k.Subscribe()
	defer cancel()
	k.server.Script(echo)
	u := k.say("hello")
	u.ok()
	var kinds []string
	for n := int64(0); ; {
		event := <-events
		if event.TurnID == nil {
			continue
		}
		if n++; event.N != n || *event.TurnID != u.TurnID || *event.SessionID != k.id {
			t.Errorf("%+v", event)
		}
		if kinds = append(kinds, string(event.Kind)); event.Kind == agent.KindDone {
			break
		}
	}
	if got := strings.Join(kinds, " "); got != "started record text record done" {
		t.Error(got)
	}
	k.server.Script(func(q *modeltest.Asked) { q.Answer(strings.Repeat("x", 4<<20)) })
	k.say("tell me much").ok() // nobody reads the news
	for open := true; open; {
		_, open = <-events
	}
}

const secret = "sk-secret-0123456789"

// TestKeyIsNeverOnDisk talks to a server that repeats the key wherever it can.
func TestKeyIsNeverOnDisk(t *testing.T) {
	k := talk(t)
	t.Setenv("PALIMPSEST_API_KEY", secret)
	spill := func(q *modeltest.Asked, status int) {
		if got := q.Header.Get("Authorization"); got != "Bearer "+secret {
			t.Errorf("asked with %q", got)
		}
		q.Fail(status, `{"error":{"message":"the key `+secret+` is not welcome","code":"`+secret+`"}}`)
	}
	for _, status := range []int{http.StatusUnauthorized, http.StatusBadRequest, http.StatusForbidden} {
		u := k.say("hello")
		spill(k.server.Next(), status)
		if done := u.done(); done.Status != agent.StatusError || strings.Contains(done.Error.Message, secret) {
			t.Errorf("%+v", done.Error)
		}
	}
	u := k.say("in the middle")
	k.server.Next().Say("well").Send(`{"error":{"message":"it was ` + secret + `"}}`).End("stop")
	if done := u.done(); done.Status != agent.StatusError || strings.Contains(done.Error.Message, secret) {
		t.Errorf("%+v", done)
	}
	newsMust(t, k.UseModel(k.server.URL, "m-2"))
	found := false
	newsMust(t, filepath.WalkDir(k.Home(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte("not welcome"))
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the key", path)
		}
		return err
	}))
	if !found {
		t.Error("nothing of what the server said was kept, so this shows nothing")
	}
}
