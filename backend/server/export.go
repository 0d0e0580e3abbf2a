package server

import (
	"net/http"

	"palimpsest/backend"
)

// exportTypes are the media types of the formats that sessions are exported in.
var exportTypes = map[string]string{
	"markdown": "text/markdown; charset=utf-8", "jsonl": "application/x-ndjson", "pi": "application/x-ndjson",
}

// export sends a session as a document. One that breaks off is cut off, so that nobody takes it for whole.
func (s *Server) export(w http.ResponseWriter, r *http.Request, id string) error {
	q := queryOf(r)
	format := q.values.Get("format")
	if format == "" {
		format = "markdown"
	}
	keep := q.flag("secrets", false)
	if q.err != nil {
		return q.err
	}
	kind, known := exportTypes[format]
	if !known {
		return badInput("format is %s, not markdown, jsonl or pi", shown(format))
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", "attachment")
	out := &begun{ResponseWriter: w}
	_, err := s.backend.Export(r.Context(), id, backend.ExportOptions{Format: format, Secrets: keep}, out)
	switch {
	case err != nil && out.answered:
		panic(http.ErrAbortHandler)
	case err != nil:
		w.Header().Del("Content-Disposition")
	}
	return err
}
