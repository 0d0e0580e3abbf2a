package server

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// inline are the types of blobs that may be shown where they are. Blobs come from models and from the web, so all else,
// SVG and HTML above all, is bytes to be saved.
var inline = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "text/plain; charset=utf-8": true,
}

func (s *Server) blob(w http.ResponseWriter, r *http.Request, id string) error {
	sha := r.PathValue("sha256")
	if data, ok := s.backend.ExcerptBlob(id, sha); ok {
		return sendBlob(w, bytes.NewReader(data), int64(len(data)))
	}
	if err := s.backend.Prepare(r.Context(), id); err != nil {
		return err
	}
	file, err := s.backend.OpenBlob(id, sha)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	if err := sendBlob(w, file, info.Size()); err != nil {
		return fmt.Errorf("session %s: reading blob %s: %w", id, sha, err)
	}
	return nil
}

func sendBlob(w http.ResponseWriter, body io.Reader, size int64) error {
	const sniffed = 512
	head, err := io.ReadAll(io.LimitReader(body, sniffed))
	if err != nil {
		return err
	}
	contentType := http.DetectContentType(head)
	if !inline[contentType] || isMarkup(head) {
		contentType = "application/octet-stream"
		w.Header().Set("Content-Disposition", "attachment")
	}
	sendFrom(w, contentType, size, io.MultiReader(bytes.NewReader(head), body))
	return nil
}

// isMarkup tells what sniffing takes for text but something else may take for SVG.
func isMarkup(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF"))), []byte("<"))
}
