package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend"
	"palimpsest/backend/keys"
)

const (
	deadline = 30 * time.Second
	token    = "a-token-of-tests"
	nobody   = "01ARZ3NDEKTSV4RRFFQ69G5FAV" // an id that no session has
	holdDir  = "PALIMPSEST_TEST_HOLD"
)

func TestMain(m *testing.M) {
	for _, entry := range os.Environ() { // the tester's own settings
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "PALIMPSEST_") && !strings.HasPrefix(name, holdDir) {
			_ = os.Unsetenv(name)
		}
	}
	goleak.VerifyTestMain(m)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var builtPage = fstest.MapFS{
	"index.html":          {Data: []byte("<!doctype html><title>page</title>")},
	"icon.svg":            {Data: []byte("<svg/>")},
	"assets/index-abc.js": {Data: []byte("export {}")},
	"assets/font.woff2":   {Data: []byte("wOF2")},
	"assets/odd.xyz":      {Data: []byte("odd")},
}

// fixture is a server over a home of its own. Requests go through the whole handler of a port, over a real connection.
type fixture struct {
	t       testing.TB
	home    string
	backend *backend.Backend
	server  *Server
	url     string
	log     *bytes.Buffer
}

func start(t testing.TB, chain ...keys.Keychain) *fixture {
	t.Helper()
	return startWith(t, func(opts *backend.Options) {
		if len(chain) > 0 {
			opts.Keychain = chain[0]
		}
	})
}

func startWith(t testing.TB, change func(*backend.Options)) *fixture {
	t.Helper()
	opts := backend.Options{Home: t.TempDir(), Wait: 50 * time.Millisecond, CreatedBy: "test"}
	change(&opts)
	f := &fixture{t: t, home: opts.Home, log: &bytes.Buffer{}}
	var err error
	f.backend, err = backend.Open(opts)
	must(t, err)
	f.server = New(f.backend, builtPage, slog.New(slog.NewTextHandler(f.log, nil)))
	ctx, cancel := context.WithCancel(context.Background())
	port := httptest.NewServer(f.server.overPort(ctx, newGuard("127.0.0.1", token)))
	f.url = port.URL
	t.Cleanup(func() {
		cancel()
		port.Close()
		f.backend.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return f
}

// answered is a whole answer.
type answered struct {
	status int
	header http.Header
	body   []byte
}

func (f *fixture) request(method, path, body string, header ...string) *http.Request {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, strings.NewReader(body))
	must(f.t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(header); i += 2 {
		switch {
		case header[i] == "Host":
			r.Host = header[i+1]
		case header[i+1] == "":
			r.Header.Del(header[i])
		default:
			r.Header.Add(header[i], header[i+1])
		}
	}
	return r
}

func (f *fixture) do(r *http.Request) answered {
	f.t.Helper()
	response, err := http.DefaultClient.Do(r)
	must(f.t, err)
	body, err := io.ReadAll(response.Body)
	must(f.t, err)
	must(f.t, response.Body.Close())
	return answered{response.StatusCode, response.Header, body}
}

func (f *fixture) ask(method, path, body string, header ...string) answered {
	f.t.Helper()
	return f.do(f.request(method, path, body, header...))
}

// ok asks for JSON and decodes it.
func ok[T any](f *fixture, status int, method, path, body string) T {
	f.t.Helper()
	var value T
	a := f.ask(method, path, body)
	if a.status != status || a.header.Get("Content-Type") != "application/json" {
		f.t.Fatalf("%s %s: %d %s %s", method, path, a.status, a.header.Get("Content-Type"), a.body)
	}
	if err := json.Unmarshal(a.body, &value); err != nil {
		f.t.Fatalf("%s %s: %v in %s", method, path, err, a.body)
	}
	return value
}

// refused asks for what has to fail and returns the problem.
func (f *fixture) refused(status int, code backend.Code, method, path, body string, header ...string) problemDocument {
	f.t.Helper()
	return f.isProblem(f.ask(method, path, body, header...), status, code, method+" "+path)
}

func (f *fixture) isProblem(a answered, status int, code backend.Code, what string) problemDocument {
	f.t.Helper()
	var p problemDocument
	if a.header.Get("Content-Type") != "application/problem+json" || json.Unmarshal(a.body, &p) != nil {
		f.t.Fatalf("%s: %d %s, not a problem: %s", what, a.status, a.header.Get("Content-Type"), a.body)
	}
	whole := p.Type == "about:blank" && p.Title == http.StatusText(status) && p.Detail == p.Error.Message && p.Detail != ""
	if a.status != status || p.Status != status || p.Error.Code != code || !whole {
		f.t.Errorf("%s: %d %s, want %d %s", what, a.status, a.body, status, code)
	}
	return p
}

func (f *fixture) session() string {
	f.t.Helper()
	return ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions", "{}").ID
}

func (f *fixture) sample() string {
	f.t.Helper()
	return ok[backend.Session](f, http.StatusCreated, "POST", "/api/sample", "").ID
}

func (f *fixture) dir(id string) string { return filepath.Join(f.home, "sessions", id) }

func message(text string) string {
	quoted, err := encode(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"recordType":"message","role":"user","content":[{"type":"text","text":%s}]}`, bytes.TrimSpace(quoted))
}

// hold takes a session's lock in another process until release is called.
func (f *fixture) hold(id string) (release func()) {
	f.t.Helper()
	command := exec.CommandContext(f.t.Context(), os.Args[0], "-test.run=^TestHolder$")
	command.Env = append(os.Environ(), holdDir+"="+f.home, holdDir+"_ID="+id)
	in, err := command.StdinPipe()
	must(f.t, err)
	out, err := command.StdoutPipe()
	must(f.t, err)
	must(f.t, command.Start())
	if _, err := io.ReadFull(out, make([]byte, len("held"))); err != nil {
		f.t.Fatalf("the other process: %v", err)
	}
	return func() {
		must(f.t, in.Close())
		_, err := io.Copy(io.Discard, out)
		must(f.t, err)
		must(f.t, command.Wait())
	}
}
