package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend"
	"palimpsest/backend/modeltest"
)

const summary = "## Goal\nFind the pods.\n\n## Constraints & Preferences\n- none\n\n## Progress\n### Done\n- [x] Listed\n\n### In Progress\n- [ ] Nothing\n\n" +
	"### Blocked\n- Nothing\n\n## Key Decisions\n- **kubectl**: there\n\n## Next Steps\n1. Wait\n\n## Critical Context\n- nginx"

// talking is a server that has a model of the test's.
func talking(t *testing.T) (*fixture, *modeltest.Server) {
	t.Helper()
	for _, name := range []string{"OPENAI_API_KEY", "OPENROUTER_API_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("PALIMPSEST_AUTO_NAME", "off")
	model := modeltest.New(t)
	f := start(t)
	ok[map[string]any](f, http.StatusOK, "PUT", "/api/models", fmt.Sprintf(`{"baseUrl":%q,"model":"m-1"}`, model.URL))
	return f, model
}

func echo(q *modeltest.Asked) {
	if q.ForSummary() {
		q.Usage(70, 30).Answer(summary)
		return
	}
	q.Answer("re: " + q.Last())
}

// news reads the events of a stream until one is wanted. Subscribing has to come before what is to be seen.
type news struct {
	t      *testing.T
	events <-chan backend.Event
}

func (f *fixture) subscribe(t *testing.T) *news {
	t.Helper()
	events, cancel := f.backend.Subscribe()
	t.Cleanup(cancel)
	return &news{t, events}
}

func (n *news) until(kind, turn string) backend.Event {
	n.t.Helper()
	for e := range n.events {
		if string(e.Kind) == kind && e.TurnID != nil && (turn == "" || *e.TurnID == turn) {
			return e
		}
	}
	n.t.Fatalf("the news ended without %s", kind)
	return backend.Event{}
}

func (f *fixture) said(id string) []string {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.dir(id), "session.jsonl"))
	must(f.t, err)
	var out []string
	for text := range strings.Lines(string(data)) {
		var r struct {
			Role, RecordType, StopReason string
			Content                      []struct{ Text string }
		}
		must(f.t, json.Unmarshal([]byte(text), &r))
		line := r.RecordType
		if r.RecordType == "message" {
			line = r.Role
			for _, block := range r.Content {
				line += ": " + block.Text
			}
		}
		out = append(out, line)
	}
	return out
}

func (f *fixture) wantSaid(id string, want ...string) {
	f.t.Helper()
	if diff := cmp.Diff(want, f.said(id)); diff != "" {
		f.t.Error(diff)
	}
}

// TestS7_10_ConcurrentMessagesAreQueued posts from many sides while a turn runs.
func TestS7_10_ConcurrentMessagesAreQueued(t *testing.T) {
	const n = 8
	f, model := talking(t)
	id := f.session()
	events := f.subscribe(t)
	path := "/api/sessions/" + id + "/messages"
	ok[backend.Sent](f, http.StatusCreated, "POST", path, `{"text":"message 0"}`)
	asked := model.Next()
	model.Script(echo)
	order := make([]string, n+1)
	last := ""
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			text := fmt.Sprint("message ", i+1)
			sent := ok[backend.Sent](f, http.StatusAccepted, "POST", path, fmt.Sprintf(`{"text":%q}`, text))
			mu.Lock()
			defer mu.Unlock()
			if !sent.Queued || sent.Seq != nil || sent.Ahead < 1 || sent.Ahead > n || order[sent.Ahead] != "" {
				t.Errorf("%+v", sent)
				return
			}
			if order[sent.Ahead] = text; sent.Ahead == n {
				last = sent.TurnID
			}
		})
	}
	all.Wait()
	f.wantSaid(id, "user: message 0")
	asked.Answer("re: message 0")
	events.until("done", last)
	want := []string{"user: message 0", "assistant: re: message 0"}
	for _, text := range order[1:] {
		want = append(want, "user: "+text, "assistant: re: "+text)
	}
	f.wantSaid(id, want...)
}

func TestMessages(t *testing.T) {
	f, model := talking(t)
	id := f.session()
	events := f.subscribe(t)
	at := "/api/sessions/" + id
	a := f.ask("POST", at+"/messages", `{"text":"<hello> & welcome"}`)
	var sent backend.Sent
	must(t, json.Unmarshal(a.body, &sent))
	if want := fmt.Sprintf(`{"turnId":%q,"queued":false,"seq":1,"ahead":0}`+"\n", sent.TurnID); a.status != http.StatusCreated || string(a.body) != want {
		t.Errorf("%d %s, want %s", a.status, a.body, want)
	}
	f.wantSaid(id, "user: <hello> & welcome")
	asked := model.Next()
	asked.Think("hm").Say("so <far>")
	if e := events.until("text", ""); *e.TurnID != sent.TurnID || *e.SessionID != id {
		t.Errorf("%+v", e)
	}
	a = f.ask("POST", at+"/messages", `{"text":"later"}`)
	var queued backend.Sent
	must(t, json.Unmarshal(a.body, &queued))
	if want := fmt.Sprintf(`{"turnId":%q,"queued":true,"seq":null,"ahead":1}`+"\n", queued.TurnID); a.status != http.StatusAccepted || string(a.body) != want {
		t.Errorf("%d %s, want %s", a.status, a.body, want)
	}
	turns := ok[backend.Turns](f, http.StatusOK, "GET", at+"/turns", "")
	if turns.Running == nil || turns.Running.Answer != "so <far>" || turns.Running.Thinking != "hm" || len(turns.Queued) != 1 || turns.CanRetry {
		t.Errorf("%+v", turns)
	}
	if a = f.ask("DELETE", at+"/turns/"+queued.TurnID, ""); string(a.body) != fmt.Sprintf(`{"turnId":%q,"withdrawn":true,"text":"later"}`+"\n", queued.TurnID) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a = f.ask("DELETE", at+"/turns/"+sent.TurnID, ""); string(a.body) != fmt.Sprintf(`{"turnId":%q,"withdrawn":false,"text":"<hello> & welcome"}`+"\n", sent.TurnID) {
		t.Errorf("%d %s", a.status, a.body)
	}
	events.until("done", sent.TurnID)
	f.wantSaid(id, "user: <hello> & welcome", "assistant: hm: so <far>")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "DELETE", at+"/turns/"+sent.TurnID, "")

	// A failed answer, and another one.
	sent = ok[backend.Sent](f, http.StatusCreated, "POST", at+"/messages", `{"text":"again"}`)
	model.Next().Fail(http.StatusBadRequest, `{"error":{"message":"no"}}`)
	events.until("done", sent.TurnID)
	if a = f.ask("GET", at+"/turns", ""); string(a.body) != `{"running":null,"queued":[],"canRetry":true,"heldBy":null,"readOnly":false,"noTools":"the session has no folder to work in"}`+"\n" {
		t.Errorf("%s", a.body)
	}
	sent = ok[backend.Sent](f, http.StatusCreated, "POST", at+"/messages", `{"retry":true}`)
	if sent.Seq != nil {
		t.Errorf("%+v", sent)
	}
	model.Next().Answer("yes")
	events.until("done", sent.TurnID)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/messages", `{"retry":true}`)

	sent = ok[backend.Sent](f, http.StatusCreated, "POST", at+"/messages", `{"text":"aside","noHistory":true,"model":"m-2"}`)
	asked = model.Next()
	if asked.Model != "m-2" || len(asked.Messages) != 2 || asked.Messages[0].Role != "system" || sent.Seq != nil {
		t.Errorf("%+v %+v", sent, asked.Dialogue())
	}
	asked.Answer("psst")
	events.until("done", sent.TurnID)
	if said := f.said(id); len(said) != 5 {
		t.Errorf("%q", said)
	}
}

func TestTalkIsRefused(t *testing.T) {
	f := start(t)
	t.Setenv("OPENAI_API_KEY", "")
	id := f.session()
	at := "/api/sessions/" + id
	p := f.refused(http.StatusServiceUnavailable, backend.CodeNoModel, "POST", at+"/messages", `{"text":"x"}`)
	if p.Error.Hint == "" {
		t.Errorf("%+v", p)
	}
	for _, body := range []string{`{"text":"x","txet":1}`, `{"text":1}`, `{}`, ``, `[]`, `{"text":" "}`, `{"text":"x","retry":true}`, `{"retry":true,"noHistory":true}`, `{"text":"x"}{}`} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/messages", body)
	}
	for path, body := range map[string]string{
		"/compactions": `{"offlime":true}`, "/drafts": `{"summary":"x"}`,
	} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+path, body)
	}
	for _, body := range []string{`{"baseUrl":"x","model":"m"}`, `{"baseUrl":"http://127.0.0.1:1/v1"}`, `{"model":"m"}`, `{"baseUrl":"http://127.0.0.1:1/v1","model":"m","key":"k"}`} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", "/api/models", body)
	}
	for _, query := range []string{"?cut=x", "?keepRecent=-1", "?propose=maybe", "?cut=99999999999999999999"} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", at+"/compactions/plan"+query, "")
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", at+"/compactions/none", "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", at+"/compactions/1", "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", at+"/drafts/"+nobody, "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "DELETE", at+"/drafts/"+nobody, "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "DELETE", at+"/turns/"+nobody, "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/models?refresh=perhaps", "")
	if _, err := os.Stat(filepath.Join(f.home, "config.yaml")); err == nil {
		t.Error("settings were written")
	}
	f.wantSaid(id)
}

func TestMessageToASessionOfAnotherProcess(t *testing.T) {
	f, model := talking(t)
	id := f.session()
	release := f.hold(id)
	p := f.refused(http.StatusConflict, backend.CodeBusy, "POST", "/api/sessions/"+id+"/messages", `{"text":"x"}`)
	if !strings.Contains(p.Error.Message, "process ") {
		t.Errorf("%+v names no holder", p.Error)
	}
	release()
	model.Silent()
	f.wantSaid(id)
}

func TestModels(t *testing.T) {
	f, model := talking(t)
	model.Offer("m-1=8000", "m-2")
	want := fmt.Sprintf(`{"provider":null,"baseUrl":%q,"model":"m-1","hasKey":false,"keyFrom":null,"inUse":null,"providers":[],`+
		`"default":{"name":"default","baseUrl":%q,"model":"m-1","window":null,"hasKey":false,"keyFrom":null},`+
		`"models":[{"id":"m-1","window":8000,"windowFrom":"server","maxOutput":null,"prices":null},`+
		`{"id":"m-2","window":null,"windowFrom":null,"maxOutput":null,"prices":null}],"error":null}`+"\n", model.URL, model.URL)
	for range 2 {
		if a := f.ask("GET", "/api/models", ""); a.status != http.StatusOK || string(a.body) != want {
			t.Errorf("%d %s, want %s", a.status, a.body, want)
		}
	}
	model.Offer()
	m := ok[backend.Models](f, http.StatusOK, "GET", "/api/models?refresh=1", "")
	if m.Error == nil || m.Error.Code != backend.CodeFailed || m.Models == nil {
		t.Errorf("%+v", m)
	}
	local := ok[struct{ Servers []backend.LocalServer }](f, http.StatusOK, "GET", "/api/models/local", "")
	if local.Servers == nil {
		t.Error("servers is null")
	}
	config := ok[map[string]any](f, http.StatusOK, "PUT", "/api/models", `{"baseUrl":"http://127.0.0.1:1/v1","model":"m-3"}`)
	if diff := cmp.Diff(config, ok[map[string]any](f, http.StatusOK, "GET", "/api/config", "")); diff != "" || config["model"] != "m-3" {
		t.Errorf("%v %s", config["model"], diff)
	}
}

// TestStreamCarriesTurns: each event of a turn comes on the stream, numbered within the turn.
func TestStreamCarriesTurns(t *testing.T) {
	s := listen(t, Options{})
	defer s.end()
	model := modeltest.New(t)
	must(t, s.backend.UseModel(model.URL, "m-1"))
	lines, leave := s.follow()
	defer leave()
	next(t, lines, func(line string) bool { return line == ": news" })
	id := s.made()
	a := s.do(s.authorized("POST", "/api/sessions/"+id+"/messages", `{"text":"hello"}`))
	var sent backend.Sent
	must(t, json.Unmarshal(a.body, &sent))
	model.Next().Say("<fine>").Usage(10, 2).End("stop")
	var got []string
	for n := 1; ; {
		line := next(t, lines, isNews)
		var event struct {
			SessionID string          `json:"sessionId"`
			TurnID    *string         `json:"turnId"`
			N         int             `json:"n"`
			Kind      string          `json:"kind"`
			Data      json.RawMessage `json:"data"`
		}
		must(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &event))
		if event.TurnID == nil {
			continue
		}
		if event.SessionID != id || *event.TurnID != sent.TurnID || event.N != n {
			t.Errorf("%s", line)
		}
		n++
		got = append(got, event.Kind+string(event.Data))
		if event.Kind == "done" {
			break
		}
	}
	want := []string{
		`started{}`, `record{"seq":1,"role":"user"}`, `text{"text":"<fine>"}`, `record{"seq":2,"role":"assistant"}`,
		`done{"status":"ok","seqs":[1,2],"usage":{"input":10,"output":2,"cacheRead":0,"cacheWrite":0}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSenderThatLeaves does not end the turn.
func TestSenderThatLeaves(t *testing.T) {
	f, model := talking(t)
	id := f.session()
	events := f.subscribe(t)
	ctx, leave := context.WithCancel(t.Context())
	response, err := http.DefaultClient.Do(f.request("POST", "/api/sessions/"+id+"/messages", `{"text":"hello"}`).WithContext(ctx))
	must(t, err)
	_, err = bufio.NewReader(response.Body).ReadString('\n')
	must(t, err)
	leave()
	must(t, response.Body.Close())
	model.Next().Answer("still there")
	events.until("done", "")
	f.wantSaid(id, "user: hello", "assistant: still there")
}

// TestAskingIsListed: nobody asks, which is an empty list.
func TestAskingIsListed(t *testing.T) {
	f := start(t)
	if a := f.ask("GET", "/api/asking", ""); a.status != http.StatusOK || string(a.body) != `{"sessions":[]}`+"\n" {
		t.Errorf("%d %s", a.status, a.body)
	}
}
