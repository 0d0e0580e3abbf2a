package server

import (
	"net/http"
	"time"

	"palimpsest/backend"
)

// patient lifts the limits of time from an answer that a model, or another process's turn, is waited for. Inside the
// window there are none, and setting them fails.
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

// giveUp answers what became of a message to which its client got no answer.
func (s *Server) giveUp(w http.ResponseWriter, r *http.Request, id string) error {
	patient(w)
	givenUp, err := s.backend.GiveUp(r.Context(), id, r.PathValue("key"))
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, givenUp)
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

// asking lists the sessions that wait for an answer of the user's.
func (s *Server) asking(w http.ResponseWriter, _ *http.Request) error {
	return respond(w, http.StatusOK, struct {
		Sessions []string `json:"sessions"`
	}{s.backend.Asking()})
}
