package server

import (
	"net/http"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// answerTurn answers what a turn asks.
func (s *Server) answerTurn(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted backend.Response
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	answered, err := s.backend.Answer(r.Context(), id, r.PathValue("turn"), wanted)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, answered)
}

func (s *Server) permissions(w http.ResponseWriter, _ *http.Request, id string) error {
	rules, err := s.backend.Permissions(id)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, rules)
}

func (s *Server) setPermissions(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted struct {
		Permissions *[]session.Permission `json:"permissions"`
		Base        []session.Permission  `json:"base"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	if wanted.Permissions == nil {
		return badInput("permissions is missing; an empty list removes them all")
	}
	rules, err := s.backend.SetPermissions(r.Context(), id, *wanted.Permissions, wanted.Base)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, rules)
}

// undoFiles takes back what tools changed in files, or shows what that would do.
func (s *Server) undoFiles(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted backend.UndoOptions
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	if wanted.SinceSeq < 0 || wanted.UntilSeq < 0 {
		return badInput("sinceSeq is %d and untilSeq %d: seqs are not negative", wanted.SinceSeq, wanted.UntilSeq)
	}
	patient(w)
	undone, err := s.backend.UndoFiles(r.Context(), id, wanted)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if undone.CommittedSeq != nil {
		status = http.StatusCreated
	}
	return respond(w, status, undone)
}
