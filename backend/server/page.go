package server

import (
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"palimpsest/backend"
)

const index = "index.html"

// contentTypes are those of the page's files. The system's table is not asked: on Windows any program may change it, and a
// script of another type is not run.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
	".webp": "image/webp", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

// sendPage answers with a file of the page. A path without extension is a place in the page, which finds its own way.
func (s *Server) sendPage(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return wrongMethod([]string{http.MethodGet, http.MethodHead})(w, r)
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	extension := path.Ext(name)
	if extension == "" {
		name, extension = index, ".html"
	}
	content, err := s.file(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		text := "There is no such file.\n"
		if name == index {
			text = "The page was not built into this program. The API under /api/ works all the same.\n"
		}
		send(w, http.StatusNotFound, contentTypes[".txt"], []byte(text))
		return nil
	}
	if err != nil {
		return &refusal{http.StatusInternalServerError, backend.Problem{
			Code: backend.CodeFailed, Message: "reading the page: " + err.Error(),
		}}
	}
	contentType, known := contentTypes[extension]
	if !known {
		contentType = "application/octet-stream"
	}
	if strings.HasPrefix(name, "assets/") { // their names change with their content
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	send(w, http.StatusOK, contentType, content)
	return nil
}

func (s *Server) file(name string) ([]byte, error) {
	if s.page == nil {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(s.page, name) //nolint:wrapcheck // sendPage says what was read
}
