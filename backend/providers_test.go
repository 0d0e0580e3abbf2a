package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/keys"
	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

// keychain is one that a test plays.
type keychain struct {
	mu   sync.Mutex
	kept map[string]string
}

func newKeychain() *keychain { return &keychain{kept: map[string]string{}} }

func (k *keychain) Get(account string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.kept[account]; ok {
		return key, nil
	}
	return "", keys.ErrNone
}

func (k *keychain) Set(account, key string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[account] = key
	return nil
}

func (k *keychain) Delete(account string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.kept, account)
	return nil
}

func newsKey(t *testing.T, b *Backend, place KeyPlace, key string) {
	t.Helper()
	_, err := b.SetKey(place, key)
	newsMust(t, err)
}

func newsRemoved(t *testing.T, b *Backend, provider string) (undo string) {
	t.Helper()
	undo, err := b.RemoveProvider(provider)
	newsMust(t, err)
	return undo
}

func newsBack(t *testing.T, b *Backend, undo string, wantAsItWas bool) {
	t.Helper()
	if asItWas, err := b.PutBack(undo); asItWas != wantAsItWas || err != nil {
		t.Errorf("as it was: %t, %v", asItWas, err)
	}
}

const secretKey = "sk-entered-0123456789"

// two are a backend with two providers, a and b, of which a is in use, and a session.
type two struct {
	*talker
	a, b *modeltest.Server
	home string
}

func withTwo(t *testing.T, more ...string) *two {
	t.Helper()
	noModel(t)
	a, b := modeltest.New(t), modeltest.New(t)
	a.Offer("a-1", "a-2=9000")
	b.Offer("b-1")
	home := t.TempDir()
	text := fmt.Sprintf("provider: a\nproviders:\n  a: {base_url: %q, model: a-1}\n  b: {base_url: %q, model: b-1}\n%s", a.URL, b.URL, strings.Join(more, "\n"))
	newsMust(t, os.WriteFile(filepath.Join(home, config.FileName), []byte(text), 0o600))
	backend, err := Open(Options{Home: home, Wait: newsDeadline, Keychain: newKeychain()})
	newsMust(t, err)
	t.Cleanup(backend.Close)
	return &two{&talker{backend, t, a, newsSession(t, backend)}, a, b, home}
}

// answers has both servers say who they are and what key they were sent.
func (k *two) answers() {
	for name, server := range map[string]*modeltest.Server{"a": k.a, "b": k.b} {
		server.Script(func(q *modeltest.Asked) {
			q.Answer(name + ", " + q.Model + ", " + strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")[:min(2, len(strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")))])
		})
	}
}

// modelRecords are the switches of model in a log, as provider and model.
func modelRecords(t *testing.T, b *Backend, id string) []string {
	t.Helper()
	data, err := os.ReadFile(b.store.LogPath(id))
	newsMust(t, err)
	var out []string
	for line := range bytes.Lines(data) {
		var r struct{ RecordType, Provider, Model string }
		newsMust(t, json.Unmarshal(line, &r))
		if r.RecordType == "model" {
			out = append(out, r.Provider+" "+r.Model)
		}
	}
	return out
}

// TestAConversationRemembersItsProvider: what it was begun with, and each switch, as a record.
func TestAConversationRemembersItsProvider(t *testing.T) {
	k := withTwo(t)
	k.answers()
	k.say("one").ok()
	k.send(Outgoing{Text: "two", Provider: "b", Model: "b-1"}).ok()
	k.say("three").ok()
	k.send(Outgoing{Text: "four", Provider: "B"}).ok()
	newsMust(t, k.UseProvider("b", ""))
	other := newsSession(t, k.Backend)
	k.send(Outgoing{Text: "five", Provider: "a", Model: "a-2"}).ok()
	newsMust(t, k.UseProvider("a", ""))
	newsMust(t, k.UseProvider("b", ""))
	k.say("six").ok() // still at a
	if got := strings.Join(modelRecords(t, k.Backend, k.id), "; "); got != "a a-1; b b-1; a a-2" {
		t.Error(got)
	}
	k.wantLog("model: ", "user: one", "assistant: a, a-1, ", "model: ", "user: two", "assistant: b, b-1, ", "user: three", "assistant: b, b-1, ",
		"user: four", "assistant: b, b-1, ", "model: ", "user: five", "assistant: a, a-2, ", "user: six", "assistant: a, a-2, ")
	k.id = other
	k.say("hello").ok()
	if got := strings.Join(modelRecords(t, k.Backend, other), "; "); got != "b b-1" {
		t.Error(got)
	}
	// One that is not there any more: nobody else is asked until somebody is chosen, and that is remembered.
	newsMust(t, k.UseProvider("a", ""))
	newsRemoved(t, k.Backend, "b")
	_, err := k.Send(t.Context(), other, Outgoing{Text: "secret"}, nil)
	if p := ProblemOf(err); p.Code != CodeNoModel || !strings.Contains(p.Message, `"b"`) || !strings.Contains(p.Message, "--provider") {
		t.Errorf("%+v", p)
	}
	if got := strings.Join(modelRecords(t, k.Backend, other), "; "); got != "b b-1" {
		t.Error(got)
	}
	k.send(Outgoing{Text: "again", Provider: "a"}).ok()
	if got := strings.Join(modelRecords(t, k.Backend, other), "; "); !strings.HasPrefix(got, "b b-1; a a") {
		t.Error(got)
	}
	if _, err := k.Send(t.Context(), k.id, Outgoing{Text: "x", Provider: "nobody"}, nil); !errors.Is(err, session.ErrInput) {
		t.Error(err)
	}
}

// TestAKeyGoesToItsAddressAlone is the promise of Settings: not to another provider, nor to another address that the same
// provider has later, nor in the clear.
func TestAKeyGoesToItsAddressAlone(t *testing.T) {
	k := withTwo(t)
	k.answers()
	newsKey(t, k.Backend, KeyPlace{Provider: "a", BaseURL: k.a.URL}, secretKey)
	k.say("one").ok()
	k.send(Outgoing{Text: "two", Provider: "b", Model: "b-1"}).ok()
	k.wantLog("model: ", "user: one", "assistant: a, a-1, sk", "model: ", "user: two", "assistant: b, b-1, ")

	// The file is changed behind it: a is now where b was.
	newsMust(t, k.SetProvider(NewProvider{Name: "a", BaseURL: k.b.URL, Model: "b-1"}))
	k.send(Outgoing{Text: "three", Provider: "a"}).ok()
	k.b.Script(nil)
	if m := k.Models(t.Context(), true); m.HasKey || m.KeyFrom != nil {
		t.Errorf("%+v", m)
	}
	data, err := os.ReadFile(k.store.LogPath(k.id))
	newsMust(t, err)
	if strings.Count(string(data), ", sk") != 1 {
		t.Error("the key went to another address")
	}
	// Who enters a key sees where it goes; if that has changed meanwhile, nothing is kept.
	if _, err := k.SetKey(KeyPlace{Provider: "a", BaseURL: k.a.URL}, secretKey); !errors.Is(err, session.ErrInput) || strings.Contains(err.Error(), secretKey) {
		t.Error(err)
	}
	if _, err := k.SetKey(KeyPlace{Provider: "nobody"}, secretKey); !errors.Is(err, session.ErrInput) {
		t.Error(err)
	}
}

func TestWhereAKeyComesFrom(t *testing.T) {
	k := withTwo(t)
	state := func() string {
		t.Helper()
		m := k.Models(t.Context(), false)
		text, err := json.Marshal([]any{m.HasKey, m.KeyFrom, m.Providers[0].KeyFrom, m.Providers[1].HasKey})
		newsMust(t, err)
		return string(text)
	}
	want := func(wanted string) {
		t.Helper()
		if got := state(); got != wanted {
			t.Errorf("%s, want %s", got, wanted)
		}
	}
	want(`[false,null,null,false]`)
	newsKey(t, k.Backend, KeyPlace{Provider: "a"}, secretKey)
	want(`[true,"keychain","keychain",false]`)
	t.Setenv("PALIMPSEST_API_KEY_A", "sk-env")
	want(`[true,"env","env",false]`)
	t.Setenv("PALIMPSEST_API_KEY_A", "")
	undo, err := k.ForgetKey(KeyPlace{Provider: "a"})
	newsMust(t, err)
	want(`[false,null,null,false]`)
	newsBack(t, k.Backend, undo, true)
	want(`[true,"keychain","keychain",false]`)
	if _, err := k.PutBack(undo); !errors.Is(err, ErrNotTaken) {
		t.Error(err)
	}
	undo, err = k.ForgetKey(KeyPlace{Provider: "a"})
	newsMust(t, err)
	newsKey(t, k.Backend, KeyPlace{Provider: "a"}, secretKey+"-2")
	_, err = k.PutBack(undo)
	if p := ProblemOf(err); p.Code != CodeStale || strings.Contains(p.Message, secretKey) {
		t.Errorf("%+v", p)
	}
	undo, err = k.SetKey(KeyPlace{Provider: "a"}, secretKey)
	newsMust(t, err)
	newsBack(t, k.Backend, undo, true)
	if key, _ := k.keys.Get(keys.Account("a", k.a.URL)); key != secretKey+"-2" {
		t.Error("what was replaced is not back")
	}
	_, err = k.ForgetKey(KeyPlace{Provider: "a"})
	newsMust(t, err)
	// The variable for any address was not set for one that has a name.
	t.Setenv("PALIMPSEST_API_KEY", "sk-any")
	want(`[false,null,null,false]`)
	t.Setenv("PALIMPSEST_PROVIDER", "a")
	want(`[true,"env","env",false]`)
}

// TestTheKeyIsNowhere looks for it in everything that is written or said, of a server that repeats it wherever it can.
func TestTheKeyIsNowhere(t *testing.T) {
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	k := withTwo(t)
	newsKey(t, k.Backend, KeyPlace{Provider: "a"}, secretKey)
	var said bytes.Buffer
	listen := func(m Outgoing) {
		done := make(chan struct{})
		_, err := k.Send(t.Context(), k.id, m, func(e agent.Event) {
			text, err := json.Marshal(e)
			if err != nil {
				t.Error(err)
			}
			said.Write(text)
			if e.Kind == agent.KindDone {
				close(done)
			}
		})
		newsMust(t, err)
		<-done
	}
	k.a.Script(func(q *modeltest.Asked) {
		key := strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")
		if key != secretKey {
			t.Errorf("sent %q", key)
		}
		if strings.HasSuffix(q.Last(), "fail") {
			q.Fail(http.StatusBadRequest, `{"error":{"message":"not with `+key+`"}}`)
			return
		}
		q.Think("I see " + key[:9]).Think(key[9:]).Say("You are " + key[:5]).Say(key[5:]).End("stop")
	})
	listen(Outgoing{Text: "hello"})
	listen(Outgoing{Text: "fail"})
	models, err := json.Marshal(k.Models(t.Context(), true))
	newsMust(t, err)
	said.Write(models)
	_, noAddress := k.Backend.keys.Set("", secretKey)
	_, noKey := k.SetKey(KeyPlace{Provider: "a"}, secretKey+" x")
	undo, err := k.ForgetKey(KeyPlace{Provider: "a"})
	newsMust(t, err)
	newsBack(t, k.Backend, undo, true)
	fmt.Fprintf(&said, "%+v %#v %s", noAddress, noKey, undo)
	newsMust(t, filepath.WalkDir(k.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		said.Write(data)
		return err
	}))
	all := said.String() + logged.String()
	if strings.Contains(all, secretKey) {
		t.Error("the key is in", all)
	}
	if !strings.Contains(all, "You are [key]") || !strings.Contains(all, "not with [key]") {
		t.Error("the server did not repeat it", all)
	}
	// Nor does what the program runs get it.
	t.Setenv("PALIMPSEST_API_KEY_B", secretKey)
	if names := strings.Join(keyVariables(), " "); !strings.Contains(names, "PALIMPSEST_API_KEY_B") || !strings.Contains(names, "OPENAI_API_KEY") {
		t.Error(names)
	}
}

func TestModelsOfAnotherProvider(t *testing.T) {
	k := withTwo(t, "models:\n  a-1: {context_window: 32000, max_output_tokens: 8000, input: 3, output: 15, cache_read: 0.3}")
	m, err := k.ModelsOf(t.Context(), "b", false)
	newsMust(t, err)
	if m.Provider == nil || *m.Provider != "b" || m.InUse == nil || *m.InUse != "a" || len(m.Models) != 1 || m.Models[0].ID != "b-1" || m.BaseURL != k.b.URL {
		t.Errorf("%+v", m)
	}
	text, err := json.Marshal(k.Models(t.Context(), false).Models)
	newsMust(t, err)
	want := `[{"id":"a-1","window":32000,"windowFrom":"config","maxOutput":8000,"prices":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3}},` +
		`{"id":"a-2","window":9000,"windowFrom":"server","maxOutput":null,"prices":null}]`
	if string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	if _, err := k.ModelsOf(t.Context(), "nobody", false); !errors.Is(err, session.ErrInput) {
		t.Error(err)
	}
}

// TestWhatIsKnownOfAModel: the user before the server before the catalog, and prices with it.
func TestWhatIsKnownOfAModel(t *testing.T) {
	noModel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[{"id":"gpt-5","context_length":1000,"pricing":{"prompt":"0.000002","completion":"0.000004"}},{"id":"gpt-4o"}]}`)
	}))
	defer server.Close()
	b := talkAt(t, t.TempDir(), newsDeadline)
	at := func(base string, window int, models string) config.Config {
		return config.Config{BaseURL: base, ContextWindow: window, Models: config.Overrides(models)}
	}
	if _, err := b.offers.ask(t.Context(), llm.Endpoint{BaseURL: server.URL + "/v1"}, true); err != nil {
		t.Fatal(err)
	}
	own := `[{"":"gpt-5","context_window":"7"}]`
	for name, c := range map[string]struct {
		settings config.Config
		model    string
		window   int
		from     string
		input    float64
	}{
		"the user says of the model": {at(server.URL, 5, own), "gpt-5", 7, fromConfig, 2},
		"the setting":                {at(server.URL, 5, ""), "gpt-5", 5, fromConfig, 2},
		"the server":                 {at(server.URL, 0, ""), "gpt-5", 1000, fromServer, 2},
		"nobody, on this machine":    {at(server.URL, 0, ""), "gpt-4o", 0, "", -1},
		"the catalog":                {at("", 0, ""), "gpt-5", 400000, fromCatalog, 1.25},
		"the catalog, elsewhere":     {at("https://x.example.com", 0, ""), "gpt-5", 272000, fromCatalog, -1},
		"nobody":                     {at("https://x.example.com", 0, ""), "mine", 0, "", -1},
	} {
		got := b.factsOf(c.settings, c.model)
		if name == "the catalog, elsewhere" { // the least of any provider
			if got.window <= 0 || got.window > 400000 {
				t.Errorf("%s: %+v", name, got)
			}
			got.window = c.window
		}
		priced := got.prices != nil
		if got.window != c.window || got.windowFrom != c.from || priced != (c.input >= 0) || priced && got.prices.Input != c.input {
			t.Errorf("%s: %+v %+v", name, got, got.prices)
		}
	}
	// A model that is not loaded: what it could have is only a bound.
	b.offers.by["http://x/v1"] = offer{time.Now(), []llm.Model{{ID: "small", AtMost: 8192}, {ID: "large", AtMost: 1 << 20}}, nil}
	if got := b.factsOf(at("http://x", 0, ""), "small"); got.window != 8192 {
		t.Errorf("%+v", got)
	}
	if got := b.factsOf(at("http://x", 0, ""), "large"); got.window != 0 || b.budget(at("http://x", 0, ""), "large").Window != 128000 {
		t.Errorf("%+v", got)
	}
	if _, fresh, _ := b.offers.remembered("http://x/v1"); !fresh {
		t.Error("just asked")
	}
}

// TestPricesReachTheTurn and the model that writes summaries.
func TestPricesReachTheTurn(t *testing.T) {
	k := withTwo(t, "models:\n  a-1: {input: 3, output: 15}\n  cheap: {input: 1, output: 2}", "compaction: {model: cheap}")
	c, err := k.resolve(k.id)
	newsMust(t, err)
	choice, err := k.choose(t.Context(), k.id, agent.Wanted{}, &c)
	newsMust(t, err)
	if choice.Prices == nil || choice.Prices.Output != 15 || choice.Compaction.Summarizer.Prices == nil || choice.Compaction.Summarizer.Prices.Input != 1 {
		t.Errorf("%+v", choice)
	}
	choice, err = k.choose(t.Context(), k.id, agent.Wanted{Model: "a-2"}, &c)
	if err != nil || choice.Prices != nil {
		t.Errorf("%+v, %v", choice.Prices, err)
	}
}

func TestProvidersAreEdited(t *testing.T) {
	k := withTwo(t)
	newsMust(t, k.SetProvider(NewProvider{Name: "c", BaseURL: "http://127.0.0.1:1/v1", Window: 5}))
	newsMust(t, k.UseProvider("c", "c-1"))
	if s, problems := k.Settings(); s.Provider != "c" || s.Model != "c-1" || s.ContextWindow != 5 || len(problems) > 0 {
		t.Errorf("%+v %v", s, problems)
	}
	newsRemoved(t, k.Backend, "C")
	if s, problems := k.Settings(); s.Provider != "" || len(s.Providers.List()) != 2 || len(problems) > 0 {
		t.Errorf("%+v %v", s, problems)
	}
	newsMust(t, k.UseProvider("a", ""))
	newsMust(t, k.UseModel(k.b.URL, "b-1")) // by its address, which no name stands against
	if s, _ := k.Settings(); s.Provider != "" || s.BaseURL != k.b.URL || s.Model != "b-1" {
		t.Errorf("%+v", s)
	}
	_, removing := k.RemoveProvider("nobody")
	for name, err := range map[string]error{
		"remove": removing, "use": k.UseProvider("nobody", ""), "set": k.SetProvider(NewProvider{Name: "d", BaseURL: "x"}),
	} {
		if p := ProblemOf(err); p.Code != CodeBadInput {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestARemovedProviderIsPutBack: the file is as it was to the byte, unless somebody changed it in between.
func TestARemovedProviderIsPutBack(t *testing.T) {
	k := withTwo(t)
	path := filepath.Join(k.home, config.FileName)
	mine := "# mine\nprovider: a # the first\nproviders:\n  # here\n  a:\n    base_url: http://127.0.0.1:1/v1 # near\n    model: m\n  b: {base_url: http://127.0.0.1:2/v1}\n"
	write := func(text string) {
		newsMust(t, os.WriteFile(path, []byte(text), 0o600))
		k.apply(config.Load(k.home))
	}
	want := func(wanted string) {
		t.Helper()
		if got, err := os.ReadFile(path); string(got) != wanted || err != nil {
			t.Errorf("%s, %v\nwant\n%s", got, err, wanted)
		}
	}
	write(mine)
	undo := newsRemoved(t, k.Backend, "a")
	newsBack(t, k.Backend, undo, true)
	want(mine)
	if s, _ := k.Settings(); s.Provider != "a" {
		t.Error("it was in use")
	}

	undo = newsRemoved(t, k.Backend, "a")
	left, err := os.ReadFile(path)
	newsMust(t, err)
	write(string(left) + "theme: dark\n")
	newsBack(t, k.Backend, undo, false)
	want(strings.Replace(mine, "provider: a #", "provider: \"a\" #", 1) + "theme: dark\n")

	undo = newsRemoved(t, k.Backend, "a")
	newsMust(t, k.SetProvider(NewProvider{Name: "A", BaseURL: "http://127.0.0.1:3/v1"}))
	_, err = k.PutBack(undo)
	if p := ProblemOf(err); p.Code != CodeStale || !strings.Contains(p.Message, "another provider") {
		t.Errorf("%+v", p)
	}
}

// TestNoKeychain says what to do instead, and writes nothing.
func TestNoKeychain(t *testing.T) {
	noModel(t)
	t.Setenv("PALIMPSEST_BASE_URL", "http://127.0.0.1:9/v1")
	b := talkAt(t, t.TempDir(), newsDeadline)
	_, err := b.SetKey(KeyPlace{}, secretKey)
	if p := ProblemOf(err); !errors.Is(err, keys.ErrKeychain) || !strings.Contains(p.Hint, "PALIMPSEST_API_KEY") || strings.Contains(p.Message, secretKey) {
		t.Errorf("%+v", p)
	}
	if entries, err := os.ReadDir(b.Home()); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestALogOfAnotherProgram names who served it, which nobody here can be bound to.
func TestALogOfAnotherProgram(t *testing.T) {
	k := withTwo(t)
	k.answers()
	_, err := k.Append(t.Context(), k.id, strings.NewReader(`{"recordType":"model","provider":"openai","model":"a-2"}`))
	newsMust(t, err)
	k.say("one").ok()
	k.say("two").ok()
	if got := strings.Join(modelRecords(t, k.Backend, k.id), "; "); got != "openai a-2; a a-2" {
		t.Error(got)
	}
}

// TestAModelThatIsNotOfferedAnyMore is remembered as what answered instead.
func TestAModelThatIsNotOfferedAnyMore(t *testing.T) {
	k := withTwo(t)
	k.answers()
	_, err := k.Append(t.Context(), k.id, strings.NewReader(`{"recordType":"model","provider":"a","model":"gone","named":true}`))
	newsMust(t, err)
	k.say("one").ok()
	if got := strings.Join(modelRecords(t, k.Backend, k.id), "; "); got != "a gone; a a-1" {
		t.Error(got)
	}
}

// TestNoServerIsInUse: a provider can be chosen where none is in use, and is remembered.
func TestNoServerIsInUse(t *testing.T) {
	k := withTwo(t)
	k.answers()
	newsMust(t, k.UseProvider("", ""))
	if _, err := k.Send(t.Context(), k.id, Outgoing{Text: "x"}, nil); !errors.Is(err, ErrNoModel) {
		t.Error(err)
	}
	k.send(Outgoing{Text: "one", Provider: "b", Model: "b-1"}).ok()
	k.say("two").ok()
	k.wantLog("model: ", "user: one", "assistant: b, b-1, ", "user: two", "assistant: b, b-1, ")
	first := toKey("key", "three")
	first.Provider, first.Model = "a", "a-1"
	if made := k.post(first); !made.Created {
		t.Errorf("%+v", made)
	}
	if again := k.post(toKey("key", "four")); again.Created {
		t.Errorf("%+v", again)
	}
}

// TestAProviderAloneBringsItsModel: the one in force is not known there.
func TestAProviderAloneBringsItsModel(t *testing.T) {
	k := withTwo(t)
	k.b.Offer("b-1", "a-1", "a-2") // it would take the other's name, too
	k.answers()
	k.send(Outgoing{Text: "one", Model: "a-2"}).ok()
	k.send(Outgoing{Text: "two", Provider: "b"}).ok()
	k.send(Outgoing{Text: "three", Provider: "b", Model: "a-2"}).ok()
	k.send(Outgoing{Text: "four", Provider: "b"}).ok() // where it is: nothing changes
	if got := strings.Join(modelRecords(t, k.Backend, k.id), "; "); got != "a a-2; b b-1; b a-2" {
		t.Error(got)
	}
	first := toKey("key", "five")
	first.Provider = "b"
	made, err := k.Get(k.post(first).SessionID)
	if got := strings.Join(modelRecords(t, k.Backend, made.ID), "; "); err != nil || made.Model != "b-1" || got != "b b-1" {
		t.Errorf("%s at %s, %v", made.Model, got, err)
	}
}

// TestWindowsOfAProviderThatIsNotInUse: what its server says counts for a context and a plan, if it says so in time.
func TestWindowsOfAProviderThatIsNotInUse(t *testing.T) {
	k := withTwo(t)
	k.b.Offer("b-1=7000")
	made, err := k.New(NewSession{Provider: "b"})
	newsMust(t, err)
	window := func() int {
		t.Helper()
		c, err := k.Context(made.ID, ContextOptions{})
		newsMust(t, err)
		return c.Tokens.Window
	}
	if got := window(); got != 7000 || k.a.Lists() != 0 {
		t.Errorf("%d, a was asked %d times", got, k.a.Lists())
	}
	k.offers.forget(k.b.URL)
	_, err = k.PlanCompaction(t.Context(), made.ID, Cut{})
	newsMust(t, err)
	if got := k.b.Lists(); got != 2 {
		t.Errorf("asked %d times", got)
	}
	// One that says nothing is not waited for again and again.
	k.offers.forget(k.b.URL)
	release := k.b.HoldLists()
	defer release()
	before := k.b.Lists()
	for range 2 {
		if got := window(); got != 128000 || k.b.Lists() != before+1 {
			t.Errorf("%d, asked %d times more", got, k.b.Lists()-before)
		}
	}
}

// TestTheWayBackToTheServerWithoutAName: it is chosen as "default", remembered like any other, and asked also where another
// is in use by now.
func TestTheWayBackToTheServerWithoutAName(t *testing.T) {
	c := modeltest.New(t)
	c.Offer("c-1")
	k := withTwo(t, fmt.Sprintf("base_url: %q\nmodel: c-1", c.URL))
	k.answers()
	c.Script(func(q *modeltest.Asked) { q.Answer("c, " + q.Model) })
	k.say("one").ok()
	k.send(Outgoing{Text: "two", Provider: "default"}).ok()
	k.say("three").ok()
	newsMust(t, k.UseProvider("b", ""))
	k.say("four").ok()
	k.send(Outgoing{Text: "five", Provider: "a", Model: "a-1"}).ok()
	if got := strings.Join(modelRecords(t, k.Backend, k.id), "; "); got != "a a-1; default c-1; a a-1" {
		t.Error(got)
	}
	k.wantLog("model: ", "user: one", "assistant: a, a-1, ", "model: ", "user: two", "assistant: c, c-1", "user: three", "assistant: c, c-1",
		"user: four", "assistant: c, c-1", "model: ", "user: five", "assistant: a, a-1, ")
	made, err := k.New(NewSession{Provider: "default"})
	newsMust(t, err)
	k.id = made.ID
	k.say("six").ok()
	k.wantLog("model: ", "user: six", "assistant: c, c-1")
	if m := k.Models(t.Context(), false); m.Default == nil || m.Default.BaseURL != c.URL || m.Default.Model != "c-1" {
		t.Errorf("%+v", m.Default)
	}
	// Once it has no address, nobody else is asked instead.
	data, err := os.ReadFile(filepath.Join(k.home, config.FileName))
	newsMust(t, err)
	newsMust(t, os.WriteFile(filepath.Join(k.home, config.FileName), bytes.ReplaceAll(data, []byte("base_url: \""+c.URL), []byte("# \"")), 0o600))
	newsMust(t, k.UseProvider("a", ""))
	if _, err := k.Send(t.Context(), k.id, Outgoing{Text: "secret"}, nil); ProblemOf(err).Code != CodeNoModel {
		t.Error(err)
	}
	if m := k.Models(t.Context(), false); m.Default != nil {
		t.Errorf("%+v", m.Default)
	}
}

// TestAKeyThatTheServerRefuses: another program corrects it, and the next message goes with the better one.
func TestAKeyThatTheServerRefuses(t *testing.T) {
	k := withTwo(t)
	chain := newKeychain()
	k.keys.Chain = chain
	account := keys.Account("a", k.a.URL)
	newsMust(t, chain.Set(account, secretKey+"-wrong"))
	k.a.Script(func(q *modeltest.Asked) {
		if q.Header.Get("Authorization") == "Bearer "+secretKey {
			q.Answer("welcome")
			return
		}
		q.Fail(http.StatusUnauthorized, `{"error":{"message":"no"}}`)
	})
	if d := k.say("one").done(); d.Status == agent.StatusOK {
		t.Errorf("%+v", d)
	}
	newsMust(t, chain.Set(account, secretKey))
	k.say("two").ok()
}
