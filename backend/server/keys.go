package server

import (
	"net/http"

	"palimpsest/backend"
)

// sendTo is send for a session that is found by its key, or made.
func (s *Server) sendTo(w http.ResponseWriter, r *http.Request) error {
	var message backend.Addressed
	if err := readObject(w, r, &message); err != nil {
		return err
	}
	patient(w)
	sent, err := s.backend.SendTo(r.Context(), message, nil)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if sent.Queued {
		status = http.StatusAccepted
	}
	return respond(w, status, sent)
}

func (s *Server) reset(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		Key string `json:"key"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	return answer(w, http.StatusCreated)(s.backend.Reset(r.Context(), wanted.Key))
}
