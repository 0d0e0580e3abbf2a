package server

import (
	"net/http"

	"palimpsest/backend"
)

func (s *Server) index(w http.ResponseWriter, r *http.Request) error {
	status, err := s.backend.IndexStatus(r.Context())
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, status)
}

func (s *Server) controlIndex(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		Action string `json:"action"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	status, err := s.backend.ControlIndex(r.Context(), wanted.Action)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, status)
}

// forget forgets sessions whose files are gone.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		IDs []string `json:"ids"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	done, err := s.backend.Forget(r.Context(), wanted.IDs)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, done)
}

func (s *Server) statistics(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	get := q.values.Get
	opts := backend.StatisticsOptions{
		Agent: get("agent"), Project: get("project"), From: get("from"), To: get("to"), Over: get("over"), Today: get("today"),
		AgentDays: q.flag("agentDays", false), Projects: q.count("projects"),
	}
	if q.err != nil {
		return q.err
	}
	told, err := s.backend.Statistics(r.Context(), opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, told)
}

func (s *Server) ledger(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	get := q.values.Get
	opts := backend.LedgerOptions{
		Agent: get("agent"), Project: get("project"), Model: get("model"), Trigger: get("trigger"), Session: get("session"),
		Min: q.count("min"), Limit: q.count("limit"), Cursor: get("cursor"),
	}
	if q.err != nil {
		return q.err
	}
	if opts.Session != "" {
		if err := backend.CheckID(opts.Session); err != nil {
			return err
		}
	}
	told, err := s.backend.Ledger(r.Context(), opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, told)
}
