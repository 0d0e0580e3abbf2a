package crabtalk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// The files of a session that has a folder with lines: its messages since the last compaction, its metadata, what is told of its runs, and
// the name under which the agent's memory has the last summary.
const (
	messagesName = "messages.jsonl"
	metaName     = "meta.json"
	eventsName   = "events.jsonl"
	archiveName  = "archive"
)

// inFolder tells whether a file is one of those.
func inFolder(path string) bool {
	return slices.Contains([]string{messagesName, metaName, eventsName, archiveName}, filepath.Base(path))
}

// folderRoots are CrabTalk's directory and those of programs that keep folders with lines beside its stores, as that for code does.
func folderRoots(root string) []string {
	roots := []string{root}
	entries, _ := os.ReadDir(filepath.Join(root, storesName)) // what was read before an error counts; missing is usual
	for _, entry := range entries {
		if entry.IsDir() {
			roots = append(roots, filepath.Join(root, storesName, entry.Name()))
		}
	}
	return roots
}

// handleOf is the session that a folder is named after, which for some programs is the directory that they work in.
func handleOf(name string) string {
	if plain, err := url.PathUnescape(name); err == nil && plain != "" {
		return plain
	}
	return name
}

// findFolders tells of the sessions that have a folder with lines.
func findFolders(dir string, tell func(sources.Found)) {
	entries, _ := os.ReadDir(dir) // what was read before an error counts; missing is usual
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		f := sources.Found{Agent: Source{}.Agent(), ID: handleOf(entry.Name())}
		for _, name := range []string{messagesName, metaName, eventsName, archiveName} {
			peekInto(filepath.Join(dir, entry.Name(), name), &f)
		}
		if len(f.Files) > 0 {
			tell(f)
		}
	}
}

// peekInto looks at one of the files, if it is there.
func peekInto(path string, f *sources.Found) {
	file, err := jsonl.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	name := filepath.Base(path)
	own := name == messagesName || name == metaName // without these there is no session
	if own {
		f.Files = append(f.Files, path)
	}
	if err != nil {
		if own {
			f.Problem = "The file can't be read: " + err.Error()
		}
		return
	}
	defer file.Close()
	if f.Bytes += file.Size; file.ModTime.After(f.UpdatedAt) {
		f.UpdatedAt = file.ModTime
	}
	if !own { // what it says is read with the session, and in none of its files
		f.Beside += fmt.Sprintf("%s %d %d ", name, file.Size, file.ModTime.UnixNano())
	}
	switch name {
	case archiveName: // that it is another one is all there is to know, and what the memory has under the name in it
		entry := memoryOfSession(path).entry(strings.TrimSpace(string(beginning(path))))
		if info, err := os.Stat(entry); err == nil {
			f.Beside += fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
		}
	case metaName:
		peek(gjson.ParseBytes(beginning(path)), true, f)
	default:
		for line := range file.Forward() {
			peek(gjson.ParseBytes(line), false, f)
		}
		if f.FirstMessage == "" && name == messagesName {
			peek(gjson.ParseBytes(file.Cut()), false, f)
		}
	}
}

// folder reads a folder with lines.
func (r *reader) folder(ctx context.Context, dir string) error {
	tree, err := glean.OpenTree(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	for _, name := range []string{metaName, archiveName} {
		data, err := tree.ReadFile(name, sources.LineMost)
		switch data = jsonl.Unmarked(data); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			r.log.Unread(name, err)
		case name == archiveName:
			last := strings.TrimSpace(string(data))
			r.earlier(last, handleOf(filepath.Base(dir)), r.memory.text)
			r.archived(last, !strings.ContainsFunc(last, unicode.IsSpace)) // a name has none
		case !gjson.ValidBytes(data):
			r.log.Broken(data)
		default:
			_ = r.record(gjson.ParseBytes(data), name) // as the log says
		}
		if err := r.log.Err(); err != nil {
			return err
		}
	}
	r.begun = true
	for _, name := range []string{messagesName, eventsName} {
		r.flush() // which answer a run ended with is not told
		if err := r.linesIn(ctx, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// linesIn reads the lines of a file, if it is there.
func (r *reader) linesIn(ctx context.Context, path string) error {
	file, err := jsonl.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil && filepath.Base(path) == eventsName { // what was said is worth having without it
		r.log.Unread(eventsName, err)
		return r.log.Err()
	}
	if err != nil {
		return err
	}
	defer file.Close()
	kind := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	return jsonl.Each(ctx, file, jsonl.Broken(r.log), func(line sources.Line, rec gjson.Result) error {
		return r.record(rec, fmt.Sprintf("%s %d", kind, line.Number))
	})
}
