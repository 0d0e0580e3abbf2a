//go:build !headless

package main

import (
	"palimpsest/backend"
	"palimpsest/backend/compaction"
)

// Committed names the record that a command appended.
type Committed struct {
	CommittedSeq int64 `json:"committedSeq"`
}

// Revert takes back a compaction or a prune, or a revert.
func (a *App) Revert(id string, seq int64) (c Committed, err error) {
	defer safely(&err)
	at, err := a.backend.Revert(a.ctx, id, seq)
	return Committed{at}, err
}

// Send takes a message for a session, or tries again. It returns when the message is on disk or in the queue.
func (a *App) Send(id string, m backend.Outgoing) (s backend.Sent, err error) {
	defer safely(&err)
	return a.backend.Send(a.ctx, id, m, nil)
}

// GiveUp asks what became of a message to which no answer came: one that was not taken is not any more.
func (a *App) GiveUp(id, key string) (g backend.GivenUp, err error) {
	defer safely(&err)
	return a.backend.GiveUp(a.ctx, id, key)
}

// EndTurn stops the running turn or withdraws a message that waits.
func (a *App) EndTurn(id, turnID string) (e backend.Ended, err error) {
	defer safely(&err)
	return a.backend.EndTurn(id, turnID)
}

// Answer answers what a turn asks before it runs a call.
func (a *App) Answer(id, turnID string, r backend.Response) (s backend.Answered, err error) {
	defer safely(&err)
	return a.backend.Answer(a.ctx, id, turnID, r)
}

// UndoFiles takes back what tools changed in files between two records; a dry run only shows it.
func (a *App) UndoFiles(id string, o backend.UndoOptions) (u backend.FileUndo, err error) {
	defer safely(&err)
	return a.backend.UndoFiles(a.ctx, id, o)
}

// StartDraft has the summary of a compaction written in the background.
func (a *App) StartDraft(id string, r backend.DraftRequest) (d backend.DraftState, err error) {
	defer safely(&err)
	return a.backend.StartDraft(a.ctx, id, r)
}

// CancelDraft stops a draft and forgets it.
func (a *App) CancelDraft(id, draftID string) (err error) {
	defer safely(&err)
	return a.backend.CancelDraft(id, draftID)
}

// Fidelity tells what a summary keeps of what it would replace.
func (a *App) Fidelity(id string, m backend.Measure) (f *compaction.Fidelity, err error) {
	defer safely(&err)
	return a.backend.Measure(a.ctx, id, m)
}

// Compact commits a compaction.
func (a *App) Compact(id string, r backend.Compact) (c backend.Compacted, err error) {
	defer safely(&err)
	return a.backend.Compact(a.ctx, id, r)
}
