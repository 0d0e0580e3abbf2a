package llm

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// refusing fails the test if anything is asked.
type refusing struct{ t *testing.T }

func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	r.t.Errorf("%s was asked", req.URL)
	return nil, errors.New("not to be asked")
}

func TestKeyIsSentOnlyIfThereIsOne(t *testing.T) {
	for _, key := range []string{testKey, ""} {
		var got []string
		answer := events(say("x"), finish("stop"))
		c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Values("Authorization")
			if strings.HasSuffix(r.URL.Path, "/models") {
				fails(200, `{"data":[]}`)(w, r)
				return
			}
			answer(w, r)
		})
		c = New(Endpoint{BaseURL: c.endpoint.BaseURL, Key: key}, Options{})
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if (len(got) == 1 && got[0] == "Bearer "+key) != (key != "") || key == "" && len(got) > 0 {
				t.Errorf("key %q: sent %q", key, got)
			}
		}
		_, _, err := asked(t, c, question())
		check(err)
		_, err = c.Models(t.Context())
		check(err)
	}
}

// TestRedirectToAnotherPlace: a list may come from there, without the key; a conversation goes nowhere else.
func TestRedirectToAnotherPlace(t *testing.T) {
	var got []string
	there := func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Method+r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
	}
	other := httptest.NewServer(http.HandlerFunc(there))
	defer other.Close()
	for name, elsewhere := range map[string]string{
		"another host":           strings.Replace(other.URL, "127.0.0.1", "localhost", 1),
		"another port":           other.URL,
		"in the clear, and port": other.URL,
	} {
		got = nil
		start := httptest.NewServer
		if name == "in the clear, and port" {
			start = httptest.NewTLSServer
		}
		server := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+r.URL.Path, http.StatusTemporaryRedirect)
		}))
		defer server.Close()
		c := New(Endpoint{BaseURL: server.URL + "/v1", Key: testKey}, Options{HTTP: server.Client().Transport})
		_, _, err := asked(t, c, question())
		wantError(t, err, ClassRefused, elsewhere, "set that address")
		if models, err := c.Models(t.Context()); err != nil || len(models) != 1 {
			t.Errorf("%s: %v, %v", name, models, err)
		}
		for _, what := range got {
			if what != http.MethodGet {
				t.Errorf("%s got %q", name, what)
			}
		}
	}
}

func TestRedirectThatDropsTheQuestionIsAnError(t *testing.T) {
	c, w := served(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://localhost:1/v1", http.StatusMovedPermanently)
	})
	_, _, err := asked(t, c, question())
	wantError(t, err, ClassRefused, "http://localhost:1/v1", "set that address")
	c, again := served(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	})
	_, _, err = asked(t, c, question())
	wantError(t, err, ClassRefused, "without end")
	if len(w.list)+len(again.list) > 0 {
		t.Error("asked again")
	}
}

func TestProxyIsTheEnvironmentsButNotForThisMachine(t *testing.T) {
	own, ok := shared().(*http.Transport)
	if !ok || own.Proxy == nil || own.ResponseHeaderTimeout != headerTimeout {
		t.Fatal("the program's transport has no proxy or no timeout")
	}
	for url, want := range map[string]bool{
		"http://example.com/v1": true, "https://api.openai.com/v1": true, "http://192.168.1.2/v1": true,
		"http://127.0.0.1:1/v1": false, "http://127.9.9.9/v1": false, "http://localhost:1/v1": false, "http://[::1]/v1": false,
	} {
		req := httptest.NewRequest(http.MethodGet, url, nil)
		through, err := own.Proxy(req)
		if err != nil || (through != nil) != want {
			t.Errorf("%s: through %v, %v", url, through, err)
		}
	}
	if New(Endpoint{}, Options{}).http.Timeout != 0 {
		t.Error("there is a bound on the whole of an answer")
	}
}

func TestFailuresBodyIsBounded(t *testing.T) {
	whole := make(chan bool, 1)
	c, _ := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		for range 64 {
			if _, err := w.Write([]byte(strings.Repeat("x", 1<<20))); err != nil {
				whole <- false
				return
			}
		}
		whole <- true
	})
	_, _, err := asked(t, c, question())
	wantError(t, err, ClassRefused, "400", "xxx…")
	if <-whole {
		t.Error("all of it was read")
	}
	if len([]rune(err.Error())) > maxWords+50 {
		t.Errorf("%d characters", len([]rune(err.Error())))
	}
}
