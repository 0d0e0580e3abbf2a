package llm

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestModelsAndTheirWindows(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []Model
	}{
		"OpenAI":     {`{"object":"list","data":[{"id":"gpt-4o","object":"model"},{"id":""},{"x":1},7]}`, []Model{{ID: "gpt-4o"}}},
		"OpenRouter": {`{"data":[{"id":"a","context_length":200000,"top_provider":{"context_length":131072}},{"id":"b","context_length":9,"top_provider":{"context_length":null}}]}`, []Model{{ID: "a", Window: 131072}, {ID: "b", Window: 9}}},
		"vLLM":       {`{"data":[{"id":"a","max_model_len":4096}]}`, []Model{{ID: "a", Window: 4096}}},
		"LM Studio":  {`{"data":[{"id":"a","max_context_length":32768,"loaded_context_length":4096},{"id":"b","max_context_length":32768}]}`, []Model{{ID: "a", Window: 4096}, {ID: "b", Window: 32768}}},
		"llama.cpp":  {`{"models":[],"data":[{"id":"a","meta":{"n_ctx":8192,"n_ctx_train":131072}},{"id":"b","meta":{"n_ctx_train":131072}},{"id":"c","meta":null}]}`, []Model{{ID: "a", Window: 8192}, {ID: "b", Window: 131072}, {ID: "c"}}},
		"Groq":       {`{"data":[{"id":"a","context_window":8192}]}`, []Model{{ID: "a", Window: 8192}}},
		"Together":   {`[{"id":"a","context_length":"x"}]`, []Model{{ID: "a"}}},
		"what it costs": {`{"data":[{"id":"a","context_length":200000,"top_provider":{"context_length":131072,"max_completion_tokens":8192,"is_moderated":true},
			"pricing":{"prompt":"0.000003","completion":"0.000015","image":"0.0048","request":"0","input_cache_read":"0.0000003","input_cache_write":"0.00000375"}},
			{"id":"free","pricing":{"prompt":"0","completion":"0"}},{"id":"depends","pricing":{"prompt":"-1","completion":"-1"}},
			{"id":"half","pricing":{"prompt":"0.000001"}},{"id":"odd","pricing":{"prompt":0.000001,"completion":"NaN"},"max_output_tokens":"9"},
			{"id":"huge","pricing":{"prompt":"1e300","completion":"1"}}]}`, []Model{
			{ID: "a", Window: 131072, MaxOutput: 8192, Prices: &Prices{3, 15, 0.3, 3.75}},
			{ID: "free", Prices: &Prices{}},
			{ID: "depends"},
			{ID: "half"},
			{ID: "odd"},
			{ID: "huge"},
		}},
		"Ollama empty": {`{"object":"list","data":null}`, []Model{}},
		"nonsense":     {`{"data":[{"id":"a","context_length":-4,"max_model_len":1e300}]}`, []Model{{ID: "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := served(t, fails(http.StatusOK, c.body))
			got, err := client.Models(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Model{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestModelsThatCanNotBeHad(t *testing.T) {
	for _, c := range []struct {
		handler http.HandlerFunc
		class   Class
		says    string
	}{
		{fails(401, openAIError("Incorrect API key: "+testKey, "")), ClassAuth, "[key]"},
		{fails(500, ``), ClassNetwork, "500"},
		{fails(200, `<html>`), ClassRefused, "page"},
		{fails(200, `{"data":{}}`), ClassRefused, "no list of models"},
		{fails(200, `{`), ClassRefused, "no list of models"},
		{fails(204, ``), ClassRefused, "204"},
		{torn(`{"data":[`), ClassNetwork, "broke off: the connection was cut"},
	} {
		client, _ := served(t, c.handler)
		_, err := client.Models(t.Context())
		wantError(t, err, c.class, c.says)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	client, _ := served(t, fails(200, `{"data":[]}`))
	_, err := client.Models(ctx)
	wantError(t, err, ClassCancelled)
}

func TestLocalServersAreFound(t *testing.T) {
	list := `{"object":"list","data":[{"id":"qwen3"},{"id":"gemma"}]}`
	var keys atomic.Int32
	serve := func(h http.HandlerFunc) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			keys.Add(int32(len(r.Header.Values("Authorization"))))
			h(w, r)
		}))
		t.Cleanup(server.Close)
		return server.URL + "/v1"
	}
	t.Setenv("OPENAI_API_KEY", testKey)
	good := serve(fails(http.StatusOK, list))
	empty := serve(fails(http.StatusOK, `{"object":"list","data":null}`))
	candidates := []Candidate{
		{"page", serve(fails(http.StatusOK, `<html>`))},
		{"refuses", serve(fails(http.StatusUnauthorized, list))},
		{"object", serve(fails(http.StatusOK, `{"data":{}}`))},
		{"null", serve(fails(http.StatusOK, `{"data":null}`))},
		{"other", serve(fails(http.StatusOK, `{"name":"my app"}`))},
		{"elsewhere", serve(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, good+"/models", http.StatusFound) })},
		{"huge", serve(fails(http.StatusOK, `{"data":[{"id":"`+strings.Repeat("x", maxFound)+`"}]}`))},
		{"nobody", "http://127.0.0.1:1/v1"},
		{"no address", "http://a b/v1"},
		{"empty", empty},
		{"good", good},
	}
	want := []Server{{"empty", empty, []string{}}, {"good", good, []string{"qwen3", "gemma"}}}
	if diff := cmp.Diff(want, FindLocal(t.Context(), candidates)); diff != "" {
		t.Error(diff)
	}
	if keys.Load() > 0 {
		t.Error("a key was sent")
	}
}

func TestLocalServersThatHangAreNotWaitedFor(t *testing.T) {
	hang := func() string {
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		t.Cleanup(server.Close)
		return server.URL + "/v1"
	}
	candidates := []Candidate{{"a", hang()}, {"b", hang()}, {"c", hang()}, {"d", hang()}}
	begin := time.Now()
	if got := FindLocal(t.Context(), candidates); got != nil {
		t.Errorf("found %+v", got)
	}
	if took := time.Since(begin); took < findTimeout || took >= 3*findTimeout {
		t.Errorf("took %s, one alone takes %s", took, findTimeout)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := FindLocal(ctx, candidates); got != nil {
		t.Errorf("found %+v", got)
	}
	if len(LocalServers) != 4 {
		t.Error("a local server is missing")
	}
	for _, c := range LocalServers {
		if e := NewEndpoint(c.BaseURL, environment()); e.BaseURL != c.BaseURL || !strings.HasPrefix(c.BaseURL, "http://127.0.0.1:") {
			t.Errorf("%s: %s", c.Name, c.BaseURL)
		}
	}
}
