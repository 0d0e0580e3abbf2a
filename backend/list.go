package backend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/session"
)

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
	// or whose id begins with it, whatever the case; a long one may be without the agent in front.
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
	began := b.listMoment()
	rows, err := b.allRows(ctx, opts)
	if err == nil {
		err = ctx.Err() // who was interrupted may not have seen all of them
	}
	if err != nil {
		return nil, err
	}
	list := make([]Session, 0, len(rows))
	query := index.Folded(opts.Query)
	for _, r := range rows {
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
	if b.resident && opts.isWhole() {
		b.lastList.keep(list, began, b.warn)
	}
	return list, nil
}

// allRows are the sessions of whoever is wanted, the newest first.
func (b *Backend) allRows(ctx context.Context, opts ListOptions) ([]*row, error) {
	if b.library == nil || opts.Trash || opts.own() {
		own, err := b.ownRows(ctx, opts)
		return byAge(own), err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer amply()()
	var foreign []row
	var why error
	var beside sync.WaitGroup
	beside.Go(func() { foreign, why = b.foreignRows(ctx, opts) })
	own, err := b.ownRows(ctx, opts)
	if err != nil {
		cancel()
	}
	if beside.Wait(); err == nil {
		err = why
	}
	if err != nil {
		return nil, err
	}
	return byAge(own, foreign), nil
}

// row is a session with the time that lists are sorted by.
type row struct {
	Session
	at time.Time
}

// byAge are rows as lists have them, the newest first. They are large, and stay where they are.
func byAge(some ...[]row) []*row {
	count := 0
	for _, rows := range some {
		count += len(rows)
	}
	all := make([]*row, 0, count)
	for _, rows := range some {
		for i := range rows {
			all = append(all, &rows[i])
		}
	}
	slices.SortFunc(all, newestFirst)
	return all
}

func newestFirst(a, b *row) int {
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
		if text != nil && strings.Contains(index.Folded(*text), query) {
			return true
		}
	}
	if len(query) < idLeast { // else every third session has an id that begins so
		return strings.HasPrefix(index.Folded(r.ID), query)
	}
	return idBegins(r.ID, query)
}

// ownRows are the sessions that are ours, the newest first.
func (b *Backend) ownRows(ctx context.Context, opts ListOptions) ([]row, error) {
	all, err := b.store.List(ctx, session.ListOptions{Quick: opts.Quick, Trash: opts.Trash})
	rows := make([]row, 0, len(all))
	for i := range all {
		if summary := &all[i]; opts.keeps(summary) {
			rows = append(rows, row{sessionOf(summary), summary.LastMessageAt})
		}
	}
	return rows, err
}
