package backend

import (
	"cmp"
	"context"
	"errors"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// ownAgent is what our sessions are said to be of, beside those of other agents.
const ownAgent = "palimpsest"

// foreignRows are the sessions of other agents. What can't be looked for is warned of, and hides none of the others.
func (b *Backend) foreignRows(ctx context.Context, opts ListOptions) ([]row, error) {
	remembered := b.remembered(ctx)
	listing, err := b.listing(ctx)
	if err == nil && !opts.Quick && b.catchUpFew(ctx) {
		listing, err = b.listing(ctx)
	}
	if err != nil {
		return nil, err
	}
	if b.resident && b.indexing.dir != "" {
		b.firstList.note(listing.Found)
	}
	told := remembered()
	for _, problem := range listing.Problems {
		b.warn(problem)
	}
	children := childrenOf(listing.Found, listing.Hidden)
	kept := b.library.Kept()
	rows := make([]row, 0, len(listing.Found))
	of := make([]*sources.Found, 0, len(listing.Found))
	for _, found := range listing.Found {
		if opts.Agent != "" && found.Agent != opts.Agent || children.hides(found) && !opts.Subagents {
			continue
		}
		r := row{b.sessionOf(found), lastOf(found)}
		r.Children = children.of[library.Ref{Agent: found.Agent, ID: found.ID}]
		r.known(found, &told, kept)
		rows, of = append(rows, r), append(of, found)
	}
	if !opts.Quick {
		b.recount(rows, of, &told)
		b.countFew(ctx, rows, of)
	}
	rows = append(rows, hiddenRows(&listing, opts, children, &told)...)
	return append(rows, told.gone(ctx, listing, opts, b.reach, b.library.Standing)...), nil
}

// hiddenRows are the sessions in folders that do not answer, as they were when they did. Nothing is looked at for them.
func hiddenRows(listing *library.Listing, opts ListOptions, children children, told *remembrance) (rows []row) {
	for _, found := range listing.Hidden {
		if opts.Agent != "" && found.Agent != opts.Agent || children.hides(found) && !opts.Subagents {
			continue
		}
		r := row{foreignOf(found), lastOf(found)}
		r.Children = children.of[library.Ref{Agent: found.Agent, ID: found.ID}]
		if brief, ok := told.briefs[r.ID]; ok && brief.Lines > 0 {
			r.briefed(brief)
		}
		r.Gone, r.Problem = true, known(unreachable(listing.Silent[found.Agent]))
		rows = append(rows, r)
	}
	return rows
}

// remember puts in what the index knows of a session of which nothing can be read now.
func (r *row) remember(found *sources.Found, told *remembrance) {
	indexed, there := told.whole(r.ID)
	if !there {
		return
	}
	if was, ok := wasIn(&indexed); ok {
		r.at = was.at
		r.before(found, &was.Session)
	}
}

// known puts in what the index or else a reading tells.
func (r *row) known(found *sources.Found, told *remembrance, kept func(*sources.Found) (session.Summary, bool)) {
	if brief, ok := told.briefs[r.ID]; ok && brief.Lines > 0 {
		r.briefed(brief)
		r.copiedFrom(brief.From)
		if found.Problem != "" {
			r.remember(found, told)
		}
	} else if summary, ok := kept(found); ok {
		r.counted(summary)
	}
}

// wasIn is a session as it was when the index read it; false if it never could.
func wasIn(indexed *index.Session) (was row, ok bool) {
	d, err := digest.Recall(indexed.Digest)
	if err != nil || d.Lines == 0 {
		return row{}, false
	}
	return goneRow(&digested{d, indexed.ID, indexed.Updated, false}, nil), true
}

// before puts in what was known of a session of which nothing can be read now: the time that was found is its file's.
func (s *Session) before(found *sources.Found, before *Session) {
	s.CreatedAt, s.LastMessageAt = before.CreatedAt, before.LastMessageAt
	s.Name, s.Title = cmp.Or(s.Name, before.Name), cmp.Or(s.Title, before.Title)
	s.FirstMessage, s.Cwd = cmp.Or(s.FirstMessage, before.FirstMessage), cmp.Or(s.Cwd, before.Cwd)
	s.Model, s.AgentVersion = cmp.Or(s.Model, before.Model), cmp.Or(s.AgentVersion, before.AgentVersion)
	if found.Archived {
		s.archived(found.ArchivedAt)
	}
}

func lastOf(found *sources.Found) time.Time {
	if found.UpdatedAt.IsZero() {
		return found.CreatedAt
	}
	return found.UpdatedAt
}

// begunOf is when a session was begun: where nothing says, not after the last that is known of it.
func begunOf(found *sources.Found) time.Time {
	if found.CreatedAt.IsZero() {
		return lastOf(found)
	}
	return found.CreatedAt
}

// sessionOf is foreignOf, where only the copy is told to be left if that is known.
func (b *Backend) sessionOf(found *sources.Found) Session {
	out := foreignOf(found)
	out.FromCopy = found.FromCopy && !b.library.Unlooked(library.Ref{Agent: found.Agent, ID: found.ID})
	return out
}

func foreignOf(found *sources.Found) Session {
	out := Session{
		ID: library.Ref{Agent: found.Agent, ID: found.ID}.String(), Name: known(found.Title), Title: known(found.Title),
		CreatedAt: stamp(begunOf(found)), LastMessageAt: stamp(lastOf(found)), Model: found.Model, Source: session.SourceInteractive,
		MessageCount: found.Messages, Compactions: found.Compactions, Cwd: known(found.Cwd), FirstMessage: known(found.FirstMessage),
		Agent: known(found.Agent), AgentVersion: known(found.Version), Foreign: true, Relation: known(string(found.Relation)),
		Problem: known(found.Problem), FromCopy: found.FromCopy,
	}
	if found.Problem != "" { // what was counted is not all there was
		out.MessageCount, out.Compactions = nil, nil
	}
	if !found.KeptAt.IsZero() {
		out.KeptAt = known(stamp(found.KeptAt))
	}
	if found.EarlierOf != "" {
		out.EarlierOf = known(library.Ref{Agent: found.Agent, ID: found.EarlierOf}.String())
	}
	if found.Parent != "" {
		out.Parent = known(library.Ref{Agent: found.Agent, ID: found.Parent}.String())
	}
	if found.Archived {
		out.archived(found.ArchivedAt)
	}
	if len(found.Files) > 0 {
		out.Path = found.Files[0]
	}
	return out
}

// archived notes that its agent put it away. Where nothing says when, it was not before its last message.
func (s *Session) archived(at time.Time) {
	s.ArchivedAt = known(s.LastMessageAt)
	if !at.IsZero() {
		s.ArchivedAt = known(stamp(at))
	}
}

// counted puts in what only reading a session tells.
func (s *Session) counted(read session.Summary) {
	s.MessageCount, s.Compactions = &read.MessageCount, &read.Compactions
	if s.FirstMessage == nil {
		s.FirstMessage = known(typed(read.FirstMessage))
	}
	if s.Model == "" {
		s.Model = read.Model
	}
}

// typed is what was said first in another agent's session, by its log, as its source would have told of it: nothing if its agent said that.
func typed(first string) string {
	if !jsonl.Typed(first) {
		return ""
	}
	return jsonl.OneLine(first)
}

// getForeign finds a session of another agent, and reads none of it.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: it is a cheap search, or none
func (b *Backend) getForeign(id string) (Session, error) {
	ref, err := library.ParseRef(id)
	if err != nil {
		return Session{}, err
	}
	if b.library == nil {
		return Session{}, b.withoutAgents(ref)
	}
	found, err := b.library.Lookup(context.Background(), ref)
	if err != nil {
		return b.getGone(ref, err)
	}
	out := b.sessionOf(&found)
	if beside, err := b.library.Beside(context.Background(), ref); err == nil { // else it has gone since then
		out.Children = childrenOf(beside).of[ref]
	}
	if summary, ok := b.library.Kept()(&found); ok {
		out.counted(summary)
	}
	if indexed, there := b.indexed(out.ID); there {
		brief, _ := digest.BriefOf(indexed.Digest)
		out.copiedFrom(brief.From)
		if brief.Lines > 0 && found.Problem == "" && sameStamp(b.indexing.stock.here(indexed.Stamp), b.indexing.stock.stampTheirs(&found)) {
			out.briefed(brief)
		}
		if was, ok := wasIn(&indexed); ok && found.Problem != "" {
			out.before(&found, &was.Session)
		}
	}
	return out, nil
}

// getGone is a session that is not found, as the index remembers it.
func (b *Backend) getGone(ref library.Ref, why error) (Session, error) {
	if !isVanished(b.whyNotThere(context.Background(), ref, why)) {
		return Session{}, why
	}
	all, err := b.digests(context.Background())
	if err != nil {
		return Session{}, errors.Join(why, err)
	}
	d, ok := all[ref.String()]
	if !ok {
		return Session{}, why
	}
	return goneRow(&d, b.hidden(context.Background(), ref, d.About.Path)).Session, nil
}

// Agent is another agent whose sessions can be read.
type Agent struct {
	Name string `json:"name"`
	// Roots are where its sessions can be, whether they are there or not.
	Roots []string `json:"roots"`
	Count int      `json:"count"`
	// Problem is why its sessions could not be looked for, nil if they could.
	Problem *string `json:"problem"`
	// Capabilities say what is read of its sessions.
	Capabilities []sources.Capability `json:"capabilities"`
}

// Agents looks for the sessions of other agents.
func (b *Backend) Agents(ctx context.Context) ([]Agent, error) {
	out := []Agent{}
	if b.library == nil {
		return out, nil
	}
	agents, err := b.library.Agents(ctx)
	for _, a := range agents {
		told := Agent{Name: a.Name, Roots: append([]string{}, a.Roots...), Count: a.Count, Capabilities: a.Capabilities}
		if a.Problem != nil {
			told.Problem = known(a.Problem.Error())
		}
		out = append(out, told)
	}
	return out, err
}
