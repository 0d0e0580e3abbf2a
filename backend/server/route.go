package server

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"palimpsest/backend"
)

// handler answers a request or returns why it can't. Once it has begun to answer it returns nil.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		refuse(w, err)
	}
}

// route is a pattern of [http.ServeMux] with a method, and what answers it.
type route struct {
	pattern string
	handler handler
}

// byID checks the id in the path, before anything comes near a file or the rest of the request is looked at. What it names may be a
// session of another agent, which the facade lets nobody change.
func byID(h func(w http.ResponseWriter, r *http.Request, id string) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("id")
		if err := backend.CheckID(id); err != nil {
			return err
		}
		return h(w, r, id)
	}
}

// reading is byID for what reads a session's log: one of another agent is read first, for as long as the request lasts.
func (s *Server) reading(h func(w http.ResponseWriter, r *http.Request, id string) error) handler {
	return byID(func(w http.ResponseWriter, r *http.Request, id string) error {
		if err := s.backend.Prepare(r.Context(), id); err != nil {
			return err
		}
		return h(w, r, id)
	})
}

// newAPI answers routes, and what is none of them with a problem document too.
func newAPI(routes []route) http.Handler {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, r := range routes {
		mux.Handle(r.pattern, r.handler)
		method, at, _ := strings.Cut(r.pattern, " ")
		methods[at] = append(methods[at], method)
		if method == http.MethodGet {
			methods[at] = append(methods[at], http.MethodHead)
		}
	}
	for at, allowed := range methods {
		mux.Handle(at, wrongMethod(allowed))
	}
	unknown := handler(unknownPath)
	mux.Handle("/api/", unknown)
	mux.Handle("/api", unknown)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// ServeMux would redirect to the clean path, which not every window can follow, and which may mean something else.
		if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped {
			handler(uncleanPath).ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func unknownPath(_ http.ResponseWriter, r *http.Request) error {
	return &refusal{http.StatusNotFound, backend.Problem{
		Code: backend.CodeNotFound, Message: fmt.Sprintf("there is nothing at %s", shown(r.URL.Path)), Hint: "see docs/http.md",
	}}
}

// uncleanPath answers a path with an empty segment or one of dots. Where an id belongs, that is an invalid id.
func uncleanPath(w http.ResponseWriter, r *http.Request) error {
	segments := strings.Split(r.URL.EscapedPath(), "/") // "", "api", "sessions", id, …
	const idAt = 3
	if len(segments) > idAt && slices.Contains([]string{"sessions", "trash", "kept"}, segments[idAt-1]) {
		if err := backend.CheckID(segments[idAt]); err != nil {
			return err
		}
	}
	return unknownPath(w, r)
}

func wrongMethod(allowed []string) handler {
	slices.Sort(allowed)
	list := strings.Join(allowed, ", ")
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Allow", list)
		return &refusal{http.StatusMethodNotAllowed, backend.Problem{
			Code: backend.CodeBadInput, Message: fmt.Sprintf("%s is not possible at %s", shown(r.Method), shown(r.URL.Path)),
			Hint: "possible are " + list,
		}}
	}
}

// shown is a piece of a request as a message repeats it.
func shown(text string) string {
	const most = 100
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
