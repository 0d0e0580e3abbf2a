package backend

import (
	"context"
	"strings"

	"palimpsest/backend/digest"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

func aboutOwn(s *session.Summary) digest.About {
	a := digest.About{
		Agent: ownAgent, Title: s.Name, First: s.FirstMessage, Cwd: s.Cwd, Model: s.Model, Created: s.CreatedAt, Updated: s.LastMessageAt,
		Parent: s.ParentSessionID, Archived: s.ArchivedAt != nil, Path: s.Path, Key: s.Key, Source: s.Source,
	}
	if s.Agent != "" {
		a.Agent = s.Agent
	}
	if from := s.ImportedFrom; from != nil {
		a.Imported = library.Ref{Agent: from.Agent, ID: from.ID}.String()
	}
	if s.ParentSessionID != "" {
		a.Relation = string(sources.Fork)
	}
	return a
}

func aboutTheirs(f *sources.Found) digest.About {
	a := digest.About{
		Agent: f.Agent, Title: f.Title, First: f.FirstMessage, Cwd: f.Cwd, Model: f.Model, Created: f.CreatedAt, Updated: lastOf(f),
		Relation: string(f.Relation), Archived: f.Archived, Away: f.ArchivedAt, Release: f.Version,
	}
	if f.Parent != "" {
		a.Parent = library.Ref{Agent: f.Agent, ID: f.Parent}.String()
	}
	if len(f.Files) > 0 {
		a.Path = f.Files[0]
	}
	return a
}

// staysWith has what was copied from a session whose own files are gone count there as before: the index still has that, while only those
// could tell whose fork this is.
func (c *stock) staysWith(ctx context.Context, before *digest.Digest, opts *digest.Options) error {
	was, now := &before.About, &opts.About
	if was.Parent == "" || was.Parent == now.Parent {
		return nil
	}
	parent, there, err := c.index.Session(ctx, was.Parent)
	if err != nil {
		return faulty(err)
	}
	c.mu.Lock()
	found := c.theirs[was.Parent].found
	kept := found != nil && found.FromCopy
	c.mu.Unlock()
	if there && (parent.Gone || kept) {
		now.Parent, now.Relation, now.Created = was.Parent, was.Relation, was.Created
		if of, err := digest.Decode(parent.Digest); err != nil || !opts.Same || len(of.Parts) == 0 { // the names of what it says are not known
			opts.CopiedBefore = was.Created
		}
	}
	return nil
}

// about is what was found of a session that could not be read.
func (c *stock) about(id string) digest.About {
	c.mu.Lock()
	found := c.theirs[id].found
	c.mu.Unlock()
	if found != nil {
		return aboutTheirs(found)
	}
	own := session.Summary{Path: c.b.store.LogPath(id)} // the log may be what can't be read
	own.Metadata, _ = c.b.store.Metadata(id)
	if own.Log != nil {
		own.FirstMessage = own.Log.FirstMessage
	}
	return aboutOwn(&own)
}

func headOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	const most = 300
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
