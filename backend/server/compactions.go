package server

import (
	"net/http"

	"palimpsest/backend"
)

func (s *Server) plan(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	cut := backend.Cut{Cut: q.number("cut"), Propose: q.flag("propose", false)}
	if q.values.Get("keepRecent") != "" {
		keep := q.count("keepRecent")
		cut.KeepRecent = &keep
	}
	if q.err != nil {
		return q.err
	}
	review, err := s.backend.PlanCompaction(r.Context(), id, cut)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, review)
}

func (s *Server) review(w http.ResponseWriter, r *http.Request, id string) error {
	if r.PathValue("seq") == "plan" {
		return s.plan(w, r, id)
	}
	seq, err := seqIn(r)
	if err != nil {
		return err
	}
	review, err := s.backend.Review(id, seq)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, review)
}

// fidelity is of a compaction that was made.
func (s *Server) fidelity(w http.ResponseWriter, r *http.Request, id string) error {
	seq, err := seqIn(r)
	if err != nil {
		return err
	}
	kept, err := s.backend.Fidelity(id, seq)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, kept)
}

// measure is of one that could be made, with the summary that is given.
func (s *Server) measure(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted backend.Measure
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	kept, err := s.backend.Measure(r.Context(), id, wanted)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, kept)
}

// compact answers a dry run at once; a summary by a model takes as long as that takes.
func (s *Server) compact(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted backend.Compact
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	patient(w)
	done, err := s.backend.Compact(r.Context(), id, wanted)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if done.CommittedSeq != nil {
		status = http.StatusCreated
	}
	return respond(w, status, done)
}

func (s *Server) startDraft(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted backend.DraftRequest
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	draft, err := s.backend.StartDraft(r.Context(), id, wanted)
	if err != nil {
		return err
	}
	return respond(w, http.StatusAccepted, draft)
}

func (s *Server) draft(w http.ResponseWriter, r *http.Request, id string) error {
	draft, err := s.backend.Draft(id, r.PathValue("draft"))
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, draft)
}

func (s *Server) cancelDraft(w http.ResponseWriter, r *http.Request, id string) error {
	draft := r.PathValue("draft")
	if err := s.backend.CancelDraft(id, draft); err != nil {
		return err
	}
	return respond(w, http.StatusOK, struct {
		DraftID string `json:"draftId"`
	}{draft})
}
