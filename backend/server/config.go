package server

import (
	"net/http"
	"path/filepath"

	"palimpsest/backend"
	"palimpsest/backend/config"
)

// settings are the settings in force as the page shows them.
type settings struct {
	Theme      config.Theme      `json:"theme"`
	Model      string            `json:"model"`
	BaseURL    string            `json:"baseUrl"`
	Durability config.Durability `json:"durability"`
	// Notifications has the page tell of turns while it is not in front.
	Notifications bool     `json:"notifications"`
	Path          string   `json:"path"`
	Problems      []string `json:"problems"`
	Home          string   `json:"home"`
	ReadOnly      bool     `json:"readOnly"`
	Version       string   `json:"version"`
}

func (s *Server) config(w http.ResponseWriter, _ *http.Request) error {
	inForce, problems := s.backend.Settings()
	home := s.backend.Home()
	out := settings{
		Theme: inForce.Theme, Model: inForce.Model, BaseURL: inForce.BaseURL, Durability: inForce.Durability, Notifications: inForce.Notifications,
		Path: filepath.Join(home, config.FileName), Problems: make([]string, 0, len(problems)),
		Home: home, ReadOnly: s.backend.ReadOnly(), Version: backend.Version,
	}
	for _, problem := range problems {
		out.Problems = append(out.Problems, problem.Error())
	}
	return respond(w, http.StatusOK, out)
}
