package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/backend/config"
	"palimpsest/backend/library"
	"palimpsest/backend/record"
	"palimpsest/backend/sample"
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

func sessionOf(s session.Summary) Session {
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
		out.MessageCount, out.Compactions, out.FirstMessage = &s.MessageCount, &s.Compactions, known(s.FirstMessage)
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

// ListOptions of [Backend.List].
type ListOptions struct {
	// Archived adds the archived ones. Trash lists the trash instead.
	Archived, Trash bool
	// Quick leaves out counts that would need reading logs.
	Quick bool
	// Agent keeps the sessions of one agent, ours that were made with it, too; palimpsest for all of ours.
	Agent string
	// Subagents adds sessions that another one on the list has started.
	Subagents bool
	// Query keeps sessions whose name, first message, folder, key, agent, cron job or source, if that is cron, contains it,
	// or whose id begins with it, whatever the case.
	Query string
	// Key, CreatedBy, Source and CronJobID keep sessions of ours that have exactly these; empty for any.
	Key, CreatedBy, Source, CronJobID string
	// MinCompactions keeps sessions that were compacted at least so often, as far as that is known.
	MinCompactions int
	// Limit keeps that many of the newest; 0 all.
	Limit int
}

// Filters tells whether only sessions with certain members are wanted.
func (o *ListOptions) Filters() bool { return o.Agent != "" || o.MinCompactions > 0 || o.own() }

// own tells whether only sessions of ours can be what is wanted: others have no such members.
func (o *ListOptions) own() bool {
	return o.Agent == ownAgent || o.Key+o.CreatedBy+o.Source+o.CronJobID != ""
}

// keeps tells whether a session of ours is one of those that are wanted.
func (o *ListOptions) keeps(s *session.Summary) bool {
	for _, pair := range [][2]string{{o.Key, s.Key}, {o.CreatedBy, s.CreatedBy}, {o.Source, s.Source}, {o.CronJobID, s.CronJobID}} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false
		}
	}
	return o.Agent == "" || o.Agent == ownAgent || o.Agent == s.Agent
}

// List returns sessions, ours and those of other agents, the newest first.
func (b *Backend) List(ctx context.Context, opts ListOptions) ([]Session, error) {
	if s := opts.Source; s != "" && s != session.SourceInteractive && s != session.SourceCron {
		return nil, fmt.Errorf("%w: source is %q, not interactive or cron", session.ErrInput, s)
	}
	rows, err := b.allRows(ctx, opts)
	if err != nil {
		return nil, err
	}
	list := make([]Session, 0, len(rows))
	query := strings.ToLower(opts.Query)
	for i := range rows {
		r := &rows[i]
		if opts.Limit > 0 && len(list) == opts.Limit {
			break
		}
		if (opts.Archived || opts.Trash || r.ArchivedAt == nil) && r.compacted(opts.MinCompactions) && r.matches(query) {
			list = append(list, r.Session)
		}
	}
	if !opts.Trash {
		b.startIndexing()
	}
	return list, nil
}

// allRows are the sessions of whoever is wanted, the newest first.
func (b *Backend) allRows(ctx context.Context, opts ListOptions) ([]row, error) {
	if b.library == nil || opts.Trash || opts.own() {
		return b.ownRows(ctx, opts)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var foreign []row
	var why error
	var beside sync.WaitGroup
	beside.Go(func() { foreign, why = b.foreignRows(ctx, opts) })
	rows, err := b.ownRows(ctx, opts)
	if err != nil {
		cancel()
	}
	if beside.Wait(); err == nil {
		err = why
	}
	if err != nil {
		return nil, err
	}
	rows = append(rows, foreign...)
	slices.SortFunc(rows, newestFirst)
	return rows, nil
}

// row is a session with the time that lists are sorted by.
type row struct {
	Session
	at time.Time
}

func newestFirst(a, b row) int {
	if c := b.at.Compare(a.at); c != 0 {
		return c
	}
	return strings.Compare(b.ID, a.ID)
}

func (r *row) compacted(least int) bool {
	return least == 0 || r.Compactions != nil && *r.Compactions >= least
}

func (r *row) matches(query string) bool {
	if query == "" {
		return true
	}
	agent, source := r.Agent, r.Source
	if agent != nil && *agent == ownAgent {
		agent = nil // as most are
	}
	if source == session.SourceInteractive {
		source = "" // as most are, too
	}
	for _, text := range []*string{r.Name, r.FirstMessage, r.Cwd, r.Key, agent, &r.CronJobID, &source} {
		if text != nil && strings.Contains(strings.ToLower(*text), query) {
			return true
		}
	}
	return strings.HasPrefix(strings.ToLower(r.ID), query)
}

// ownRows are the sessions that are ours, the newest first.
func (b *Backend) ownRows(ctx context.Context, opts ListOptions) ([]row, error) {
	all, err := b.store.List(ctx, session.ListOptions{Quick: opts.Quick, Trash: opts.Trash})
	rows := make([]row, 0, len(all))
	for _, summary := range all {
		if opts.keeps(&summary) {
			rows = append(rows, row{sessionOf(summary), summary.LastMessageAt})
		}
	}
	return rows, err
}

// Get returns one session.
func (b *Backend) Get(id string) (Session, error) {
	if library.IsRef(id) {
		return b.getForeign(id)
	}
	summary, err := b.store.Get(id)
	if err != nil {
		return Session{}, err
	}
	return sessionOf(summary), nil
}

// NewSession says what a session is created with. All of it may be empty.
type NewSession struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	// Provider is who serves the model, by the name in the settings; empty for the one in use.
	Provider string `json:"provider"`
	// Cwd is where tools work. With CwdMustExist a folder has to be there now.
	Cwd          string `json:"cwd"`
	CwdMustExist bool   `json:"cwdMustExist"`
	Key          string `json:"key"`
	Source       string `json:"source"`
	CronJobID    string `json:"cronJobId"`
	// Agent and CreatedBy say who talks to whom; who made it is the door if nobody is named.
	Agent     string `json:"agent"`
	CreatedBy string `json:"createdBy"`
	// SystemPrompt replaces the program's and the user's own in this session.
	SystemPrompt string `json:"systemPrompt"`
}

// New creates an empty session.
func (b *Backend) New(n NewSession) (Session, error) {
	settings, _ := b.Settings()
	if n.CwdMustExist {
		if err := checkFolder(n.Cwd); err != nil {
			return Session{}, err
		}
	}
	if n.Provider != "" {
		if err := b.checkProvider(n.Provider); err != nil {
			return Session{}, err
		}
		settings, _ = settings.Using(n.Provider)
	}
	if n.Model == "" {
		n.Model = settings.Model
	}
	made := session.New{
		Name: n.Name, Model: n.Model, Cwd: n.Cwd, Key: n.Key, Source: n.Source, CronJobID: n.CronJobID,
		Agent: n.Agent, CreatedBy: b.maker(n.CreatedBy), SystemPromptOverride: n.SystemPrompt,
	}
	if n.Provider != "" {
		at := record.Model{Provider: settings.Provider, Model: n.Model, Named: true}
		if at.Provider == "" {
			at.Provider = config.DefaultProvider
		}
		if err := b.remember(&made, at); err != nil {
			return Session{}, err
		}
	}
	m, err := b.store.Create(made)
	if err != nil {
		return Session{}, err
	}
	return b.Get(m.ID)
}

// maker is who made a session: the one named or, where nobody is, this door.
func (b *Backend) maker(named string) string {
	if named == "" {
		return b.createdBy
	}
	return named
}

// remember has a new session begin with who serves its model.
func (b *Backend) remember(n *session.New, m record.Model) error {
	text, err := json.Marshal(struct {
		RecordType record.Type `json:"recordType"`
		record.Model
	}{record.TypeModel, m})
	if err != nil {
		return fmt.Errorf("encoding a model: %w", err)
	}
	n.First, err = b.draftsOf([][]byte{text})
	return err
}

// AddSample creates the sample conversation.
func (b *Backend) AddSample() (Session, error) {
	m, err := b.store.Import(session.New{
		Name: sample.Name, Model: sample.Model, Cwd: sample.Cwd, CreatedBy: b.createdBy,
	}, sample.Log())
	if err != nil {
		return Session{}, err
	}
	return b.Get(m.ID)
}

// Rename gives a session a name; an empty one clears it.
func (b *Backend) Rename(ctx context.Context, id, name string) (Session, error) {
	if _, err := b.store.Rename(ctx, id, name); err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// Archive takes a session out of the list or, with archived false, puts it back.
func (b *Backend) Archive(ctx context.Context, id string, archived bool) (Session, error) {
	if _, err := b.store.Archive(ctx, id, archived); err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// Fork makes a new session from this one, whole (at 0) or up to the last record that has seq at.
func (b *Backend) Fork(id string, at int64) (Session, error) {
	m, err := b.store.Fork(id, at, b.createdBy)
	if err != nil {
		return Session{}, err
	}
	return b.Get(m.ID)
}

// Trash moves a session to the trash.
func (b *Backend) Trash(ctx context.Context, id string) error { return b.store.Trash(ctx, id) }

// Restore brings a session back from the trash.
func (b *Backend) Restore(id string) (Session, error) {
	if err := b.store.Restore(id); err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// Purge deletes a session in the trash for good.
func (b *Backend) Purge(id string) error {
	if err := b.store.Purge(id); err != nil {
		return err
	}
	return b.clearDesk(id)
}
