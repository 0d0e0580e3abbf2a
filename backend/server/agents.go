package server

import (
	"net/http"

	"palimpsest/backend"
)

// agents tells of the other agents whose sessions can be read.
func (s *Server) agents(w http.ResponseWriter, r *http.Request) error {
	agents, err := s.backend.Agents(r.Context())
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, agents)
}

// importSession makes a session of another agent one of ours, or brings the copy up to date that was made before.
func (s *Server) importSession(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		ID string `json:"id"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	made, err := s.backend.Import(r.Context(), wanted.ID)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if made.Did == backend.ImportCreated {
		status = http.StatusCreated
	}
	return respond(w, status, made)
}
