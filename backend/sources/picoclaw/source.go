package picoclaw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// Source is the sessions of PicoClaw.
type Source struct {
	// Databases keeps copies between calls; nil copies for each.
	Databases *sqlite.Cache
}

var _ sources.Source = Source{}

// Agent is picoclaw.
func (Source) Agent() string { return "picoclaw" }

// Capabilities says what is known of PicoClaw's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown, Note: "those that were summarized are gone from its files, unless seahorse summarizes"},
		{What: "thinking", How: sources.Shown},
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Inferred, Note: "told from the text of the output"},
		{What: "images", How: sources.Shown, Note: "those that are in the file; of others only the reference"},
		{What: "usage", How: sources.Missing},
		{What: "cost", How: sources.Missing},
		{What: "model", How: sources.Shown},
		{What: "cwd", How: sources.Missing},
		{What: "title", How: sources.Shown, Note: "the name of the channel and its conversation"},
		{What: "parent", How: sources.Missing},
		{What: "sub-agents", How: sources.Missing},
		{What: "branches", How: sources.Missing},
		{What: "compactions", How: sources.Shown, Note: "the last summary only; all where the settings name seahorse, but for what is left out of a request for want of room"},
		{What: "injected", How: sources.Missing},
		{What: "version", How: sources.Missing},
	}
}

// Read reads a session.
func (s Source) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	file, err := jsonl.OpenSession(found)
	if err != nil {
		return err
	}
	defer file.Close()
	path, id := file.Path, cmp.Or(found.Row, found.ID)
	r := &reader{log: log}
	if strings.HasSuffix(path, ".jsonl") {
		meta := readMeta(path)
		if meta.key != "" && meta.key != id {
			return fmt.Errorf("%s holds another session now: %w", path, sources.ErrGone)
		}
		log.Unread("what says which messages the model has, beside the session,", meta.unread)
		r.summary = meta.summary
		if r.kept, err = behind(ctx, io.NewSectionReader(file, 0, file.Size), meta.skip); err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		r.recall, err = s.recalled(ctx, env, path, namesOf(&found, meta))
		if err != nil && ctx.Err() != nil {
			return err
		}
		if log.Unread("the database that says what the model sees of the session,", err); r.recall != nil {
			defer r.recall.close()
		}
		err = r.lines(ctx, file)
	} else {
		err = r.object(file, id)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	r.compact() // if fewer lines are left than it hides
	if r.recall != nil {
		if err := r.catchUp(r.recall.messages.Len()); err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return log.Err()
}

// lines reads the lines of later versions: twice where it has to be known first which messages of a database they are.
func (r *reader) lines(ctx context.Context, file *jsonl.File) error {
	message := func(line sources.Line, rec gjson.Result) error { return r.message(rec, line.Offset) }
	if r.recall == nil {
		return jsonl.Each(ctx, file, r.broken, message)
	}
	var twice jsonl.Twice
	var says many.List[uint64]
	err := twice.First(ctx, io.NewSectionReader(file, 0, file.Size), func(line sources.Line, rec gjson.Result) error {
		if line.Offset >= r.kept {
			says.Add(alike(rec))
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.recall.lines = match(&says, &r.recall.says)
	return twice.Second(ctx, io.NewSectionReader(file, 0, file.Size), r.broken, message)
}

// object reads the one object of early versions.
func (r *reader) object(file io.ReaderAt, id string) error {
	object, err := jsonl.OpenDocument(file, "messages")
	if err != nil {
		return err
	}
	if key := jsonl.Text(object.Get("key")); key != "" && key != id {
		return fmt.Errorf("it holds another session now: %w", sources.ErrGone)
	}
	r.summary = jsonl.Text(object.Get("summary"))
	return object.Each(r.log, func(rec gjson.Result) error { return r.message(rec, 0) })
}

// behind is where what is left begins, once so many lines are hidden. As PicoClaw counts them, all do that are not empty, whether anybody
// can read them or not.
func behind(ctx context.Context, file io.Reader, hidden int64) (int64, error) {
	if hidden <= 0 {
		return 0, nil
	}
	end, enough := int64(0), errors.New("enough")
	err := sources.Lines(ctx, file, func(line sources.Line) error {
		end = line.Offset + line.Length
		if len(line.Text) > 0 || line.Text == nil {
			hidden--
		}
		if hidden == 0 {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return end, err
}
