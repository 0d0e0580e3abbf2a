package server

import (
	"io"
	"net/http"
	"strconv"

	"palimpsest/backend"
)

// batchMost bounds a batch of records.
const batchMost = 64 << 20

func (s *Server) records(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	opts := backend.PageOptions{FromSeq: q.number("from"), Position: q.count("index"), Limit: q.count("limit"), AsOf: q.number("at")}
	switch q.values.Get("view") {
	case "", "all":
	case "model":
		opts.Model = true
	default:
		q.fail("view", "all or model")
	}
	if q.err == nil && opts.FromSeq != 0 && q.values.Get("index") != "" {
		return badInput("from and index both say where the page starts; give one of them")
	}
	if q.err != nil {
		return q.err
	}
	page, err := s.backend.Page(id, opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, page)
}

// opening answers with the newest records, at once.
func (s *Server) opening(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	limit := q.count("limit")
	if q.err != nil {
		return q.err
	}
	if viewer := q.values.Get("viewer"); viewer != "" {
		s.backend.Attend(id, viewer)
	}
	opening, err := s.backend.Opening(r.Context(), id, limit)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, opening)
}

// leave takes note that a viewer has turned to something else.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, id string) error {
	if err := s.backend.Leave(id, queryOf(r).values.Get("viewer")); err != nil {
		return err
	}
	return respond(w, http.StatusOK, gone{id})
}

// find looks through a log for text.
func (s *Server) find(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	opts := backend.FindOptions{
		Query: q.values.Get("q"), MatchCase: q.flag("case", false), Regex: q.flag("regex", false), From: q.count("from"), Limit: q.count("limit"),
	}
	if q.err != nil {
		return q.err
	}
	found, err := s.backend.Find(r.Context(), id, opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, found)
}

// record sends bytes of a line as they are in the file.
func (s *Server) record(w http.ResponseWriter, r *http.Request, id string) error {
	seq, err := seqIn(r)
	if err != nil {
		return err
	}
	q := queryOf(r)
	offset, limit := q.number("offset"), q.number("limit")
	if q.err != nil {
		return q.err
	}
	body, size, err := s.backend.RawRecord(id, seq, offset, limit)
	if err != nil {
		return err
	}
	defer body.Close() //nolint:errcheck // it was opened for reading
	from := min(offset, size)
	length := size - from
	if limit > 0 {
		length = min(length, limit)
	}
	contentType := "application/octet-stream"
	if length == size {
		contentType = "application/json"
	}
	w.Header().Set("X-Record-Bytes", strconv.FormatInt(size, 10))
	sendFrom(w, contentType, length, body)
	return nil
}

// seqIn is the seq in a path.
func seqIn(r *http.Request) (int64, error) {
	seq, err := wholeNumber(r.PathValue("seq"))
	if err != nil || seq == 0 {
		return 0, badInput("%s is not a seq, a whole number from 1 to 2^53-1", shown(r.PathValue("seq")))
	}
	return seq, nil
}

// sendFrom announces the length first: a client can tell when it did not get all.
func sendFrom(w http.ResponseWriter, contentType string, length int64, body io.Reader) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.FormatInt(length, 10))
	w.WriteHeader(http.StatusOK)
	_, _ = io.CopyN(w, body, length) // see above
}

func (s *Server) append(w http.ResponseWriter, r *http.Request, id string) error {
	seqs, err := s.backend.Append(r.Context(), id, bounded(w, r, batchMost))
	if err != nil {
		return &unfinished{err, seqs}
	}
	return respond(w, http.StatusCreated, struct {
		Committed []int64 `json:"committed"`
	}{seqs})
}

func (s *Server) outline(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	at, from := q.number("at"), q.count("from")
	if q.err != nil {
		return q.err
	}
	outline, err := s.backend.OutlinePart(id, at, from)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, outline)
}

func (s *Server) prompts(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	opts := backend.PromptOptions{First: q.count("first"), From: q.count("from"), Before: q.count("before"), Limit: q.count("limit")}
	if q.err != nil {
		return q.err
	}
	set := 0
	for _, n := range []int{opts.First, opts.From, opts.Before} {
		if n > 0 {
			set++
		}
	}
	if set > 1 {
		return badInput("first, from and before each say where the prompts start; give one of them")
	}
	prompts, err := s.backend.Prompts(id, opts)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, prompts)
}
