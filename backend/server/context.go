package server

import (
	"net/http"
	"strings"

	"palimpsest/backend"
	"palimpsest/backend/pieces"
)

func (s *Server) context(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	opts := backend.ContextOptions{At: q.number("at"), WithoutMessages: !q.flag("messages", true), Injected: q.flag("injected", false)}
	if q.err != nil {
		return q.err
	}
	seen, err := s.backend.See(id, opts)
	if err != nil {
		return err
	}
	defer seen.Close()
	w.Header().Set("Content-Type", "application/json")
	out := &begun{ResponseWriter: w}
	err = pieces.Write(out, compact, seen.Context, "messages", seen.Len(), func(i int) (any, error) { return seen.Message(i) })
	if err != nil && out.answered {
		panic(http.ErrAbortHandler) // half an answer must not pass for a whole one
	}
	return err
}

// compact is a value as JSON on one line, as [encode] has it.
func compact(value any, _ string) (string, error) {
	text, err := encode(value)
	return strings.TrimSuffix(string(text), "\n"), err
}

// sizes tells how large the context was over the session.
func (s *Server) sizes(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	points := q.count("points")
	if q.err != nil {
		return q.err
	}
	sizes, err := s.backend.Sizes(r.Context(), id, points)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, sizes)
}

func (s *Server) revert(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted struct {
		TargetSeq int64 `json:"targetSeq"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	if wanted.TargetSeq < 1 {
		return badInput("targetSeq is missing or not a seq, a whole number from 1 on")
	}
	seq, err := s.backend.Revert(r.Context(), id, wanted.TargetSeq)
	if err != nil {
		return err
	}
	return respond(w, http.StatusCreated, struct {
		CommittedSeq int64 `json:"committedSeq"`
	}{seq})
}
