package backend

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"palimpsest/backend/compaction"
	"palimpsest/backend/digest"
	"palimpsest/backend/session"
)

// LedgerEntry is one compaction of one session.
type LedgerEntry struct {
	ID           string  `json:"id"`
	Agent        string  `json:"agent"`
	Title        *string `json:"title"`
	Cwd          *string `json:"cwd"`
	Seq          int64   `json:"seq"`
	Index        int     `json:"index"`
	Time         *string `json:"time"`
	Trigger      string  `json:"trigger"`
	Model        *string `json:"model"`
	TokensBefore *int64  `json:"tokensBefore"`
	TokensAfter  *int64  `json:"tokensAfter"`
	Messages     *int    `json:"messages"`
	State        State   `json:"state"`
	// OfSession is which of the session's compactions it is, from 1, and InSession how many there are.
	OfSession int `json:"ofSession"`
	InSession int `json:"inSession"`
	// Copied tells that another session has it, too, and counts it.
	Copied bool `json:"copied"`
	// Fidelity is what it kept of what it replaced, if that was asked for and can be told.
	Fidelity *compaction.Fidelity `json:"fidelity,omitempty"`

	at time.Time
}

// Ledger is a part of all compactions, the newest first. Of the Total, those that are Copied are in other sessions as well, and count there.
type Ledger struct {
	Entries  []LedgerEntry `json:"entries"`
	Total    int           `json:"total"`
	Copied   int           `json:"copied"`
	Cursor   *string       `json:"cursor"`
	Coverage Coverage      `json:"coverage"`
}

// LedgerOptions keep compactions of one agent, project, model, trigger or session, and of sessions that were compacted at least Min times, with
// what they have copied.
type LedgerOptions struct {
	Agent, Project, Model, Trigger, Session string
	Min, Limit                              int
	Cursor                                  string
	// Facts asks for the fidelity of each: their sessions are read for it.
	Facts bool
}

const (
	ledgerDefault = 200
	ledgerMost    = 1000
)

// Ledger lists the compactions that the index knows.
func (b *Backend) Ledger(ctx context.Context, opts LedgerOptions) (Ledger, error) {
	from := 0
	if opts.Cursor != "" {
		var err error
		if from, err = strconv.Atoi(opts.Cursor); err != nil || from < 0 {
			return Ledger{}, fmt.Errorf("%w: %q is not a cursor of the ledger", session.ErrInput, opts.Cursor)
		}
	}
	if opts.Limit <= 0 {
		opts.Limit = ledgerDefault
	}
	all, coverage, err := b.covered(ctx)
	if err != nil {
		return Ledger{}, err
	}
	entries, copies := []LedgerEntry{}, copiedIn(all)
	for id, d := range all {
		if opts.keeps(id, d.Digest) {
			entries = opts.take(entries, id, d.Digest, copies.are(id, d.Ledger))
		}
	}
	slices.SortFunc(entries, func(a, b LedgerEntry) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.ID, a.ID), cmp.Compare(b.Index, a.Index))
	})
	out := Ledger{Total: len(entries), Coverage: coverage}
	for i := range entries {
		if entries[i].Copied {
			out.Copied++
		}
	}
	from = min(from, len(entries))
	to := min(from+min(opts.Limit, ledgerMost), len(entries))
	out.Entries = entries[from:to]
	for i := range out.Entries {
		if e := &out.Entries[i]; opts.Facts && b.Prepare(ctx, e.ID) == nil {
			e.Fidelity, _ = b.Fidelity(e.ID, e.Seq) // what can't be read tells nothing
		}
	}
	if err := ctx.Err(); err != nil {
		return Ledger{}, fmt.Errorf("reading for the ledger: %w", err)
	}
	if to < len(entries) {
		out.Cursor = known(strconv.Itoa(to))
	}
	return out, nil
}

func (o *LedgerOptions) keeps(id string, d *digest.Digest) bool {
	return (o.Session == "" || o.Session == id) && (o.Agent == "" || o.Agent == d.About.Agent) && len(d.Ledger) >= max(o.Min, 1) &&
		inProject(d.About.Cwd, o.Project)
}

func (o *LedgerOptions) take(entries []LedgerEntry, id string, d *digest.Digest, copied []bool) []LedgerEntry {
	for i := range d.Ledger {
		c := &d.Ledger[i]
		trigger := cmp.Or(c.Trigger, "unknown")
		if o.Model != "" && o.Model != c.Model || o.Trigger != "" && o.Trigger != trigger {
			continue
		}
		entry := LedgerEntry{
			ID: id, Agent: d.About.Agent, Title: known(d.About.Title), Cwd: known(d.About.Cwd), Seq: c.Seq, Index: c.Line, Trigger: trigger,
			Model: known(c.Model), TokensBefore: c.Before, TokensAfter: c.After, Messages: c.Messages, State: State(c.State),
			OfSession: i + 1, InSession: len(d.Ledger), Copied: copied[i],
		}
		if entry.Title == nil {
			entry.Title = known(d.About.First)
		}
		if c.Time != nil {
			entry.at, entry.Time = *c.Time, known(stamp(*c.Time))
		}
		entries = append(entries, entry)
	}
	return entries
}
