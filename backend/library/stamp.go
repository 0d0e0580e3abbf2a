package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	"palimpsest/backend/inode"
	"palimpsest/backend/sources"
)

// format is that of readings. Another one makes all of them anew, as another code does that reads, which may read better.
const format = 6

// stamp says what a reading is of: two that have the same are the same.
type stamp [sha256.Size]byte

// stampOf looks at the files of a session, which is to be read, and reads none. What was read while all of it was there does also when a part has gone.
func (l *Library) stampOf(f *sources.Found) stamp {
	whole := *f
	whole.Lacks = ""
	s := l.stampAs(&whole)
	if f.Lacks == "" {
		return s
	}
	if kept, err := l.slipOf(idOf(&whole, s)); err == nil && kept.Stamp == hex.EncodeToString(s[:]) {
		return s
	}
	return l.stampAs(f)
}

func (l *Library) stampAs(f *sources.Found) stamp {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q %q %q %q %q %q %q %q %d %d %d %d %q %q %t %q", format, sources.Code(), f.Agent, f.ID, f.Row, f.Version, f.Title, f.Cwd,
		f.Model, f.CreatedAt.UnixNano(), f.UpdatedAt.UnixNano(), f.Bytes, f.Writes, f.Parent, f.Relation, f.Archived, f.Problem)
	if f.Lacks != "" {
		fmt.Fprintf(sum, " without %q", f.Lacks)
	}
	if f.Beside != "" {
		fmt.Fprintf(sum, " beside %q", f.Beside)
	}
	if f.Within != "" {
		fmt.Fprintf(sum, " %q within %q", f.Within, f.Files)
		return stamp(sum.Sum(nil))
	}
	for _, path := range f.Files {
		look(sum, path)
		switch filepath.Ext(path) {
		case ".db", ".sqlite", ".sqlite3": // what was written last is beside it
			look(sum, path+"-wal")
		}
	}
	return stamp(sum.Sum(nil))
}

func look(sum io.Writer, path string) {
	info, err := os.Stat(path)
	if err != nil {
		fmt.Fprintf(sum, " %q gone", path)
		return
	}
	number, changed := inode.At(path, info)
	fmt.Fprintf(sum, " %q %d %d %s %d", path, info.Size(), info.ModTime().UnixNano(), number, changed)
}

// idOf is the id of a reading: as old as the session, then half of a sum of its name, then half of one of its state. All but the last
// is the same for all readings of a session.
func idOf(f *sources.Found, s stamp) string {
	const half = 5
	var id ulid.ULID
	var entropy [2 * half]byte
	named := sha256.Sum256([]byte(Ref{f.Agent, f.ID}.String()))
	copy(entropy[:half], named[:])
	copy(entropy[half:], s[:])
	_ = id.SetEntropy(entropy[:])             // it has the right length
	_ = id.SetTime(milliseconds(f.CreatedAt)) // and this is in range
	return id.String()
}

// kin is how much of an id all readings of a session share, and nameFrom where the part of that begins that is made of its name.
const (
	nameFrom = 10
	kin      = 18
)

// kinOf are the readings there are of the session that one is of.
func (l *Library) kinOf(id string) []string {
	all, err := fs.Glob(os.DirFS(filepath.Dir(l.dir(id))), id[:kin]+"*") // the directory is no part of the pattern
	l.warnIf(err)
	return all
}

func milliseconds(at time.Time) uint64 {
	ms := at.UnixMilli()
	if at.IsZero() || ms < 0 || ms > int64(ulid.MaxTime()) {
		return 0
	}
	return uint64(ms)
}
