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
	return s.keyChanged(w, r, body.place().Provider, undo)
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
	return s.keyChanged(w, r, body.place().Provider, undo)
}

// keyChanged answers with the models of the provider whose key it was.
func (s *Server) keyChanged(w http.ResponseWriter, r *http.Request, provider, undo string) error {
	models, err := s.backend.ModelsOf(r.Context(), provider, false)
	if err != nil {
		return err
	}
	return undoable(w, models, undo)
}

// undoable answers with models and with what takes the change back; null if nothing was taken.
func undoable(w http.ResponseWriter, models backend.Models, undo string) error {
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
	asItWas, err := s.backend.PutBack(body.Undo)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, struct {
		AsItWas bool `json:"asItWas"`
	}{asItWas})
}
