package server

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"palimpsest/backend"
)

// recovered turns a panic into an answer and a line of the log, without what the request held. If the answer had begun,
// its length tells the client that it is not whole.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		watched := &begun{ResponseWriter: w}
		defer func() {
			what := recover()
			if what == nil {
				return
			}
			if err, ok := what.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(what)
			}
			s.log.Error("a request panicked", "method", r.Method, "path", r.URL.Path,
				"panic", fmt.Sprint(what), "stack", string(debug.Stack()))
			if !watched.answered {
				refuse(w, &refusal{http.StatusInternalServerError, backend.Problem{
					Code: backend.CodeFailed, Message: "this request failed because of a mistake in the program",
					Hint: "the program's log has the details",
				}})
			}
		}()
		next.ServeHTTP(watched, r)
	})
}

// begun remembers whether an answer has begun.
type begun struct {
	http.ResponseWriter
	answered bool
}

func (b *begun) WriteHeader(status int) {
	b.answered = true
	b.ResponseWriter.WriteHeader(status)
}

func (b *begun) Write(data []byte) (int, error) {
	b.answered = true
	return b.ResponseWriter.Write(data) //nolint:wrapcheck // it is that of the writer it stands for
}

// Unwrap lets [http.ResponseController] reach the connection.
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }
