package backend

import (
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Session is one session as lists show it.
type Session struct {
	ID              string  `json:"id"`
	Name            *string `json:"name"`
	CreatedAt       string  `json:"createdAt"`
	LastMessageAt   string  `json:"lastMessageAt"`
	Model           string  `json:"model"`
	MessageCount    *int    `json:"messageCount"`
	Compactions     *int    `json:"compactions"`
	Source          string  `json:"source"`
	CronJobID       string  `json:"cronJobId,omitempty"`
	Cwd             *string `json:"cwd"`
	Key             *string `json:"key"`
	Agent           *string `json:"agent"`
	CreatedBy       *string `json:"createdBy"`
	ParentSessionID string  `json:"parentSessionId,omitempty"`
	ForkedAtSeq     int64   `json:"forkedAtSeq,omitempty"`
	ArchivedAt      *string `json:"archivedAt"`
	FirstMessage    *string `json:"firstMessage"`
	// Metrics is what it took, nil as long as that is not counted.
	Metrics *session.Metrics `json:"metrics"`
	// ActiveSeconds is the time spent in turns, nil if none was measured.
	ActiveSeconds *float64 `json:"activeSeconds"`
	// AgentVersion is that of the agent that wrote last, nil if it is not known or ours.
	AgentVersion *string `json:"agentVersion"`
	// Foreign tells that it can be read, and not changed.
	Foreign bool    `json:"foreign"`
	Title   *string `json:"title"`
	// Parent is the id of the session it came from, and Relation how: fork, subagent or continuation.
	Parent   *string `json:"parent"`
	Relation *string `json:"relation"`
	// Children are its subagents' sessions, which lists leave out.
	Children int `json:"children"`
	// KeptAt is when a copy of another agent's session was kept, nil if none was. With FromCopy its own files are gone, and the copy is
	// shown.
	KeptAt   *string `json:"keptAt"`
	FromCopy bool    `json:"fromCopy"`
	// EarlierOf is the session that this copy is an earlier state of, with what that one lacks by now: no fork that anybody made.
	EarlierOf *string `json:"earlierOf,omitempty"`
	// Problem says why it can't be read, nil if it can.
	Problem *string `json:"problem"`
	// Gone tells that its files vanished; the index still has its texts.
	Gone bool `json:"gone"`
	// ImportedFrom is the session that this one is a copy of, nil if it is none.
	ImportedFrom *string `json:"importedFrom"`
	// Summary is what tools did to files, nil if nothing.
	Summary *session.Edits `json:"summary,omitempty"`
	Path    string         `json:"path"`
}

func sessionOf(s *session.Summary) Session {
	out := Session{
		ID: s.ID, Name: known(s.Name), CreatedAt: stamp(s.CreatedAt), LastMessageAt: stamp(s.LastMessageAt),
		Model: s.Model, Source: s.Source, CronJobID: s.CronJobID, Cwd: known(s.Cwd), Key: known(s.Key),
		ParentSessionID: s.ParentSessionID, ForkedAtSeq: s.ForkedAtSeq, Path: s.Path, Summary: s.Edits,
		Agent: known(s.Agent), CreatedBy: known(s.CreatedBy), ActiveSeconds: s.ActiveSeconds,
		Title: known(s.Name), Parent: known(s.ParentSessionID),
	}
	if s.Agent == "" {
		out.Agent = known(ownAgent)
	}
	if s.ParentSessionID != "" {
		out.Relation = known(string(sources.Fork))
	}
	if from := s.ImportedFrom; from != nil {
		out.ImportedFrom = known(library.Ref{Agent: from.Agent, ID: from.ID}.String())
	}
	if s.ArchivedAt != nil {
		at := stamp(*s.ArchivedAt)
		out.ArchivedAt = &at
	}
	if s.Known {
		counts := struct{ messages, compactions int }{s.MessageCount, s.Compactions} // not all of the summary is kept for them
		out.MessageCount, out.Compactions, out.FirstMessage = &counts.messages, &counts.compactions, known(s.FirstMessage)
		if s.ImportedFrom != nil && s.ImportedFrom.FirstMessage == "" {
			out.FirstMessage = known(typed(s.FirstMessage))
		}
		out.Metrics = s.Took
	}
	return out
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
