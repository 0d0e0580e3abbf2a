package llm

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidwall/gjson"
)

// TestServersThatTellMore plays each of them, in the shapes of its own documentation.
func TestServersThatTellMore(t *testing.T) {
	show := func(parameters, info string) string {
		return `{"license":"…","modelfile":"FROM x","parameters":"` + parameters + `","template":"{{ .Prompt }}","details":{"family":"llama"},"model_info":` + info + `}`
	}
	llama := `{"general.architecture":"llama","llama.context_length":131072,"llama.block_count":32}`
	for name, c := range map[string]struct {
		answers map[string]string // path, and for /api/show the model, to the body
		want    []Model
	}{
		"llama.cpp was started with less than the model has": {map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"a.gguf","object":"model","owned_by":"llamacpp","meta":{"vocab_type":2,"n_ctx_train":131072}}]}`,
			"/props":     `{"default_generation_settings":{"id":0,"n_ctx":8192,"params":{"temperature":0.8}},"total_slots":1,"model_path":"/m/a.gguf"}`,
		}, []Model{{ID: "a.gguf", Window: 8192}}},
		"llama.cpp that hides its properties": {map[string]string{
			"/v1/models": `{"data":[{"id":"a.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":4096}}]}`,
		}, []Model{{ID: "a.gguf", Window: 4096}}},
		"llama.cpp tells nonsense": {map[string]string{
			"/v1/models": `{"data":[{"id":"a.gguf","owned_by":"llamacpp"}]}`,
			"/props":     `{"default_generation_settings":{"n_ctx":-1}}`,
		}, []Model{{ID: "a.gguf"}}},
		"LM Studio": {map[string]string{
			"/v1/models": `{"data":[{"id":"loaded","object":"model","owned_by":"organization_owner"},{"id":"not","owned_by":"organization_owner"}]}`,
			"/api/v0/models": `{"object":"list","data":[{"id":"loaded","type":"llm","state":"loaded","max_context_length":131072,"loaded_context_length":4096},
				{"id":"not","type":"llm","state":"not-loaded","max_context_length":32768}]}`,
		}, []Model{{ID: "loaded", Window: 4096, AtMost: 131072}, {ID: "not", AtMost: 32768}}},
		"Ollama": {map[string]string{
			"/v1/models":            `{"object":"list","data":[{"id":"runs:latest","owned_by":"library"},{"id":"asks","owned_by":"me"},{"id":"neither","owned_by":"library"},{"id":"gone","owned_by":"library"}]}`,
			"/api/ps":               `{"models":[{"name":"runs:latest","model":"runs:latest","size":1,"expires_at":"2026-10-17T16:47:07-07:00","size_vram":1,"context_length":16384}]}`,
			"/api/show runs:latest": show("num_ctx    2048", llama),
			"/api/show asks":        show(`stop \"<|im_end|>\"\nnum_ctx                        32768\ntemperature 0.7`, llama),
			"/api/show neither":     show("", `{"general.architecture":"gemma4","gemma4.context_length":8192,"llama.context_length":131072}`),
		}, []Model{{ID: "runs:latest", Window: 16384, AtMost: 131072}, {ID: "asks", Window: 32768, AtMost: 131072}, {ID: "neither", AtMost: 8192}, {ID: "gone"}}},
		"Ollama tells nonsense": {map[string]string{
			"/v1/models":  `{"data":[{"id":"a","owned_by":"library"},{"id":"b","owned_by":"library"},{"id":"c","owned_by":"library"}]}`,
			"/api/ps":     `{"models":[{"name":"a","context_length":"4096"},{"name":"b","context_length":1e300},7]}`,
			"/api/show a": show("num_ctx -5", `{"general.architecture":7}`),
			"/api/show b": show("num_ctx 99999999999999999999", `{"general.architecture":"llama","llama.context_length":"x"}`),
			"/api/show c": show("num_ctx 999999", `{"general.architecture":"llama","llama.context_length":4096}`),
		}, []Model{{ID: "a"}, {ID: "b"}, {ID: "c", Window: 4096, AtMost: 4096}}},
		"one that is none of them is asked for nothing more": {map[string]string{
			"/v1/models":     `{"data":[{"id":"a","owned_by":"vllm","max_model_len":4096}]}`,
			"/props":         `unexpected`,
			"/api/ps":        `unexpected`,
			"/api/v0/models": `unexpected`,
		}, []Model{{ID: "a", Window: 4096}}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				path := r.URL.Path
				if r.Method == http.MethodPost {
					body, _ := io.ReadAll(r.Body)
					path += " " + gjson.GetBytes(body, "model").Str
				}
				answer, there := c.answers[path]
				if answer == "unexpected" {
					t.Error("asked for " + path)
				}
				if !there {
					w.WriteHeader(http.StatusNotFound)
				}
				fmt.Fprint(w, answer)
			}))
			defer server.Close()
			got, err := New(NewEndpoint(server.URL, environment()), Options{}).Models(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Model{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// answering gives each request an answer, on the test's own clock.
type answering func(path string) io.Reader

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(a(r.URL.Path))}, nil
}

// TestWhatIsToldIsBounded: an answer that is too long is not read to its end, and many models are not all asked about.
func TestWhatIsToldIsBounded(t *testing.T) {
	var list []string
	for i := range maxShown + 10 {
		list = append(list, fmt.Sprintf(`{"id":"m%d","owned_by":"library"}`, i))
	}
	long := strings.NewReader(`{"models":[{"name":"m0","context_length":8192}` + strings.Repeat(" ", 2*maxTold) + `]}`)
	size := long.Len()
	server := answering(func(path string) io.Reader {
		switch path {
		case "/v1/models":
			return strings.NewReader(`{"data":[` + strings.Join(list, ",") + `]}`)
		case "/api/ps":
			return long
		default:
			return strings.NewReader(`{"parameters":"num_ctx 4096"}`)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		models, err := New(Endpoint{BaseURL: "http://127.0.0.1:1/v1"}, Options{HTTP: server}).Models(t.Context())
		if err != nil || len(models) != maxShown+10 || models[maxShown-1].Window != 4096 || models[maxShown].Window != 0 {
			t.Errorf("%d models, %v", len(models), err)
		}
		if read := size - long.Len(); read > maxTold || models[0].Window != 4096 {
			t.Errorf("%d bytes were read, which say %d", read, models[0].Window)
		}
	})
}
