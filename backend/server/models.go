package server

import (
	"net/http"

	"palimpsest/backend"
)

func (s *Server) models(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	refresh := q.flag("refresh", false)
	if q.err != nil {
		return q.err
	}
	if provider := q.values.Get("provider"); provider != "" {
		return s.modelsOf(w, r, provider, refresh)
	}
	return respond(w, http.StatusOK, s.backend.Models(r.Context(), refresh))
}

func (s *Server) modelsOf(w http.ResponseWriter, r *http.Request, provider string, refresh bool) error {
	models, err := s.backend.ModelsOf(r.Context(), provider, refresh)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, models)
}

func (s *Server) localServers(w http.ResponseWriter, r *http.Request) error {
	return respond(w, http.StatusOK, struct {
		Servers []backend.LocalServer `json:"servers"`
	}{s.backend.LocalServers(r.Context())})
}

// useModel takes a provider by its name, or an address.
func (s *Server) useModel(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		Provider *string `json:"provider"`
		BaseURL  string  `json:"baseUrl"`
		Model    string  `json:"model"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	var err error
	if wanted.Provider != nil && wanted.BaseURL == "" {
		err = s.backend.UseProvider(*wanted.Provider, wanted.Model)
	} else {
		err = s.backend.UseModel(wanted.BaseURL, wanted.Model)
	}
	if err != nil {
		return err
	}
	return s.config(w, r)
}

func (s *Server) setProvider(w http.ResponseWriter, r *http.Request) error {
	var wanted struct {
		BaseURL string `json:"baseUrl"`
		Model   string `json:"model"`
		Window  *int   `json:"window"`
	}
	if err := readObject(w, r, &wanted); err != nil {
		return err
	}
	p := backend.NewProvider{Name: r.PathValue("provider"), BaseURL: wanted.BaseURL, Model: wanted.Model}
	if wanted.Window != nil {
		p.Window = *wanted.Window
	}
	if err := s.backend.SetProvider(p); err != nil {
		return err
	}
	return s.modelsOf(w, r, p.Name, false)
}

func (s *Server) removeProvider(w http.ResponseWriter, r *http.Request) error {
	undo, err := s.backend.RemoveProvider(r.PathValue("provider"))
	if err != nil {
		return err
	}
	return undoable(w, s.backend.Models(r.Context(), false), undo)
}
