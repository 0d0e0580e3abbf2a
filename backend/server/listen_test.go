package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// serving is a server on a real port.
type serving struct {
	*fixture
	announced *url.URL
	stop      context.CancelFunc
	ended     chan error
}

func listen(t *testing.T, opts Options) *serving {
	t.Helper()
	s := &serving{fixture: &fixture{t: t, home: t.TempDir()}, ended: make(chan error, 1)}
	var err error
	s.backend, err = backend.Open(backend.Options{Home: s.home})
	must(t, err)
	s.server = New(s.backend, builtPage, slog.New(slog.DiscardHandler))
	s.server.heartbeat = 5 * time.Millisecond
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	announced := make(chan string, 1)
	opts.Announce = func(at string) { announced <- at }
	go func() { s.ended <- s.server.ListenAndServe(ctx, opts) }()
	select {
	case at := <-announced:
		s.announced, err = url.Parse(at)
		must(t, err)
	case err := <-s.ended:
		t.Fatalf("it ended: %v", err)
	case <-time.After(deadline):
		t.Fatal("it does not start")
	}
	s.url = "http://" + s.announced.Host
	t.Cleanup(func() {
		stop()
		s.backend.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

func (s *serving) token() string { return strings.TrimPrefix(s.announced.Fragment, "token=") }

func (s *serving) authorized(method, path, body string) *http.Request {
	return s.request(method, path, body, "Authorization", "", "Authorization", "Bearer "+s.token())
}

func (s *serving) end() {
	s.t.Helper()
	s.stop()
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("it ended with %v", err)
		}
	case <-time.After(deadline):
		s.t.Fatal("it does not end")
	}
}

func TestListenAndServe(t *testing.T) {
	s := listen(t, Options{})
	if len(s.token()) < 50 || s.announced.Hostname() != "127.0.0.1" || s.announced.Path != "/" {
		t.Errorf("announced %s", s.announced)
	}
	if a := s.do(s.authorized("GET", "/api/sessions", "")); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	s.refused(http.StatusUnauthorized, codeUnauthorised, "GET", "/api/sessions", "")
	if a := s.ask("GET", "/", "", "Authorization", ""); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	// Settings stay current though nobody listens to the news.
	must(t, os.WriteFile(filepath.Join(s.home, "config.yaml"), []byte("model: fresh\n"), 0o600))
	for begun := time.Now(); !strings.Contains(string(s.do(s.authorized("GET", "/api/config", "")).body), "fresh"); {
		if time.Since(begun) > deadline {
			t.Fatal("the settings do not change")
		}
	}
	other := listen(t, Options{Token: "t/o&k"})
	if other.announced.EscapedFragment() == "" || !strings.HasSuffix(other.announced.String(), "#token=t%2Fo%26k") || other.token() == s.token() {
		t.Errorf("announced %s", other.announced)
	}
	other.end()
	s.end()
	if connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.announced.Host); err == nil {
		must(t, connection.Close())
		t.Error("it still listens")
	}
}

func TestListenRefuses(t *testing.T) {
	s := listen(t, Options{})
	defer s.end()
	err := s.server.ListenAndServe(t.Context(), Options{Listen: s.announced.Host})
	if err == nil || !strings.Contains(err.Error(), s.announced.Host) || !strings.Contains(err.Error(), "using that port") {
		t.Errorf("a port in use: %v", err)
	}
	for _, opts := range []Options{{Listen: "localhost"}, {Listen: "::1:80"}, {Token: "a b"}, {Token: "ü"}, {Token: "a\n"}} {
		if err := s.server.ListenAndServe(t.Context(), opts); !errors.Is(err, session.ErrInput) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

func TestPageURL(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1": "http://127.0.0.1:8/#token=t", "": "http://127.0.0.1:8/#token=t", "0.0.0.0": "http://127.0.0.1:8/#token=t",
		"::": "http://[::1]:8/#token=t", "::1": "http://[::1]:8/#token=t", "localhost": "http://localhost:8/#token=t",
		"box": "http://box:8/#token=t",
	} {
		if got := pageURL(&net.TCPAddr{IP: net.IPv4zero, Port: 8}, listen, "t"); got != want {
			t.Errorf("%q: %s, want %s", listen, got, want)
		}
	}
}

// moreThanFits is longer than what the system keeps of a connection: once it is written, a handler is reading it.
var moreThanFits = strings.Repeat(" ", 24<<20)

// TestRequestsFinish stops the server in the middle of a request.
func TestRequestsFinish(t *testing.T) {
	s := listen(t, Options{})
	id := s.made()
	body, half := io.Pipe()
	r := s.authorized("POST", "/api/sessions/"+id+"/records", "")
	r.Body, r.ContentLength = body, -1
	answers := make(chan answered, 1)
	go func() { answers <- s.do(r) }()
	_, err := half.Write([]byte(moreThanFits))
	must(t, err)
	s.stop()
	_, err = half.Write([]byte(message("one")))
	must(t, err)
	must(t, half.Close())
	select {
	case a := <-answers:
		if a.status != http.StatusCreated {
			t.Errorf("%d %s", a.status, a.body)
		}
	case <-time.After(deadline):
		t.Fatal("no answer")
	}
	s.end()
}

// TestRequestsAreCutOff stops the server while a client keeps it waiting.
func TestRequestsAreCutOff(t *testing.T) {
	s := listen(t, Options{})
	s.server.drain = time.Millisecond
	id := s.made()
	body, half := io.Pipe()
	r := s.authorized("POST", "/api/sessions/"+id+"/records", "")
	r.Body, r.ContentLength = body, -1
	failed := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			err = response.Body.Close()
		}
		failed <- err
	}()
	_, err := half.Write([]byte(moreThanFits))
	must(t, err)
	s.end()
	must(t, half.Close())
	select {
	case err := <-failed:
		if err == nil {
			t.Error("it was answered")
		}
	case <-time.After(deadline):
		t.Fatal("no answer")
	}
}

func (s *serving) made() string {
	s.t.Helper()
	made, err := s.backend.New(backend.NewSession{})
	must(s.t, err)
	return made.ID
}
