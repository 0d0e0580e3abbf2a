package server

import (
	"bytes"
	"io"
	"net/http"

	"palimpsest/backend"
)

// keepImage lays an image on the desk: the body is its bytes, and nothing else is believed of it.
func (s *Server) keepImage(w http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(bounded(w, r, backend.ImageMost+1))
	if err != nil {
		return badInput("an image may have %d MB: %w", backend.ImageMost/1_000_000, err)
	}
	image, err := s.backend.KeepImage(data)
	if err != nil {
		return err
	}
	return respond(w, http.StatusCreated, image)
}

func (s *Server) deskImage(w http.ResponseWriter, r *http.Request) error {
	data, err := s.backend.DeskImage(r.PathValue("sha256"))
	if err != nil {
		return err
	}
	return sendBlob(w, bytes.NewReader(data), int64(len(data)))
}
