package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"

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
	opts := backend.ExportOptions{Format: format, Secrets: keep}
	name, err := s.backend.ExportName(id, opts)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	out := &begun{ResponseWriter: w}
	if keep {
		_, err = s.backend.Export(r.Context(), id, opts, out)
	} else {
		err = s.exportCounted(out, r, id, opts)
	}
	switch {
	case err != nil && out.answered:
		panic(http.ErrAbortHandler)
	case err != nil:
		w.Header().Del("Content-Disposition")
	}
	return err
}

// exportCounted says before the document how many secrets are left out of it, which is known only at its end: until then it is in a file.
func (s *Server) exportCounted(w http.ResponseWriter, r *http.Request, id string, opts backend.ExportOptions) (err error) {
	file, err := os.CreateTemp("", "palimpsest-export-*")
	if err != nil {
		return fmt.Errorf("exporting session %s: making room: %w", id, err)
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	document := bufio.NewWriter(file)
	leftOut, err := s.backend.Export(r.Context(), id, opts, document)
	if err == nil {
		err = document.Flush()
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	w.Header().Set("X-Secrets-Left-Out", strconv.Itoa(leftOut))
	if _, err = io.Copy(w, file); err != nil {
		return fmt.Errorf("sending session %s: %w", id, err)
	}
	return nil
}
