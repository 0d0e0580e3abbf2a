package server

import (
	"errors"
	"net/http"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

func (s *Server) listTrash(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	if cursor := q.values.Get("cursor"); cursor != "" && q.err == nil {
		return s.lists.goOn(w, cursor)
	}
	sessions, err := s.backend.List(r.Context(), backend.ListOptions{Trash: true})
	if err != nil {
		return err
	}
	return s.sendRows(w, q, sessions)
}

func (s *Server) restore(w http.ResponseWriter, _ *http.Request, id string) error {
	return answer(w, http.StatusOK)(s.backend.Restore(id))
}

// restoreMany brings back some of them.
func (s *Server) restoreMany(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		IDs []string `json:"ids"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	done, err := s.backend.RestoreMany(r.Context(), wanted.IDs)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, done)
}

func (s *Server) purge(w http.ResponseWriter, _ *http.Request, id string) error {
	if err := s.backend.Purge(id); err != nil {
		return err
	}
	return respond(w, http.StatusOK, gone{id})
}

// emptyTrash deletes what is in the trash when it begins. What another process deleted meanwhile is gone all the same.
func (s *Server) emptyTrash(w http.ResponseWriter, r *http.Request) error {
	sessions, err := s.backend.List(r.Context(), backend.ListOptions{Trash: true, Quick: true})
	if err != nil {
		return err
	}
	deleted := make([]gone, 0, len(sessions))
	for _, each := range sessions {
		if err := s.backend.Purge(each.ID); err != nil && !errors.Is(err, session.ErrNotFound) {
			return err
		}
		deleted = append(deleted, gone{each.ID})
	}
	return respond(w, http.StatusOK, deleted)
}
