package server

import (
	"net/http"

	"palimpsest/backend"
)

// retention tells what other agents will delete.
func (s *Server) retention(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	opts := backend.RetentionOptions{Open: q.flag("open", false), Limit: q.count("limit")}
	if q.err != nil {
		return q.err
	}
	told, err := s.backend.Retention(r.Context(), opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, told)
}

// keep copies sessions of other agents.
func (s *Server) keep(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		IDs []string `json:"ids"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	done, err := s.backend.Keep(r.Context(), wanted.IDs)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, done)
}

// kept lists the copies.
func (s *Server) kept(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	inParts := q.flag("parts", false)
	if q.err != nil {
		return q.err
	}
	if cursor := q.values.Get("cursor"); cursor != "" {
		return s.lists.goOn(w, cursor)
	}
	all, err := s.backend.KeptCopies(r.Context())
	if err != nil {
		return err
	}
	return sendMany(w, &s.lists, inParts, all)
}

// dropCopy removes one.
func (s *Server) dropCopy(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := s.backend.DropCopy(r.Context(), id); err != nil {
		return err
	}
	return respond(w, http.StatusOK, map[string]string{"id": id})
}

// dropCopies removes several, up to the first that can't be.
func (s *Server) dropCopies(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		IDs []string `json:"ids"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	done, err := s.backend.DropCopies(r.Context(), wanted.IDs)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, map[string][]string{"dropped": done})
}

// onlyMost bounds a rule with the sessions that somebody was shown: a million of them.
const onlyMost = 32 << 20

// cleanUp moves old sessions to the trash, or tells which it would move.
func (s *Server) cleanUp(w http.ResponseWriter, r *http.Request) error {
	var asked backend.CleanupPart
	if err := readObjectUpTo(onlyMost, w, r, &asked); err != nil {
		return err
	}
	done, err := s.backend.CleanUpPart(r.Context(), asked)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, done)
}
