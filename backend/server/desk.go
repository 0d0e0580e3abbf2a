package server

import (
	"io"
	"net/http"

	"palimpsest/backend"
)

// byMost bounds the name under which a client knows its own news.
const byMost = 64

func (s *Server) deskKeys(w http.ResponseWriter, _ *http.Request) error {
	keys, err := s.backend.DeskKeys()
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, map[string][]string{"keys": keys})
}

func (s *Server) deskPiece(w http.ResponseWriter, r *http.Request) error {
	piece, err := s.backend.DeskPiece(r.PathValue("key"))
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, piece)
}

func (s *Server) layOnDesk(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	by := q.values.Get("by")
	if len(by) > byMost {
		q.fail("by", "a name of up to 64 bytes")
	}
	if q.err != nil {
		return q.err
	}
	value, err := io.ReadAll(bounded(w, r, backend.DeskMost))
	if err != nil {
		return badInput("reading the body: %w", err)
	}
	piece, err := s.backend.LayOnDesk(r.PathValue("key"), value, by)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, piece)
}
