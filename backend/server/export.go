package server

import "net/http"

// exportTypes are the media types of the formats that sessions are exported in.
var exportTypes = map[string]string{
	"markdown": "text/markdown; charset=utf-8", "jsonl": "application/x-ndjson", "pi": "application/x-ndjson",
}

// export sends a session as a document. One that breaks off is cut off, so that nobody takes it for whole.
func (s *Server) export(w http.ResponseWriter, r *http.Request, id string) error {
	format := r.URL.Query().Get("format")
	if format == "" {
		format = "markdown"
	}
	kind, known := exportTypes[format]
	if !known {
		return badInput("format is %s, not markdown, jsonl or pi", shown(format))
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", "attachment")
	out := &begun{ResponseWriter: w}
	err := s.backend.Export(r.Context(), id, format, out)
	switch {
	case err != nil && out.answered:
		panic(http.ErrAbortHandler)
	case err != nil:
		w.Header().Del("Content-Disposition")
	}
	return err
}
