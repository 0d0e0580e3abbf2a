package sources

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

// Source is the sessions of one agent.
type Source interface {
	// Agent is its name in ids: the codex of codex:0199….
	Agent() string
	// Roots are the places where its sessions can be, whether they are there or not, most likely first.
	Roots(env Env) []string
	// Find tells of each session below the roots, in any order, from cheap reads: names, metadata, head and tail of files. What can't
	// be read is told as a session with a Problem, not as an error; an error ends the search.
	Find(ctx context.Context, env Env, visit func(Found) error) error
	// Read reads the session that Find told of into a log. A bad line is no error. What was read before an error stays in the log.
	Read(ctx context.Context, env Env, found Found, log *Log) error
	// Capabilities say what is made of what its files hold: one for each What that there is, in order.
	Capabilities() []Capability
}

// Env is where a source looks: the machine's, or one of a test.
type Env struct {
	// Home is the user's home directory, with the separators of the system.
	Home string
	// Getenv reads an environment variable.
	Getenv func(name string) string
	// GOOS is the system.
	GOOS string
	// Temp is a directory of ours for private copies of databases; they are removed after use.
	Temp string
	// Memory remembers what files told; may be nil.
	Memory *Memory
	// Denied is told of each folder that may not be looked into, and of each file that can't be read and says where sessions are, what
	// they are called or when they are deleted; may be nil.
	Denied func(err error)
}

// Deny tells of a folder that may not be looked into, if that is why it could not be: nobody knows what is in it. That it is missing is
// usual.
func (e Env) Deny(err error) {
	if e.Denied != nil && errors.Is(err, fs.ErrPermission) {
		e.Denied(err)
	}
}

// Unseen tells of a file that can't be read, for another reason than that it is not there, and would say something about all sessions.
func (e Env) Unseen(err error) {
	if e.Denied != nil && err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		e.Denied(err)
	}
}

// Or is a directory that a variable names, else the place below the home directory. One that is relative is so to the working folder of
// this program, as to that of an agent that is started there.
func (e Env) Or(variable string, below ...string) string {
	if dir := e.Getenv(variable); dir != "" {
		return e.Named(dir)
	}
	return filepath.Join(append([]string{e.Home}, below...)...)
}

// Named is the whole path of what a variable has for one.
func (e Env) Named(path string) string {
	path = e.expand(path)
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path // the working folder is gone
}

// expand replaces a leading ~ as a shell does.
func (e Env) expand(path string) string {
	if path == "~" {
		return e.Home
	}
	if len(path) > 1 && path[0] == '~' && (path[1] == '/' || path[1] == filepath.Separator) {
		return filepath.Join(e.Home, path[2:])
	}
	return path
}

// Found is a session as lists show it. What is not known is the zero value or nil, and never shown as 0.
type Found struct {
	// Agent and ID name it; ID is that of the agent, or made from the file where it has none, and unique among the agent's.
	Agent, ID string
	// Own is what its source calls it, where the library had to call it something else; empty otherwise.
	Own string
	// Version is that of the agent that wrote last, as far as the cheap reads tell.
	Version string
	Title   string
	// FirstMessage is the first that a person typed: no instructions, no environment, no summary.
	FirstMessage string
	Cwd, Model   string
	CreatedAt    time.Time
	UpdatedAt    time.Time
	// Messages and Compactions are nil where only a full read can tell.
	Messages, Compactions *int
	// Parent is the id of the session it came from, and Relation how.
	Parent   string
	Relation Relation
	// Lacks is a session that a part of it stands in and that is not there; it is another one to read once that is.
	Lacks string
	// Beside says what is like, and is in none of its files, that a reading of it takes something from: with another one it is another session to
	// read. Empty where there is nothing like that.
	Beside string
	// Call is the tool call of the parent that started it, where its own files tell; a reading of the parent may tell, too.
	Call string
	// Key is what the agent's other files call it, where that is not ID.
	Key string
	// Archived tells that its agent put it away, and ArchivedAt when: the zero time where nothing says.
	Archived   bool
	ArchivedAt time.Time
	// Files hold it, the main one first: absolute paths. For a session in a database, the database.
	Files []string
	// Row is its key in a database, where it is not ID.
	Row string
	// Within says where it stands, and what is there, in its source's words, where its file is not one of its own and no database: as long as that
	// is the same it is, whatever else is written there. Empty otherwise.
	Within string
	Bytes  int64
	// Writes is another number whenever its agent has written to it without noting that the session changed: how often it did, or when it
	// wrote a part last. 0 is not known.
	Writes int64
	// Problem says why it can't be read, in words for the user; empty if it can.
	Problem string
	// KeptAt is when a copy of it was kept, the zero time if there is none. With FromCopy its own files are gone, and it is read from
	// that; no source sets either, nor Stood, which is where its main file was then, if no variable has moved it.
	KeptAt   time.Time
	FromCopy bool
	Stood    string
	// EarlierOf is the session that this is an earlier state of, from a copy that holds what is not in it any more; no source sets it.
	EarlierOf string
}

// Theirs is the session as its source told of it.
func (f Found) Theirs() Found {
	if f.Own != "" {
		f.ID, f.Own = f.Own, ""
	}
	return f
}

// InTables tells that the session is one of several in a database, so that its size and time are not those of the file.
func (f *Found) InTables() bool {
	if len(f.Files) == 0 {
		return false
	}
	switch filepath.Ext(f.Files[0]) {
	case ".db", ".sqlite", ".sqlite3":
		return true
	}
	return false
}

// Shares tells that its size and time are not those of its file, which has other sessions, too.
func (f *Found) Shares() bool { return f.Within != "" || f.InTables() }

// Relation is how a session came from its parent.
type Relation string

// The relations.
const (
	Fork     Relation = "fork"
	Subagent Relation = "subagent"
	// Continuation goes on in a new file where the parent ended.
	Continuation Relation = "continuation"
)

// ErrTooLarge is the end of what a [Found] has for a problem where there is more than is ever read.
var ErrTooLarge = errors.New("too large to be read")

// ErrGone is returned by Read if the session is not there any more.
var ErrGone = errors.New("the session is not there any more")
