package backend

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

func TestWithoutAModelNothingIsWritten(t *testing.T) {
	noModel(t)
	b := talkAt(t, t.TempDir(), newsDeadline)
	id := newsSession(t, b)
	for name, set := range map[string]func(){
		"nothing at all": func() {},
		"no name":        func() { t.Setenv("PALIMPSEST_BASE_URL", "http://127.0.0.1:9/v1") },
	} {
		set()
		other := talkAt(t, b.Home(), newsDeadline)
		for _, m := range []Outgoing{{Text: "hello"}, {Text: "hello", NoHistory: true}} {
			_, err := other.Send(t.Context(), id, m, nil)
			if p := ProblemOf(err); !errors.Is(err, ErrNoModel) || p.Code != CodeNoModel || !strings.Contains(p.Hint, "PALIMPSEST_BASE_URL") {
				t.Errorf("%s: %v, %+v", name, err, p)
			}
		}
		if log := logOf(t, other, id); len(log) != 0 {
			t.Errorf("%s: the log has %v", name, log)
		}
	}
	if m := b.Models(t.Context(), false); m.Error != nil || m.BaseURL != "" || m.Models == nil || len(m.Models) != 0 { // which is no error
		t.Errorf("%+v", m)
	}
}

// TestSessionNamesTheModel: with an address alone, the session's model or the wanted one is asked.
func TestSessionNamesTheModel(t *testing.T) {
	noModel(t)
	server := modeltest.New(t)
	t.Setenv("PALIMPSEST_BASE_URL", server.URL)
	b := talkAt(t, t.TempDir(), newsDeadline)
	made, err := b.New(NewSession{Model: "m-2"})
	newsMust(t, err)
	k := &talker{b, t, server, made.ID}
	u := k.say("hello")
	q := server.Next()
	if q.Model != "m-2" {
		t.Errorf("asked %s", q.Model)
	}
	q.Answer("fine")
	u.ok()
	u = k.send(Outgoing{Text: "hello", Model: "m-1"})
	if q = server.Next(); q.Model != "m-1" {
		t.Errorf("asked %s", q.Model)
	}
	q.Answer("fine")
	u.ok()
}

func TestWhichModelIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		offered []string
		session string
		wanted  string
		want    string
	}{
		"the configured one":                   {[]string{"m-1", "m-2"}, "", "", "m-1"},
		"the session's":                        {[]string{"m-1", "m-2"}, "m-2", "", "m-2"},
		"one that is not offered":              {[]string{"m-1", "m-2"}, "gpt-5.4", "", "m-1"},
		"one of a server without a list":       {nil, "gpt-5.4", "", "gpt-5.4"},
		"the wanted one":                       {[]string{"m-1", "m-2"}, "m-1", "m-2", "m-2"},
		"the wanted one, even if not offered":  {[]string{"m-1"}, "m-1", "secret-model", "secret-model"},
		"the wanted one over what is gone too": {[]string{"m-1", "m-2"}, "gpt-5.4", "m-2", "m-2"},
	} {
		t.Run(name, func(t *testing.T) {
			k := talk(t)
			k.server.Offer(c.offered...)
			made, err := k.New(NewSession{Model: c.session})
			newsMust(t, err)
			k.id = made.ID
			u := k.send(Outgoing{Text: "hello", Model: c.wanted})
			q := k.server.Next()
			if q.Model != c.want {
				t.Errorf("asked %s, want %s", q.Model, c.want)
			}
			q.Answer("fine")
			u.ok()
		})
	}
}

// TestModelIsRecordedOnce: a wanted model is in force from then on, and is written once.
func TestModelIsRecordedOnce(t *testing.T) {
	k := talk(t)
	k.server.Script(func(q *modeltest.Asked) { q.Answer("I am " + q.Model) })
	for _, m := range []Outgoing{{Text: "a"}, {Text: "b", Model: "m-2"}, {Text: "c", Model: "m-2"}, {Text: "d"}, {Text: "e", Model: "m-1", NoHistory: true}} {
		k.send(m).ok()
	}
	k.wantLog("user: a", "assistant: I am m-1", "model: ", "user: b", "assistant: I am m-2",
		"user: c", "assistant: I am m-2", "user: d", "assistant: I am m-2")
	c, err := k.Context(k.id, ContextOptions{})
	if err != nil || c.Model == nil || *c.Model != "m-2" {
		t.Errorf("%v, %v", c.Model, err)
	}
}

func TestCatalogIsAskedOnce(t *testing.T) {
	k := talk(t)
	k.server.Offer("m-1=32000", "m-2")
	k.server.Script(echo)
	for range 3 {
		k.say("hello").ok()
	}
	m := k.Models(t.Context(), false)
	if k.server.Lists() != 1 {
		t.Errorf("asked %d times", k.server.Lists())
	}
	text, err := json.Marshal(m)
	newsMust(t, err)
	want := `{"provider":null,"baseUrl":"` + k.server.URL + `","model":"m-1","hasKey":false,"keyFrom":null,"inUse":null,"providers":[],` +
		`"default":{"name":"default","baseUrl":"` + k.server.URL + `","model":"m-1","window":null,"hasKey":false,"keyFrom":null},` +
		`"models":[{"id":"m-1","window":32000,"windowFrom":"server","maxOutput":null,"prices":null},` +
		`{"id":"m-2","window":null,"windowFrom":null,"maxOutput":null,"prices":null}],"error":null}`
	if string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	k.server.Offer("m-3")
	if m = k.Models(t.Context(), true); len(m.Models) != 1 || m.Models[0].ID != "m-3" || k.server.Lists() != 2 {
		t.Errorf("%+v", m)
	}
	c, err := k.Context(k.id, ContextOptions{})
	if err != nil || c.Tokens.Window != 128000 { // the model in force is not listed any more
		t.Errorf("%+v, %v", c.Tokens, err)
	}
}

func TestCatalogThatFailsIsNotAskedAgainAtOnce(t *testing.T) {
	k := talk(t)
	k.server.Offer()
	k.server.Script(echo)
	for range 3 {
		k.say("hello").ok()
	}
	if m := k.Models(t.Context(), false); m.Error == nil || m.Error.Code != CodeFailed || len(m.Models) != 0 || m.Models == nil {
		t.Errorf("%+v", m)
	}
	if k.server.Lists() != 1 {
		t.Errorf("asked %d times", k.server.Lists())
	}
	k.server.Offer("m-1")
	if m := k.Models(t.Context(), true); m.Error != nil || len(m.Models) != 1 {
		t.Errorf("%+v", m)
	}
}

// TestCatalogThatHangsHoldsNoTurnUp: neither the server that does not answer, nor somebody else who still waits for it.
func TestCatalogThatHangsHoldsNoTurnUp(t *testing.T) {
	k := talk(t)
	release := k.server.HoldLists()
	asked := make(chan Models)
	go func() { asked <- k.Models(context.Background(), false) }()
	k.server.AwaitList()
	k.server.Script(echo)
	begun := time.Now()
	k.say("one").ok() // waits for a moment
	k.say("two").ok() // knows better by now
	if took := time.Since(begun); took > 2*offersWait {
		t.Errorf("two turns took %s", took)
	}
	release()
	if m := <-asked; m.Error != nil || len(m.Models) != 2 {
		t.Errorf("%+v", m)
	}
}

// TestCancelledQuestionIsNotRemembered as if the server had no list.
func TestCancelledQuestionIsNotRemembered(t *testing.T) {
	k := talk(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m := k.Models(ctx, false); m.Error == nil {
		t.Errorf("%+v", m)
	}
	if m := k.Models(t.Context(), false); m.Error != nil || len(m.Models) != 2 {
		t.Errorf("%+v", m)
	}
}

func TestContextWindowOfTheSettingsComesFirst(t *testing.T) {
	k := talk(t, "context_window: 9000", "compaction:", "  reserve_tokens: 1000", "  keep_recent_tokens: 50")
	k.server.Offer("m-1=32000")
	k.server.Script(echo)
	k.say("hello").ok()
	if c, err := k.Context(k.id, ContextOptions{}); err != nil || c.Tokens.Window != 9000 || c.Tokens.Reserve != 1000 {
		t.Errorf("%+v, %v", c.Tokens, err)
	}
}

// TestCompactsByItself goes through the settings: the window is small, and enabled false switches it off.
func TestCompactsByItself(t *testing.T) {
	for _, enabled := range []string{"true", "false"} {
		k := talk(t, "context_window: 6000", "compaction:", "  enabled: "+enabled, "  reserve_tokens: 1000", "  keep_recent_tokens: 50")
		summaries := 0
		k.server.Script(func(q *modeltest.Asked) {
			if !q.ForSummary() {
				q.Usage(5001, 0).Answer("fine" + strings.Repeat(" word", 100))
				return
			}
			summaries++
			q.Answer("## Goal\nTalk\n\n## Progress\n### Done\n- [x] talked\n\n## Key Decisions\n- none\n\n## Next Steps\n1. none\n\n## Critical Context\n- none")
		})
		k.say("one" + strings.Repeat(" word", 100)).ok()
		k.say("two").ok()
		compacted := 0
		for _, w := range logOf(t, k.Backend, k.id) {
			if w.RecordType == "compaction" {
				compacted++
				if w.Trigger != "threshold" || w.Model != "m-1" {
					t.Errorf("%+v", w)
				}
			}
		}
		if want := map[string]int{"true": 1, "false": 0}[enabled]; compacted != want || summaries != want {
			t.Errorf("enabled %s: compacted %d times, asked for %d summaries", enabled, compacted, summaries)
		}
	}
}

// TestLocalServers: the list of places is replaced, since nothing may be said about the tester's machine.
func TestLocalServers(t *testing.T) {
	places := llm.LocalServers
	t.Cleanup(func() { llm.LocalServers = places })
	server := modeltest.New(t)
	llm.LocalServers = []llm.Candidate{{Name: "Nobody", BaseURL: "http://127.0.0.1:9/v1"}, {Name: "Ollama", BaseURL: server.URL}}
	b := talkAt(t, t.TempDir(), newsDeadline)
	text, err := json.Marshal(b.LocalServers(t.Context()))
	newsMust(t, err)
	if want := `[{"name":"Ollama","baseUrl":"` + server.URL + `","models":["m-1","m-2"]}]`; string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	llm.LocalServers = llm.LocalServers[:1]
	if found := b.LocalServers(t.Context()); found == nil || len(found) != 0 {
		t.Errorf("%v", found)
	}
}

func TestUseModel(t *testing.T) {
	noModel(t)
	home := filepath.Join(t.TempDir(), "not", "yet")
	b := talkAt(t, home, newsDeadline)
	newsMust(t, b.UseModel("http://127.0.0.1:11434/v1", "llama3"))
	path := filepath.Join(home, config.FileName)
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "base_url: \"http://127.0.0.1:11434/v1\"\nmodel: \"llama3\"\n" {
		t.Errorf("%q, %v", data, err)
	}
	if s, _ := b.Settings(); s.Model != "llama3" || s.BaseURL != "http://127.0.0.1:11434/v1" {
		t.Errorf("%+v", s)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	// What can't be edited, and what is no address, leaves the file as it is.
	for _, text := range []string{"{model: x}\n", "model: x\n"} {
		newsMust(t, os.WriteFile(path, []byte(text), 0o600))
		before := snapshot(t, home)
		base := "http://127.0.0.1:1/v1"
		if text[0] != '{' {
			base = "ftp://example.com"
		}
		err := b.UseModel(base, "y")
		if p := ProblemOf(err); !errors.Is(err, session.ErrInput) || p.Code != CodeBadInput {
			t.Errorf("%q: %v", text, err)
		}
		for name, state := range snapshot(t, home) {
			if before[name] != state {
				t.Errorf("%q: %s was touched", text, name)
			}
		}
	}
}

func TestUseModelKeepsALink(t *testing.T) {
	noModel(t)
	home, dotfiles := t.TempDir(), t.TempDir()
	target := filepath.Join(dotfiles, "palimpsest.yaml")
	newsMust(t, os.WriteFile(target, []byte("# mine\ntheme: dark\n"), 0o600))
	link := filepath.Join(home, config.FileName)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	b := talkAt(t, home, newsDeadline)
	newsMust(t, b.UseModel("http://127.0.0.1:1/v1", "m"))
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if data, err := os.ReadFile(target); err != nil || !strings.HasPrefix(string(data), "# mine\ntheme: dark\n") || !strings.Contains(string(data), `model: "m"`) {
		t.Errorf("%q, %v", data, err)
	}
}

// TestUseModelTakesEffect for the next message, without a restart.
func TestUseModelTakesEffect(t *testing.T) {
	k := talk(t)
	other := modeltest.New(t)
	other.Offer("m-2")
	other.Script(echo)
	newsMust(t, k.UseModel(other.URL, "m-2"))
	k.say("hello").ok()
	k.wantLog("user: hello", "assistant: re: hello")
	if log := logOf(t, k.Backend, k.id); log[1].Model != "m-2" {
		t.Errorf("answered by %s", log[1].Model)
	}
}
