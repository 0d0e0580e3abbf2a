package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"palimpsest/backend"
)

func TestHosts(t *testing.T) {
	local := []string{
		"127.0.0.1", "127.0.0.1:1", "127.9.9.9:80", "localhost", "LocalHost:7000", "[::1]", "[::1]:8080", "[::ffff:127.0.0.1]:1",
	}
	for _, c := range []struct {
		listen       string
		known, other []string
	}{
		{"127.0.0.1", local, []string{
			"", "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "localhost.", "0.0.0.0",
			"[::]", "192.168.1.5", "127.0.0.1:1:2", "[::1", "2130706433", "0x7f.1", "127.1", "user@127.0.0.1", "127.0.0.1:80@evil.example",
		}},
		{"192.168.1.5", append(local, "192.168.1.5", "192.168.1.5:8", "[::ffff:192.168.1.5]:8"), []string{"192.168.1.6", "evil.example"}},
		{"box.example", append(local, "box.example", "BOX.example:8"), []string{"evil.example", "x.box.example", "10.0.0.1"}},
		{"0.0.0.0", append(local, "192.168.1.5:8", "10.0.0.1", "[fe80::1]:8"), []string{"evil.example", "", "box:80"}},
		{"::", append(local, "192.168.1.5:8", "[2001:db8::1]"), []string{"evil.example", ""}},
		{"", append(local, "192.168.1.5:8", "[2001:db8::1]"), []string{"evil.example", ""}},
	} {
		g := newGuard(c.listen, token)
		for _, host := range c.known {
			if !g.knows(hostname(host)) {
				t.Errorf("listening on %q, %q is foreign", c.listen, host)
			}
		}
		for _, host := range c.other {
			if g.knows(hostname(host)) {
				t.Errorf("listening on %q, %q is known", c.listen, host)
			}
		}
	}
}

func TestWhoMayAsk(t *testing.T) {
	f := start(t)
	own := strings.TrimPrefix(f.url, "http://")
	forbidden := func(status int) (int, backend.Code) { return status, codeForbidden }
	for name, c := range map[string]struct {
		header []string
		status int
	}{
		"as it should be":                {nil, http.StatusOK},
		"the scheme is no name":          {[]string{"Authorization", "", "Authorization", "bearer " + token}, http.StatusOK},
		"no token":                       {[]string{"Authorization", ""}, http.StatusUnauthorized},
		"another token":                  {[]string{"Authorization", "", "Authorization", "Bearer " + token + "x"}, http.StatusUnauthorized},
		"half a token":                   {[]string{"Authorization", "", "Authorization", "Bearer " + token[:5]}, http.StatusUnauthorized},
		"an empty token":                 {[]string{"Authorization", "", "Authorization", "Bearer "}, http.StatusUnauthorized},
		"another scheme":                 {[]string{"Authorization", "", "Authorization", "Basic " + token}, http.StatusUnauthorized},
		"a tunnel":                       {[]string{"Host", "localhost:9999"}, http.StatusOK},
		"a tunnel, its page":             {[]string{"Host", "localhost:9999", "Origin", "http://localhost:9999"}, http.StatusOK},
		"IPv6":                           {[]string{"Host", "[::1]:9999", "Origin", "http://[::1]:9999"}, http.StatusOK},
		"its own page":                   {[]string{"Origin", f.url}, http.StatusOK},
		"rebinding":                      {[]string{"Host", "evil.example"}, http.StatusForbidden},
		"rebinding, its page":            {[]string{"Host", "evil.example", "Origin", "http://evil.example"}, http.StatusForbidden},
		"foreign and without token":      {[]string{"Host", "evil.example", "Authorization", ""}, http.StatusForbidden},
		"a foreign page":                 {[]string{"Origin", "https://evil.example"}, http.StatusForbidden},
		"a foreign page without token":   {[]string{"Origin", "https://evil.example", "Authorization", ""}, http.StatusForbidden},
		"a page of nowhere":              {[]string{"Origin", "null"}, http.StatusForbidden},
		"a page of another port":         {[]string{"Origin", "http://127.0.0.1:1"}, http.StatusForbidden},
		"a page of another scheme":       {[]string{"Origin", "https://" + own}, http.StatusForbidden},
		"a page of another name of ours": {[]string{"Origin", strings.Replace(f.url, "127.0.0.1", "localhost", 1)}, http.StatusForbidden},
		"two pages":                      {[]string{"Origin", f.url, "Origin", "https://evil.example"}, http.StatusForbidden},
		"the wrong sort of page":         {[]string{"Origin", f.url + "/"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			f := *f
			f.t = t
			for _, path := range []string{"/api/config", "/api/nothing", "/api/sessions/bad", "/api//config"} {
				a := f.ask("GET", path, "", c.header...)
				switch c.status {
				case http.StatusOK:
					if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden {
						t.Errorf("%s: %d %s", path, a.status, a.body)
					}
				case http.StatusUnauthorized:
					f.isProblem(a, c.status, codeUnauthorised, path)
					if a.header.Get("WWW-Authenticate") != "Bearer" {
						t.Errorf("%v", a.header)
					}
				default:
					status, code := forbidden(c.status)
					f.isProblem(a, status, code, path)
				}
				if a.header.Get("Access-Control-Allow-Origin") != "" {
					t.Error("another origin may read this")
				}
			}
			page := f.ask("GET", "/", "", c.header...).status
			if foreign := c.status == http.StatusForbidden; foreign != (page == http.StatusForbidden) || !foreign && page != http.StatusOK {
				t.Errorf("the page: %d", page)
			}
		})
	}
}

// TestWindowAsksFreely is the mount without a port.
func TestWindowAsksFreely(t *testing.T) {
	f := start(t)
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	window := f.server.Middleware(next)
	for url, want := range map[string]int{
		"wails://wails/api/config":                 http.StatusOK,
		"http://wails.localhost/api/config":        http.StatusOK,
		"http://wails.localhost/api/events":        http.StatusNotFound,
		"http://wails.localhost/api":               http.StatusNotFound,
		"http://wails.localhost/apis":              http.StatusTeapot,
		"http://wails.localhost/":                  http.StatusTeapot,
		"http://wails.localhost/assets/index.html": http.StatusTeapot,
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", url, http.NoBody)
		r.Header.Set("Origin", "wails://wails")
		w := httptest.NewRecorder()
		window.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d %s", url, w.Code, w.Body)
		}
	}
	for method, path := range map[string]string{"POST": "/api/sessions", "GET": "/api/sessions"} {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://wails.localhost"+path, http.NoBody)
		r.Body = nil
		w := httptest.NewRecorder()
		window.ServeHTTP(w, r)
		if w.Code/100 != 2 {
			t.Errorf("%s without body: %d %s", method, w.Code, w.Body)
		}
	}
}

func TestHeaders(t *testing.T) {
	f := start(t)
	every := map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
	}
	for path, own := range map[string]map[string]string{
		"/api/config":   {"Cache-Control": "no-store", "Content-Security-Policy": apiPolicy, "Content-Type": "application/json"},
		"/api/nothing":  {"Cache-Control": "no-store", "Content-Security-Policy": apiPolicy, "Content-Type": "application/problem+json"},
		"/":             {"Cache-Control": "no-cache", "Content-Security-Policy": pagePolicy, "Content-Type": "text/html; charset=utf-8"},
		"/missing.js":   {"Content-Security-Policy": pagePolicy, "Content-Type": "text/plain; charset=utf-8"},
		"/assets/x.css": {"Cache-Control": "no-cache"},
	} {
		for _, header := range []map[string]string{every, own} {
			got := f.ask("GET", path, "").header
			for name, want := range header {
				if got.Get(name) != want {
					t.Errorf("%s: %s is %q", path, name, got.Get(name))
				}
			}
		}
	}
	for _, part := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' blob:", "font-src 'self'",
		"connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
	} {
		if !strings.Contains(pagePolicy, part) {
			t.Errorf("the page's policy lacks %s", part)
		}
	}
}

func TestPage(t *testing.T) {
	f := start(t)
	for path, want := range map[string]struct {
		status            int
		body, contentType string
	}{
		"/":                          {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"/index.html":                {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"/some/place":                {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"/assets":                    {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"/%2e%2e/%2e%2e/etc/passwd":  {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"//api/config":               {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"/x/..%2fapi/config":         {200, "<!doctype html><title>page</title>", "text/html; charset=utf-8"},
		"/icon.svg":                  {200, "<svg/>", "image/svg+xml"},
		"/assets/index-abc.js":       {200, "export {}", "text/javascript; charset=utf-8"},
		"/assets/font.woff2":         {200, "wOF2", "font/woff2"},
		"/assets/odd.xyz":            {200, "odd", "application/octet-stream"},
		"/assets/missing.js":         {404, "There is no such file.\n", "text/plain; charset=utf-8"},
		"/..%2f..%2fgo.mod":          {404, "There is no such file.\n", "text/plain; charset=utf-8"},
		"/%00.js":                    {404, "There is no such file.\n", "text/plain; charset=utf-8"},
		"/assets%5c..%5cicon.svg":    {404, "There is no such file.\n", "text/plain; charset=utf-8"},
		"/assets/../assets/odd.xyz/": {200, "odd", "application/octet-stream"},
	} {
		a := f.ask("GET", path, "", "Authorization", "")
		if a.status != want.status || string(a.body) != want.body || a.header.Get("Content-Type") != want.contentType {
			t.Errorf("%s: %d %s %s", path, a.status, a.header.Get("Content-Type"), a.body)
		}
	}
	if a := f.ask("GET", "/assets/index-abc.js", ""); !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
		t.Errorf("%v", a.header)
	}
	f.refused(http.StatusMethodNotAllowed, backend.CodeBadInput, "POST", "/", "")
	f.server.page = nil
	if a := f.ask("GET", "/", ""); a.status != http.StatusNotFound || !strings.Contains(string(a.body), "not built") {
		t.Errorf("%d %s", a.status, a.body)
	}
}
