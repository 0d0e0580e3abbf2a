package copies

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"palimpsest/backend/sources"
)

// schemaVersion is that of the list of a copy.
const schemaVersion = 1

// Copy is a session as it was kept.
type Copy struct {
	SchemaVersion int    `json:"schemaVersion"`
	Agent         string `json:"agent"`
	ID            string `json:"id"`
	// Of is the session that this is an earlier state of, empty for the last that was kept.
	Of      string    `json:"of,omitempty"`
	KeptAt  time.Time `json:"keptAt"`
	Session Session   `json:"session"`
	// Files are the main one first.
	Files []File `json:"files"`
}

// Session is what lists show of it.
type Session struct {
	Version      string           `json:"version,omitempty"`
	Title        string           `json:"title,omitempty"`
	FirstMessage string           `json:"firstMessage,omitempty"`
	Cwd          string           `json:"cwd,omitempty"`
	Model        string           `json:"model,omitempty"`
	CreatedAt    time.Time        `json:"createdAt"`
	UpdatedAt    time.Time        `json:"updatedAt"`
	Messages     *int             `json:"messages,omitempty"`
	Compactions  *int             `json:"compactions,omitempty"`
	Parent       string           `json:"parent,omitempty"`
	Relation     sources.Relation `json:"relation,omitempty"`
	Call         string           `json:"call,omitempty"`
	Key          string           `json:"key,omitempty"`
	Archived     bool             `json:"archived,omitempty"`
	ArchivedAt   time.Time        `json:"archivedAt,omitzero"`
}

// File is one file of a copy.
type File struct {
	// Path is below a home directory, with slashes.
	Path       string    `json:"path"`
	Size       int64     `json:"size"`
	ModifiedAt time.Time `json:"modifiedAt"`
	SHA256     string    `json:"sha256"`
}

// Bytes is what the files of a copy hold together.
func (c *Copy) Bytes() int64 {
	var sum int64
	for _, file := range c.Files {
		sum += file.Size
	}
	return sum
}

// Found is the copy as a source would have found it.
func (c *Copy) Found(list string) sources.Found {
	s := &c.Session
	found := sources.Found{
		Agent: c.Agent, ID: c.ID, Version: s.Version, Title: s.Title, FirstMessage: s.FirstMessage, Cwd: s.Cwd, Model: s.Model,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, Messages: s.Messages, Compactions: s.Compactions, Parent: s.Parent,
		Relation: s.Relation, Call: s.Call, Key: s.Key, Archived: s.Archived, ArchivedAt: s.ArchivedAt, Files: []string{list}, Bytes: c.Bytes(), KeptAt: c.KeptAt,
		FromCopy: true,
	}
	if c.Of != "" { // it is no subagent any more: that is the one it is a state of
		found.EarlierOf, found.Parent, found.Relation, found.Call, found.Key = c.Of, c.Of, sources.Fork, "", ""
	}
	return found
}

// earlier is a copy that another is about to take the place of, as one of its own. Its name says what is in it: the same state is the
// same copy.
func (c Copy) earlier() Copy {
	const enough, most = 8, 400
	c.Of = c.ID
	sum := sha256.New()
	for _, file := range c.Files {
		_, _ = io.WriteString(sum, file.SHA256) // it never fails
	}
	c.ID = strings.ToValidUTF8(c.ID[:min(len(c.ID), most)], "") + "@" + hex.EncodeToString(sum.Sum(nil))[:enough]
	return c
}

// New is a copy that is to be made of a session.
func New(f *sources.Found, at time.Time) Copy {
	return Copy{
		SchemaVersion: schemaVersion, Agent: f.Agent, ID: f.ID, KeptAt: at,
		Session: Session{
			Version: f.Version, Title: f.Title, FirstMessage: f.FirstMessage, Cwd: f.Cwd, Model: f.Model, CreatedAt: f.CreatedAt,
			UpdatedAt: f.UpdatedAt, Messages: f.Messages, Compactions: f.Compactions, Parent: f.Parent, Relation: f.Relation, Call: f.Call, Key: f.Key,
			Archived: f.Archived, ArchivedAt: f.ArchivedAt,
		},
	}
}

// Errors of this package.
var (
	// ErrNone is returned where a session was not kept.
	ErrNone = errors.New("no copy of it was kept")
	// ErrDamaged is returned where a copy is not what it was.
	ErrDamaged = errors.New("the copy is damaged")
	errNewer   = fmt.Errorf("%w: it was made by a newer version of this program", ErrDamaged)
)
