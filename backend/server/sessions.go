package server

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"

	"palimpsest/backend"
)

func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	if cursor := q.values.Get("cursor"); cursor != "" && q.err == nil {
		return s.lists.goOn(w, cursor)
	}
	opts := backend.ListOptions{
		Archived: q.flag("archived", false), Quick: q.flag("quick", false),
		Query: q.values.Get("query"), Limit: q.count("limit"), Subagents: q.flag("subagents", false),
		Key: q.values.Get("key"), Agent: q.values.Get("agent"), CreatedBy: q.values.Get("createdBy"),
		Source: q.values.Get("source"), CronJobID: q.values.Get("cronJobId"),
		MinCompactions: q.count("minCompactions"),
	}
	last := q.flag("last", false)
	if q.err != nil {
		return q.err
	}
	if last {
		return s.lastList(w)
	}
	sessions, err := s.backend.List(r.Context(), opts)
	if err != nil {
		return err
	}
	return s.sendRows(w, q, sessions)
}

// lastList answers with the beginning of the list as it was last, in one part.
func (s *Server) lastList(w http.ResponseWriter) error {
	rows, total := s.backend.LastList()
	var out bytes.Buffer
	for i := range rows {
		line, err := encode(briefly(&rows[i]))
		if err != nil {
			return fmt.Errorf("encoding the answer: %w", err)
		}
		if out.Len()+len(line) > partBytes {
			break
		}
		out.Write(line)
	}
	w.Header().Set("X-Total", strconv.Itoa(total))
	send(w, http.StatusOK, linesType, out.Bytes())
	return nil
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) error {
	var wanted backend.NewSession
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	return answer(w, http.StatusCreated)(s.backend.New(wanted))
}

func (s *Server) sample(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, http.StatusCreated)(s.backend.AddSample())
}

func (s *Server) get(w http.ResponseWriter, _ *http.Request, id string) error {
	return answer(w, http.StatusOK)(s.backend.Get(id))
}

func (s *Server) children(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	quick, inParts := q.flag("quick", false), q.flag("parts", false)
	if q.err != nil {
		return q.err
	}
	if cursor := q.values.Get("cursor"); cursor != "" {
		return s.lists.goOn(w, cursor)
	}
	children, err := s.backend.Children(r.Context(), id, backend.ChildrenOptions{Calls: !quick, Count: !quick})
	if err != nil {
		return err
	}
	return sendMany(w, &s.lists, inParts, children)
}

// change makes its changes one after the other. If only the first succeeds, the same request may be made again.
func (s *Server) change(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted struct {
		Name     *string `json:"name"`
		Archived *bool   `json:"archived"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	if wanted.Name == nil && wanted.Archived == nil {
		return badInput("nothing to change: give name or archived")
	}
	var changed backend.Session
	var err error
	if wanted.Name != nil {
		changed, err = s.backend.Rename(r.Context(), id, *wanted.Name)
	}
	if wanted.Archived != nil && err == nil {
		changed, err = s.backend.Archive(r.Context(), id, *wanted.Archived)
	}
	return answer(w, http.StatusOK)(changed, err)
}

func (s *Server) fork(w http.ResponseWriter, r *http.Request, id string) error {
	var wanted struct {
		At int64 `json:"at"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	if wanted.At < 0 {
		return badInput("at is %d, not a seq", wanted.At)
	}
	return answer(w, http.StatusCreated)(s.backend.Fork(id, wanted.At))
}

func (s *Server) trash(w http.ResponseWriter, r *http.Request, id string) error {
	if err := s.backend.Trash(r.Context(), id); err != nil {
		return err
	}
	return respond(w, http.StatusOK, gone{id})
}

// gone is a session that was trashed or deleted, or that somebody left.
type gone struct {
	ID string `json:"id"`
}

// answer shows a session, or returns why there is none to show.
func answer(w http.ResponseWriter, status int) func(backend.Session, error) error {
	return func(session backend.Session, err error) error {
		if err != nil {
			return err
		}
		return respond(w, status, session)
	}
}
