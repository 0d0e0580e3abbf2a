package server

import (
	"net/http"

	"palimpsest/backend"
)

// keyBody names where a key goes; null or no provider is the server without a name.
type keyBody struct {
	Provider *string `json:"provider"`
	BaseURL  string  `json:"baseUrl"`
	Key      string  `json:"key"`
}

func (k keyBody) place() backend.KeyPlace {
	place := backend.KeyPlace{BaseURL: k.BaseURL}
	if k.Provider != nil {
		place.Provider = *k.Provider
	}
	return place
}

func (s *Server) setKey(w http.ResponseWriter, r *http.Request) error {
	var body keyBody
	if err := readObject(w, r, &body); err != nil {
		return err
	}
	undo, err := s.backend.SetKey(body.place(), body.Key)
	if err != nil {
		return err
	}
	return s.undoable(w, r, body.place().Provider, undo)
}

func (s *Server) forgetKey(w http.ResponseWriter, r *http.Request) error {
	var body keyBody
	if err := readObject(w, r, &body); err != nil {
		return err
	}
	undo, err := s.backend.ForgetKey(body.place())
	if err != nil {
		return err
	}
	return s.undoable(w, r, body.place().Provider, undo)
}

// undoable answers with the models of a provider, and with what takes the change back; null if nothing was taken.
func (s *Server) undoable(w http.ResponseWriter, r *http.Request, provider, undo string) error {
	models, err := s.backend.ModelsOf(r.Context(), provider, false)
	if err != nil {
		return err
	}
	out := struct {
		backend.Models
		Undo *string `json:"undo"`
	}{Models: models}
	if undo != "" {
		out.Undo = &undo
	}
	return respond(w, http.StatusOK, out)
}

// putBack takes the word of who took something out of the settings.
func (s *Server) putBack(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Undo string `json:"undo"`
	}
	if err := readObject(w, r, &body); err != nil {
		return err
	}
	if err := s.backend.PutBack(body.Undo); err != nil {
		return err
	}
	return s.config(w, r)
}
