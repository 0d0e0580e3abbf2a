package server

import (
	"net/http"
	"time"

	"palimpsest/backend"
)

// patient lifts the limits of time from an answer that a model, or another process's turn, is waited for. Inside the
// window there are none.
func patient(w http.ResponseWriter) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
}

// send answers when the message is on disk: 201, or 202 if it waits behind a turn.
func (s *Server) send(w http.ResponseWriter, r *http.Request, id string) error {
	var message backend.Outgoing
	if err := readObject(w, r, &message); err != nil {
		return err
	}
	patient(w)
	sent, err := s.backend.Send(r.Context(), id, message, nil)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if sent.Queued {
		status = http.StatusAccepted
	}
	return respond(w, status, sent)
}

func (s *Server) turns(w http.ResponseWriter, _ *http.Request, id string) error {
	turns, err := s.backend.Turns(id)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, turns)
}

func (s *Server) endTurn(w http.ResponseWriter, r *http.Request, id string) error {
	ended, err := s.backend.EndTurn(id, r.PathValue("turn"))
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, ended)
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	refresh := q.flag("refresh", false)
	if q.err != nil {
		return q.err
	}
	return respond(w, http.StatusOK, s.backend.Models(r.Context(), refresh))
}

func (s *Server) localServers(w http.ResponseWriter, r *http.Request) error {
	return respond(w, http.StatusOK, struct {
		Servers []backend.LocalServer `json:"servers"`
	}{s.backend.LocalServers(r.Context())})
}

func (s *Server) useModel(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		BaseURL string `json:"baseUrl"`
		Model   string `json:"model"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	if err := s.backend.UseModel(wanted.BaseURL, wanted.Model); err != nil {
		return err
	}
	return s.config(w, r)
}
