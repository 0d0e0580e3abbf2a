package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"palimpsest/backend/agent/permission"
	"palimpsest/backend/agent/tools"
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// UndoOptions say what is to be taken back.
type UndoOptions struct {
	// SinceSeq and UntilSeq are the records that bound it: behind the last that has the one, 0 for the start, and up to
	// the last that has the other, 0 for the end.
	SinceSeq int64 `json:"sinceSeq"`
	UntilSeq int64 `json:"untilSeq"`
	// State is that of what was shown; where it is another by now, nothing is done. Empty for whatever it is.
	State string `json:"state"`
	// DryRun only shows it.
	DryRun bool `json:"dryRun"`
}

// FileUndo is what taking back the changes of files since a record comes to.
type FileUndo struct {
	SinceSeq int64 `json:"sinceSeq"`
	// State tells this apart from what it comes to once a file, or what tools did to it, is another.
	State string `json:"state"`
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
	Blocked *string `json:"blocked"`
	Diff    string  `json:"diff"`
	// Additions and Deletions count lines, nil of what is no text or too large to be compared.
	Additions *int `json:"additions"`
	Deletions *int `json:"deletions"`
}

// ErrNothingToUndo is returned where no file can be taken back.
var ErrNothingToUndo = errors.New("there is nothing to take back")

// ErrUndoStale is returned where an undo is not what it was when it was shown.
var ErrUndoStale = errors.New("what would be taken back is not what was shown any more; no file was changed")

// stateOfNothing is the state of an undo that has no file to take back: what comes later was not shown.
const stateOfNothing = "nothing"

// UndoFiles takes back what tools changed in files between two records: each file that still is as they left it. A record
// says what is done before it is, so that it can be taken back in the same way whatever happens in between.
func (b *Backend) UndoFiles(ctx context.Context, id string, o UndoOptions) (FileUndo, error) {
	if err := refuseForeign(id); err != nil {
		return FileUndo{}, err // a dry run would read it
	}
	if o.DryRun {
		out, _, err := b.planUndo(id, o)
		return out, err
	}
	w, err := b.store.Writer(ctx, id)
	if err != nil {
		return FileUndo{}, err
	}
	defer w.Close()
	out, undoing, err := b.planUndo(id, o)
	if err != nil {
		return FileUndo{}, err
	}
	if o.State != "" && o.State != out.State {
		return FileUndo{}, fmt.Errorf("session %s: %w", id, ErrUndoStale)
	}
	if err := b.takeBack(w, &out, undoing); err != nil {
		return FileUndo{}, fmt.Errorf("session %s: %w", id, err)
	}
	return out, nil
}

// takeBack writes down what will be done, and does it. What could not be done after all is written down too.
func (b *Backend) takeBack(w *session.Writer, out *FileUndo, undoing *tools.Undoing) error {
	meant, err := undoing.Meant()
	if err != nil {
		return fmt.Errorf("no file was changed: %w", err)
	}
	if len(meant) == 0 {
		return errors.Join(fmt.Errorf("%w: %w since record %d", session.ErrInput, ErrNothingToUndo, out.SinceSeq), blocked(out.Files))
	}
	seq, err := b.note(w, out.SinceSeq, meant, false)
	if err != nil {
		return fmt.Errorf("no file was changed, since that could not be written down first: %w", err)
	}
	made, failure := undoing.Apply()
	out.Files, out.CommittedSeq = undoneFiles(undoing), &seq
	if failure == nil {
		return nil
	}
	if _, err := b.note(w, out.SinceSeq, notMade(meant, made), true); err != nil {
		failure = errors.Join(failure, fmt.Errorf("the conversation says that they were taken back, and this could not be added to it: %w", err))
	}
	if len(made) == 0 {
		return fmt.Errorf("no file was changed: %w", failure)
	}
	problem := ProblemOf(fmt.Errorf("some files were left as they are: %w", failure))
	out.Problem = &problem
	return nil
}

// note writes down what is done in an undo that takes back what is behind a record.
func (b *Backend) note(w *session.Writer, since int64, changes []tools.Change, failed bool) (seq int64, err error) {
	text, err := undoNote(since, changes, failed)
	if err != nil {
		return 0, err
	}
	draft, err := b.store.Draft(text)
	if err != nil {
		return 0, err
	}
	seqs, err := w.Append([]record.Draft{draft})
	if err != nil {
		return 0, err
	}
	return seqs[0], nil
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

func (b *Backend) planUndo(id string, o UndoOptions) (FileUndo, *tools.Undoing, error) {
	out := FileUndo{SinceSeq: o.SinceSeq, Files: []UndoneFile{}}
	v, err := b.view(id)
	if err != nil {
		return out, nil, err
	}
	defer v.close()
	changes, commands, err := v.changesBetween(o.SinceSeq, o.UntilSeq)
	if err != nil {
		return out, nil, fmt.Errorf("session %s: %w", id, err)
	}
	out.Commands = commands
	if len(changes) == 0 && o.DryRun {
		out.State = stateOfNothing
		return out, nil, nil
	}
	if len(changes) == 0 {
		return out, nil, fmt.Errorf("%w: session %s: %w: no tool has changed a file since record %d", session.ErrInput, id, ErrNothingToUndo, o.SinceSeq)
	}
	dir, err := b.ownFolder(id)
	if err != nil {
		return out, nil, fmt.Errorf("%w: session %s: %w", session.ErrInput, id, err)
	}
	undoing, err := tools.Undo(b.workspace(id, dir), changes, func(sha string) ([]byte, error) { return b.loadBlob(id, sha) }, b.allowedOutside(id, dir, changes))
	if err != nil {
		return out, nil, fmt.Errorf("session %s: %w", id, err)
	}
	out.Files, out.State = undoneFiles(undoing), undoing.State()
	return out, undoing, nil
}

func undoneFiles(undoing *tools.Undoing) []UndoneFile {
	files := []UndoneFile{}
	for _, f := range undoing.Files {
		file := UndoneFile{Path: f.Path, Diff: f.Diff, Additions: f.Additions, Deletions: f.Deletions}
		if f.Blocked != "" {
			file.Blocked = &f.Blocked
		}
		files = append(files, file)
	}
	return files
}

// allowedOutside are the files outside of a session's folder that a rule lets be written or edited. A log may come from
// somebody else: that it names a file is no reason to touch it.
func (b *Backend) allowedOutside(id, dir string, changes []tools.Change) []string {
	meta, err := b.store.Metadata(id)
	settings, problems := b.Settings()
	if err != nil || config.RulesLost(problems) {
		return nil
	}
	rules, set := rulesOf(&meta, settings), tools.New(tools.Workspace{Dir: dir})
	var outside []string
	for _, change := range changes {
		if mayChange(set, rules, change.Path) {
			outside = append(outside, change.Path)
		}
	}
	return outside
}

// mayChange tells whether a call that writes or edits a file would not be asked about.
func mayChange(set *tools.Set, rules []permission.Rule, path string) bool {
	arguments, err := json.Marshal(map[string]string{"path": path})
	return err == nil && slices.ContainsFunc([]string{"write", "edit"}, func(tool string) bool {
		facts, err := set.Facts(llm.Call{Name: tool, Arguments: string(arguments)})
		return err == nil && permission.Decide(rules, facts).Effect == permission.Allow
	})
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
