package server

import (
	"net/http"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// brief is a session as a row of a list shows it, for a page that has thousands of them: without what only one that is open tells, and
// without members that are null, false, 0, empty or as most are. Counts that are 0 are told: null is unknown.
type brief struct {
	ID              string         `json:"id"`
	Name            *string        `json:"name,omitempty"`
	LastMessageAt   string         `json:"lastMessageAt"`
	Model           string         `json:"model,omitempty"`
	MessageCount    *int           `json:"messageCount,omitempty"`
	Compactions     *int           `json:"compactions,omitempty"`
	Source          string         `json:"source,omitempty"`
	CronJobID       string         `json:"cronJobId,omitempty"`
	Cwd             *string        `json:"cwd,omitempty"`
	Key             *string        `json:"key,omitempty"`
	Agent           *string        `json:"agent,omitempty"`
	CreatedBy       *string        `json:"createdBy,omitempty"`
	ParentSessionID string         `json:"parentSessionId,omitempty"`
	ArchivedAt      *string        `json:"archivedAt,omitempty"`
	FirstMessage    *string        `json:"firstMessage,omitempty"`
	Foreign         bool           `json:"foreign,omitempty"`
	Parent          *string        `json:"parent,omitempty"`
	Relation        *string        `json:"relation,omitempty"`
	Children        int            `json:"children,omitempty"`
	KeptAt          *string        `json:"keptAt,omitempty"`
	FromCopy        bool           `json:"fromCopy,omitempty"`
	EarlierOf       *string        `json:"earlierOf,omitempty"`
	Problem         *string        `json:"problem,omitempty"`
	Gone            bool           `json:"gone,omitempty"`
	Summary         *session.Edits `json:"summary,omitempty"`
}

func briefly(s *backend.Session) brief {
	out := brief{
		ID: s.ID, Name: s.Name, LastMessageAt: s.LastMessageAt, Model: s.Model, MessageCount: s.MessageCount, Compactions: s.Compactions,
		Source: s.Source, CronJobID: s.CronJobID, Cwd: s.Cwd, Key: s.Key, Agent: s.Agent, CreatedBy: s.CreatedBy,
		ParentSessionID: s.ParentSessionID, ArchivedAt: s.ArchivedAt, FirstMessage: s.FirstMessage, Foreign: s.Foreign, Parent: s.Parent,
		Relation: s.Relation, Children: s.Children, KeptAt: s.KeptAt, FromCopy: s.FromCopy, EarlierOf: s.EarlierOf, Problem: s.Problem,
		Gone: s.Gone, Summary: s.Summary,
	}
	if out.Source == session.SourceInteractive {
		out.Source = ""
	}
	return out
}

// sendRows answers with sessions as a request wants them: all at once or in parts, whole or briefly.
func (s *Server) sendRows(w http.ResponseWriter, q *query, sessions []backend.Session) error {
	inParts, short := q.flag("parts", false), q.flag("brief", false)
	if q.err != nil {
		return q.err
	}
	if !short {
		return sendMany(w, &s.lists, inParts, sessions)
	}
	rows := make([]brief, len(sessions))
	for i := range sessions {
		rows[i] = briefly(&sessions[i])
	}
	return sendMany(w, &s.lists, inParts, rows)
}
