package crabtalk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// Source is the sessions of CrabTalk.
type Source struct {
	// Databases keeps copies between calls; nil copies for each.
	Databases *sqlite.Cache
}

var _ sources.Source = Source{}

// Agent is crabtalk.
func (Source) Agent() string { return "crabtalk" }

// Capabilities says what is known of CrabTalk's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown, Note: "in databases, stores and folders with lines, those since the last compaction"},
		{What: "thinking", How: sources.Shown},
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Inferred, Note: "by a mark in the newer forms, else from the text of the output"},
		{What: "images", How: sources.Shown, Note: "where the newer forms have one"},
		{What: "usage", How: sources.Shown, Note: "of runs with one answer; of longer ones in the notes", Tokens: record.InputTokens | record.OutputTokens},
		{What: "cost", How: sources.Missing},
		{What: "model", How: sources.Inferred, Note: "from the end of the run, since 0.0.20"},
		{What: "cwd", How: sources.Shown, Note: "in the newest form"},
		{What: "title", How: sources.Shown},
		{What: "parent", How: sources.Missing},
		{What: "sub-agents", How: sources.Missing},
		{What: "branches", How: sources.Missing},
		{What: "compactions", How: sources.Shown, Note: "since 0.0.21 the summary is in the agent's memory; of those that it has not, only the last has one"},
		{What: "injected", How: sources.Missing, Note: "never kept"},
		{What: "version", How: sources.Missing},
	}
}

// Read reads a session.
func (s Source) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if len(found.Files) == 0 {
		return sources.ErrGone
	}
	if found.Problem != "" {
		return errors.New(found.Problem)
	}
	path, id := found.Files[0], cmp.Or(found.Row, found.ID)
	r := newReader(log, path)
	defer r.memory.close()
	var err error
	switch {
	case isStore(path):
		err = r.store(ctx, path, id)
	case inDatabase(path):
		err = s.readTables(ctx, env, r, path, id)
	case inFolder(path):
		err = r.folder(ctx, filepath.Dir(path))
	case strings.HasSuffix(path, ".jsonl"):
		err = r.lines(ctx, path, id)
	default:
		err = r.steps(ctx, filepath.Dir(path), id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return sources.ErrGone
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	r.flush()
	return log.Err()
}

// lines reads a file. A new title has changed its name since, perhaps.
func (r *reader) lines(ctx context.Context, path, id string) error {
	file, err := jsonl.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		for other := range jsonl.Walk(sources.Env{}, filepath.Dir(path), 0, ".jsonl") {
			if name, _ := split(strings.TrimSuffix(filepath.Base(other), ".jsonl")); name == id {
				file, err = jsonl.Open(other)
				break
			}
		}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return jsonl.Each(ctx, file, jsonl.Broken(r.log), func(line sources.Line, rec gjson.Result) error {
		return r.record(rec, fmt.Sprintf("line %d", line.Number))
	})
}
