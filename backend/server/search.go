package server

import (
	"net/http"
	"strings"

	"palimpsest/backend"
)

// search looks through all sessions, or through one.
func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	id := q.values.Get("session")
	if id != "" {
		if err := backend.CheckID(id); err != nil {
			return err
		}
	}
	opts := backend.SearchOptions{
		Text: q.values.Get("q"), Case: q.flag("case", false), Regex: q.flag("regex", false), Limit: q.count("limit"),
		Cursor: q.values.Get("cursor"), Count: q.flag("count", false),
	}
	if scope := q.values.Get("scope"); scope != "" {
		opts.Scopes = strings.Split(scope, ",")
	}
	if q.err != nil {
		return q.err
	}
	if id != "" {
		found, err := s.backend.SearchIn(r.Context(), id, opts)
		if err != nil {
			return err
		}
		return respond(w, http.StatusOK, found)
	}
	found, err := s.backend.Search(r.Context(), opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, found)
}

// matchesBody bounds the texts that are looked through at once.
const matchesBody = 32 << 20

// matches finds what an expression fits in texts that a page shows.
func (s *Server) matches(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Q     string   `json:"q"`
		Case  bool     `json:"case"`
		Texts []string `json:"texts"`
	}
	if err := readObjectUpTo(matchesBody, w, r, &asked); err != nil {
		return err
	}
	found, err := s.backend.Matches(r.Context(), backend.MatchOptions{Expression: asked.Q, MatchCase: asked.Case, Texts: asked.Texts})
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, found)
}

type savedSearches struct {
	Searches []backend.SavedSearch `json:"searches"`
}

func (s *Server) searches(w http.ResponseWriter, _ *http.Request) error {
	list, err := s.backend.SavedSearches()
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, savedSearches{list})
}

func (s *Server) saveSearches(w http.ResponseWriter, r *http.Request) error {
	var given savedSearches
	if err := readObject(w, r, &given); err != nil {
		return err
	}
	if given.Searches == nil {
		return badInput("searches is missing: a list of {\"name\",\"q\"}, which may be empty")
	}
	list, err := s.backend.SaveSearches(given.Searches)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, savedSearches{list})
}
