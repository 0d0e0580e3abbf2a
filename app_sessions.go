//go:build !headless

package main

import (
	"palimpsest/backend"
	"palimpsest/backend/session"
)

// Rename gives a session a name; an empty one clears it.
func (a *App) Rename(id, name string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Rename(a.ctx, id, name)
}

// Archive takes a session out of the list.
func (a *App) Archive(id string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Archive(a.ctx, id, true)
}

// Unarchive puts a session back into the list.
func (a *App) Unarchive(id string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Archive(a.ctx, id, false)
}

// Trashed names a session that was moved.
type Trashed struct {
	ID string `json:"id"`
}

// Trash moves a session to the trash.
func (a *App) Trash(id string) (t Trashed, err error) {
	defer safely(&err)
	return Trashed{id}, a.backend.Trash(a.ctx, id)
}

// Restore brings a session back from the trash.
func (a *App) Restore(id string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Restore(id)
}

// RestoreMany brings sessions back from the trash.
func (a *App) RestoreMany(ids []string) (r backend.RestoredMany, err error) {
	defer safely(&err)
	return a.backend.RestoreMany(a.ctx, ids)
}

// Fork makes a new session from this one, whole (atSeq 0) or up to a record.
func (a *App) Fork(id string, atSeq int64) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Fork(id, atSeq)
}

// Import makes a session of another agent one of ours, or brings the copy up to date that was made before.
func (a *App) Import(id string) (made backend.Import, err error) {
	defer safely(&err)
	return a.backend.Import(a.ctx, id)
}

// Keep copies sessions of other agents, so that they stay when those delete them.
func (a *App) Keep(ids []string) (kept []backend.Kept, err error) {
	defer safely(&err)
	return a.backend.Keep(a.ctx, ids)
}

// DropCopies removes such copies, and says which.
func (a *App) DropCopies(ids []string) (dropped []string, err error) {
	defer safely(&err)
	return a.backend.DropCopies(a.ctx, ids)
}

// Forget forgets sessions whose files are gone.
func (a *App) Forget(ids []string) (forgotten []backend.Forgotten, err error) {
	defer safely(&err)
	return a.backend.Forget(a.ctx, ids)
}

// CleanUp moves old sessions of ours to the trash, or tells which it would move.
func (a *App) CleanUp(asked backend.CleanupPart) (cleaned backend.CleanedPart, err error) {
	defer safely(&err)
	return a.backend.CleanUpPart(a.ctx, asked)
}

// Create makes a session, for the first message of a new conversation.
func (a *App) Create(n backend.NewSession) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.New(n)
}

// SetPermissions replaces the rules for tools of a session, made from those in base.
func (a *App) SetPermissions(id string, rules, base []session.Permission) (p backend.Permissions, err error) {
	defer safely(&err)
	return a.backend.SetPermissions(a.ctx, id, rules, base)
}

// Leave notes that the window no longer shows a session whose opening it asked for.
func (a *App) Leave(id, viewer string) (err error) {
	defer safely(&err)
	return a.backend.Leave(id, viewer)
}

// AddSample creates the sample conversation.
func (a *App) AddSample() (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.AddSample()
}

// Export writes a session, without its secrets, into a folder that the user chose.
func (a *App) Export(id, format, folder string) (made backend.Exported, err error) {
	defer safely(&err)
	return a.backend.ExportTo(a.ctx, id, backend.ExportOptions{Format: format}, folder)
}
