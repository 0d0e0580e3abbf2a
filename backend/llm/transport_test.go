package llm

import (
	"errors"
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

func TestRedirectToAnotherHostCarriesNoKey(t *testing.T) {
	var keys []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Authorization"))
		events(say("there"), finish("stop"))(w, r)
	}))
	defer other.Close()
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere+r.URL.Path, http.StatusTemporaryRedirect)
	})
	answer, _, err := asked(t, c, question())
	if err != nil || answer.Text != "there" {
		t.Fatal(answer, err)
	}
	if len(keys) != 1 || keys[0] != "" {
		t.Errorf("the other host got %q", keys)
	}
}

func TestRedirectInTheClearCarriesNoKey(t *testing.T) {
	keys := make(chan string, 1)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys <- r.Header.Get("Authorization")
		events(say("there"), finish("stop"))(w, r)
	}))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL+r.URL.Path, http.StatusPermanentRedirect)
	}))
	defer secure.Close()
	c := New(Endpoint{BaseURL: secure.URL + "/v1", Key: testKey}, Options{HTTP: secure.Client().Transport})
	if _, _, err := asked(t, c, question()); err != nil {
		t.Fatal(err)
	}
	if key := <-keys; key != "" {
		t.Errorf("the key was sent in the clear: %q", key)
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
