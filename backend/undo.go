package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/agent/permission"
	"palimpsest/backend/agent/tools"
	"palimpsest/backend/config"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// FileUndo is what taking back the changes of files since a record comes to.
type FileUndo struct {
	SinceSeq int64 `json:"sinceSeq"`
	// Files are those that changed since, the first one changed first.
	Files []UndoneFile `json:"files"`
	// Commands counts those that a shell ran since: what they changed is outside of this.
	Commands int `json:"commands"`
	// CommittedSeq is the record of what was done, nil if nothing was.
	CommittedSeq *int64 `json:"committedSeq"`
	// Problem says which files could not be taken back after all.
	Problem *Problem `json:"problem"`
}

// UndoneFile is one file.
type UndoneFile struct {
	Path string `json:"path"`
	// Blocked says why it is left alone, nil if it is not.
	Blocked   *string `json:"blocked"`
	Diff      string  `json:"diff"`
	Additions int     `json:"additions"`
	Deletions int     `json:"deletions"`
}

// ErrNothingToUndo is returned where no file can be taken back.
var ErrNothingToUndo = errors.New("there is nothing to take back")

// UndoFiles takes back what tools changed in files behind the last record that has seq, 0 for all of it: each file that
// still is as they left it. A record says what was done, so that this can be taken back in the same way. A dry run only
// shows it.
func (b *Backend) UndoFiles(ctx context.Context, id string, seq int64, dryRun bool) (FileUndo, error) {
	if dryRun {
		out, _, err := b.planUndo(id, seq)
		return out, err
	}
	var out FileUndo
	seqs, err := b.store.AppendDerived(ctx, id, func() ([]record.Draft, error) {
		planned, undoing, err := b.planUndo(id, seq)
		if err != nil {
			return nil, err
		}
		out = planned
		made, err := undoing.Apply()
		if len(made) == 0 {
			return nil, errors.Join(fmt.Errorf("%w: session %s: %w since record %d", session.ErrInput, id, ErrNothingToUndo, seq), blocked(out.Files), err)
		}
		if err != nil {
			problem := ProblemOf(fmt.Errorf("some files were left as they are: %w", err))
			out.Problem = &problem
		}
		note, err := undoNote(seq, made)
		if err != nil {
			return nil, err
		}
		draft, err := b.store.Draft(note)
		return []record.Draft{draft}, err
	})
	if err != nil {
		return FileUndo{}, err
	}
	out.CommittedSeq = &seqs[0]
	return out, nil
}

// blocked says why files are left alone.
func blocked(files []UndoneFile) error {
	var why []error
	for _, file := range files {
		if file.Blocked != nil {
			why = append(why, fmt.Errorf("%s: %s", file.Path, *file.Blocked))
		}
	}
	return errors.Join(why...)
}

func (b *Backend) planUndo(id string, seq int64) (FileUndo, *tools.Undoing, error) {
	out := FileUndo{SinceSeq: seq, Files: []UndoneFile{}}
	v, err := b.view(id)
	if err != nil {
		return out, nil, err
	}
	defer v.close()
	changes, commands, err := v.changesSince(seq)
	if err != nil {
		return out, nil, fmt.Errorf("session %s: %w", id, err)
	}
	out.Commands = commands
	w, err := b.workspace(id)
	if err != nil {
		return out, nil, fmt.Errorf("%w: session %s: %w", session.ErrInput, id, err)
	}
	if len(changes) == 0 {
		return out, nil, fmt.Errorf("%w: session %s: %w: no tool has changed a file since record %d", session.ErrInput, id, ErrNothingToUndo, seq)
	}
	undoing, err := tools.Undo(w, changes, func(sha string) ([]byte, error) { return b.loadBlob(id, sha) }, b.allowedOutside(id, w.Dir, changes))
	if err != nil {
		return out, nil, fmt.Errorf("session %s: %w", id, err)
	}
	for _, f := range undoing.Files {
		file := UndoneFile{Path: f.Path, Diff: f.Diff, Additions: f.Additions, Deletions: f.Deletions}
		if f.Blocked != "" {
			file.Blocked = &f.Blocked
		}
		out.Files = append(out.Files, file)
	}
	return out, undoing, nil
}

// allowedOutside are the files outside of a session's folder that a rule lets be written. A log may come from somebody
// else: that it names a file is no reason to touch it.
func (b *Backend) allowedOutside(id, dir string, changes []tools.Change) []string {
	meta, err := b.store.Metadata(id)
	settings, problems := b.Settings()
	if err != nil || config.RulesLost(problems) {
		return nil
	}
	rules := rulesOf(&meta, settings)
	var outside []string
	for _, change := range changes {
		path := filepath.ToSlash(change.Path)
		call := permission.Call{Tool: "write", Paths: []permission.Path{{Real: path, Given: path}}, Dir: filepath.ToSlash(dir)}
		if permission.Decide(rules, call).Effect == permission.Allow {
			outside = append(outside, change.Path)
		}
	}
	return outside
}

// loadBlob reads what a file held before it was changed.
func (b *Backend) loadBlob(id, sha string) ([]byte, error) {
	file, err := b.OpenBlob(id, sha)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("reading blob %s: %w", sha, err)
	}
	return data, nil
}

// changesSince are the changes of files on the path behind a record, the oldest first, and how many commands ran there.
func (v *view) changesSince(seq int64) (changes []tools.Change, commands int, err error) {
	first := 0
	if seq != 0 {
		at, err := v.index.Find(seq)
		if err != nil {
			return nil, 0, err
		}
		first = at + 1
	}
	for i := first; i < len(v.index.Lines); i++ {
		line := v.index.Lines[i]
		interesting := line.Kind == session.LineAssistant || line.Kind == session.LineToolResult || line.Kind == session.LineOverlay
		if !interesting || !v.states.onPath(i) {
			continue
		}
		text := make([]byte, line.Length)
		if _, err := v.log.ReadAt(text, line.Offset); err != nil {
			return nil, 0, fmt.Errorf("reading line %d: %w", line.Number, err)
		}
		rec, err := record.Decode(trimmed(text, line.Offset))
		if err != nil {
			continue // it is damaged, and says so where it is shown
		}
		changes = append(changes, changesOf(rec)...)
		commands += commandsOf(rec)
	}
	return changes, commands, nil
}

// changesOf are what a result, or a note about an undo, says that was changed.
func changesOf(rec record.Record) (changes []tools.Change) {
	member := ""
	switch {
	case rec.Message != nil && rec.Message.Role == record.RoleToolResult:
		member = "changes"
	case rec.Note != nil && rec.Note.Namespace == session.UndoNamespace:
		member = "data.changes"
	default:
		return nil
	}
	if json.Unmarshal([]byte(gjson.Get(rec.JSON, member).Raw), &changes) != nil {
		return nil // nobody's, or another version's
	}
	return changes
}

func commandsOf(rec record.Record) (n int) {
	if rec.Message == nil {
		return 0
	}
	for _, block := range rec.Message.Content {
		if block.Kind == record.BlockToolCall && strings.EqualFold(block.Name, "bash") {
			n++
		}
	}
	return n
}

// undoNote says what was taken back, to the model too: it would go on from files that are not there any more.
func undoNote(seq int64, made []tools.Change) ([]byte, error) {
	type text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	told := []string{"[The user took back changes of files. What was written or edited is as it was before in:"}
	for _, change := range made {
		told = append(told, change.Path)
	}
	type data struct {
		SinceSeq int64          `json:"sinceSeq"`
		Changes  []tools.Change `json:"changes"`
	}
	note, err := json.Marshal(struct {
		RecordType string `json:"recordType"`
		Namespace  string `json:"namespace"`
		Data       data   `json:"data"`
		Content    []text `json:"content"`
		Display    bool   `json:"display"`
	}{string(record.TypeNote), session.UndoNamespace, data{seq, made}, []text{{"text", strings.Join(told, "\n") + "]"}}, true})
	if err != nil {
		return nil, fmt.Errorf("encoding what was taken back: %w", err)
	}
	return note, nil
}
