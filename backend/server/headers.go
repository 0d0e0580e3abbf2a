package server

import "net/http"

// Policies on what a document may load. The page's is that of its own index.html, and may not be framed besides; an answer
// of the API is no document at all, whatever bytes of a transcript it holds.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:; " +
		"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"
)

var pageHeaders = map[string]string{"Content-Security-Policy": pagePolicy, "Cache-Control": "no-cache"}

var apiHeaders = map[string]string{"Content-Security-Policy": apiPolicy, "Cache-Control": "no-store"}

// withHeaders adds headers, and those that every answer has.
func withHeaders(headers map[string]string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		for name, value := range headers {
			h.Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}
