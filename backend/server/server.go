package server

import (
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"palimpsest/backend"
)

// Server answers for one backend.
type Server struct {
	backend *backend.Backend
	page    fs.FS
	log     *slog.Logger
	lists   lists

	heartbeat time.Duration // between signs of life on a stream of news
	drain     time.Duration // how long requests may go on once the server is to stop
}

// New returns a server. Page holds index.html and what belongs to it; nil, or one without index.html, if the page was not
// built. Log is told of panics; [slog.Default] if nil.
func New(b *backend.Backend, page fs.FS, log *slog.Logger) *Server {
	if log == nil {
		log = slog.Default()
	}
	return &Server{backend: b, page: page, log: log, heartbeat: 30 * time.Second, drain: 5 * time.Second}
}

// Handler answers what is below /api/ for the window: without token, and without news, which a window is told of by events
// of its own.
func (s *Server) Handler() http.Handler {
	return s.recovered(withHeaders(apiHeaders, newAPI(s.routes())))
}

// Middleware answers what is below /api/ for the window and leaves the rest to next. In front of the window's assets it
// answers during development too, when a handler behind them would never be asked.
func (s *Server) Middleware(next http.Handler) http.Handler {
	api := s.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAPI(r) {
			api.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isAPI(r *http.Request) bool {
	return r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/")
}

// routes are those of both mounts.
func (s *Server) routes() []route {
	return []route{
		{"GET /api/sessions", s.list},
		{"POST /api/sessions", s.create},
		{"GET /api/sessions/{id}", byID(s.get)},
		{"PATCH /api/sessions/{id}", byID(s.change)},
		{"DELETE /api/sessions/{id}", byID(s.trash)},
		{"POST /api/sessions/{id}/forks", byID(s.fork)},
		{"GET /api/sessions/{id}/children", byID(s.children)},
		{"GET /api/sessions/{id}/export", s.reading(s.export)},
		{"POST /api/sample", s.sample},

		{"POST /api/keys/messages", s.sendTo},
		{"POST /api/keys/reset", s.reset},
		{"GET /api/agents", s.agents},
		{"POST /api/imports", s.importSession},
		{"GET /api/retention", s.retention},
		{"GET /api/kept", s.kept},
		{"POST /api/kept", s.keep},
		{"DELETE /api/kept/{id}", s.dropCopy},
		{"POST /api/drops", s.dropCopies},
		{"POST /api/cleanup", s.cleanUp},

		{"GET /api/trash", s.listTrash},
		{"DELETE /api/trash", s.emptyTrash},
		{"DELETE /api/trash/{id}", byID(s.purge)},
		{"POST /api/restores", s.restoreMany},
		{"POST /api/trash/{id}/restore", byID(s.restore)},

		{"GET /api/sessions/{id}/opening", byID(s.opening)},
		{"DELETE /api/sessions/{id}/opening", byID(s.leave)},
		{"GET /api/sessions/{id}/records", s.reading(s.records)},
		{"POST /api/sessions/{id}/records", byID(s.append)},
		{"GET /api/sessions/{id}/records/{seq}", s.reading(s.record)},
		{"GET /api/sessions/{id}/outline", s.reading(s.outline)},
		{"GET /api/sessions/{id}/prompts", s.reading(s.prompts)},
		{"GET /api/sessions/{id}/find", s.reading(s.find)},
		{"GET /api/sessions/{id}/blobs/{sha256}", byID(s.blob)},
		{"GET /api/sessions/{id}/context", s.reading(s.context)},
		{"GET /api/sessions/{id}/sizes", s.reading(s.sizes)},
		{"POST /api/sessions/{id}/reverts", byID(s.revert)},

		{"GET /api/sessions/{id}/compactions/{seq}", s.reading(s.review)}, // plan in the place of a seq, too
		{"GET /api/sessions/{id}/compactions/{seq}/fidelity", s.reading(s.fidelity)},
		{"POST /api/sessions/{id}/compactions", byID(s.compact)},
		{"POST /api/sessions/{id}/fidelity", byID(s.measure)},
		{"POST /api/sessions/{id}/drafts", byID(s.startDraft)},
		{"GET /api/sessions/{id}/drafts/{draft}", byID(s.draft)},
		{"DELETE /api/sessions/{id}/drafts/{draft}", byID(s.cancelDraft)},

		{"POST /api/sessions/{id}/messages", byID(s.send)},
		{"DELETE /api/sessions/{id}/messages/{key}", byID(s.giveUp)},
		{"GET /api/sessions/{id}/turns", byID(s.turns)},
		{"DELETE /api/sessions/{id}/turns/{turn}", byID(s.endTurn)},
		{"POST /api/sessions/{id}/turns/{turn}/answers", byID(s.answerTurn)},

		{"GET /api/sessions/{id}/permissions", byID(s.permissions)},
		{"PUT /api/sessions/{id}/permissions", byID(s.setPermissions)},
		{"POST /api/sessions/{id}/undos", byID(s.undoFiles)},

		{"GET /api/models", s.models},
		{"GET /api/models/local", s.localServers},
		{"GET /api/asking", s.asking},
		{"PUT /api/models", s.useModel},
		{"PUT /api/models/providers/{provider}", s.setProvider},
		{"DELETE /api/models/providers/{provider}", s.removeProvider},
		{"PUT /api/models/key", s.setKey},
		{"DELETE /api/models/key", s.forgetKey},
		{"POST /api/models/undos", s.putBack},

		{"POST /api/images", s.keepImage},
		{"GET /api/images/{sha256}", s.deskImage},

		{"GET /api/desk", s.deskKeys},
		{"GET /api/desk/{key}", s.deskPiece},
		{"PUT /api/desk/{key}", s.layOnDesk},

		{"GET /api/index", s.index},
		{"POST /api/index", s.controlIndex},
		{"POST /api/index/forget", s.forget},
		{"GET /api/statistics", s.statistics},
		{"GET /api/ledger", s.ledger},

		{"GET /api/search", s.search},
		{"POST /api/matches", s.matches},
		{"GET /api/searches", s.searches},
		{"PUT /api/searches", s.saveSearches},

		{"GET /api/config", s.config},
	}
}
