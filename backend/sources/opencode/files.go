package opencode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// row is a message or a part: its id and what is written of it, nil if that is too long or, as err says, can't be read. Valid until the
// next is visited.
type row struct {
	id    string
	data  []byte
	bytes int64
	err   error
}

// files are the records of one session, each in a file of its own.
type files struct {
	tree *glean.Tree
	// messageDir holds the session's messages, and partDir a directory for each message.
	messageDir, partDir string
	// opened is messageDir while messages are read one by one, nil if it can't be opened.
	opened *glean.Folder
}

// layout is a directory with sessions. Before 0.6 each project had one; then there was one for all.
type layout struct {
	base string // storage, or project/<name>/storage/session
	old  bool
}

func (l layout) files(tree *glean.Tree, id string) files {
	f := files{tree: tree, messageDir: filepath.Join(l.base, "message", id), partDir: filepath.Join(l.base, "part")}
	if l.old {
		f.partDir = filepath.Join(f.partDir, id)
	}
	return f
}

// filesOf are the records of a session: they are called as its file is, or by its id where somebody gave the file another name.
func filesOf(tree *glean.Tree, name, id string) files {
	at := layoutOf(name)
	from := at.files(tree, idOf(name))
	if !tree.IsDir(from.messageDir) && id != "" && filepath.Base(id) == id {
		return at.files(tree, id)
	}
	return from
}

// layoutOf is that of a session's file, storage/session/<project>/<id>.json or project/<name>/storage/session/info/<id>.json.
func layoutOf(name string) layout {
	dir := filepath.Dir(name)
	if filepath.Base(dir) == "info" && filepath.Base(filepath.Dir(dir)) == "session" && strings.HasPrefix(filepath.ToSlash(name), "project/") {
		return layout{filepath.Dir(dir), true}
	}
	return layout{filepath.Dir(filepath.Dir(dir)), false}
}

func readFiles(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	tree, err := glean.OpenTree(dataDir(env))
	if err != nil {
		return gone(err)
	}
	defer tree.Close()
	name, ok := tree.Inside(found.Files[0])
	if !ok {
		return sources.ErrGone
	}
	data, err := readText(tree, name, sources.LineMost)
	if err != nil {
		return gone(err)
	}
	one, ok := parseSession(data)
	if from := filesOf(tree, name, ""); !ok && !from.any() {
		return fmt.Errorf("%s is no session of opencode's, or is being written", found.Files[0])
	}
	if one.id == "" {
		one.id = idOf(name)
	}
	if one.id != found.ID {
		return sources.ErrGone
	}
	if !ok { // what was said is in files of its own
		missing(log, row{id: one.id, data: data, bytes: int64(len(data))}, "session")
	}
	from := filesOf(tree, name, one.id)
	if from.opened, err = tree.Folder(from.messageDir); err == nil {
		defer from.opened.Close()
	}
	return read(ctx, from, one, tree, log)
}

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return sources.ErrGone
	}
	return err
}

// any tells whether there are messages.
func (f files) any() bool {
	entries, _ := f.tree.ReadDir(f.messageDir) // what can't be looked into has none that can be read
	return len(entries) > 0
}

func idOf(name string) string { return strings.TrimSuffix(filepath.Base(name), ".json") }

func (f files) messages(ctx context.Context, visit func(row) error) error {
	return f.each(ctx, f.messageDir, visit)
}

func (f files) message(_ context.Context, id string) (row, error) {
	if f.opened != nil {
		return recordIn(f.opened, id+".json")
	}
	return recordIn(f.tree, filepath.Join(f.messageDir, id+".json"))
}

func (f files) parts(ctx context.Context, message string, visit func(row) error) error {
	if !filepath.IsLocal(message) {
		return nil
	}
	return f.each(ctx, filepath.Join(f.partDir, message), visit)
}

// each visits the records of a directory; ids rise with time.
func (f files) each(ctx context.Context, dir string, visit func(row) error) error {
	folder, err := f.tree.Folder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	names, err := folder.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		r, err := recordIn(folder, name)
		if err != nil {
			return err
		}
		if r.id == "" {
			continue
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// texts are a tree, or a folder of one.
type texts interface {
	ReadFile(name string, most int64) ([]byte, error)
}

// readText is the text of a file, without what an editor may have put before it.
func readText(in texts, name string, most int64) ([]byte, error) {
	data, err := in.ReadFile(name, most)
	return jsonl.Unmarked(data), err
}

// recordIn reads one record. Its writer truncates the file before it writes it anew, so what is no JSON is read once more. One that went while
// the session was read, and what is no file, has no id.
func recordIn(in texts, name string) (row, error) {
	for again := true; ; again = false {
		data, err := readText(in, name, sources.LineMost)
		large, tooLarge := errors.AsType[*glean.LargeError](err)
		switch {
		case tooLarge:
			return row{id: idOf(name), bytes: large.Bytes}, nil
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, glean.ErrNoFile):
			return row{}, nil
		case err != nil:
			return row{id: idOf(name), err: err}, nil //nolint:nilerr // it is told of; the rest is worth having
		case wellformed.JSON(data) || !again:
			return row{id: idOf(name), data: data, bytes: int64(len(data))}, nil
		}
	}
}
