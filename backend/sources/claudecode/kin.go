package claudecode

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// sheet is what is remembered of a file to compare it with others: which rows were said in it, and when, in 16 bytes each. Of a file that
// has grown since, only what is new is read.
type sheet struct {
	file *sources.Found
	// rows are those up to a place in the file, which is a line's end. They are known if nothing stands behind it.
	rows  string
	to    int64
	known bool
	// edge is a checksum of what stands before that place.
	edge string
}

const sheetOfRows = agent + " rows"

// sheetOf looks for it, and reads none of the rows. Beside is what the file has told already.
func sheetOf(env sources.Env, f *sources.Found, beside *sources.Told) sheet {
	s := sheet{file: f}
	if told, known := env.Memory.KnownBeside(beside, sheetOfRows, f.Files[0]); known {
		s.know(&told)
		s.known = true
		return s
	}
	told, some := env.Memory.Earlier(sheetOfRows, f.Files[0])
	if !some {
		return s
	}
	file, err := jsonl.Open(f.Files[0])
	if err != nil {
		return s
	}
	defer file.Close()
	if now, err := jsonl.EdgeBefore(file, told.Found.Bytes); err == nil && now == told.Notes[0] {
		s.know(&told)
	}
	return s
}

func (s *sheet) know(told *sources.Told) {
	s.edge, s.rows, s.to = told.Notes[0], told.Notes[1], told.Found.Bytes
}

// now are the rows, if the file can be read.
func (s *sheet) now(ctx context.Context, env sources.Env) (rows string, ok bool) {
	told := env.Memory.Recall(sheetOfRows, s.file.Files[0], func() (sources.Told, bool) { return s.read(ctx) })
	if len(told.Notes) == 0 {
		return "", false
	}
	return told.Notes[1], true
}

func (s *sheet) readLater(env sources.Env) {
	env.Memory.Later(sheetOfRows, s.file.Files[0], s.read)
}

// read reads what is new. Nothing is told where that can't be.
func (s *sheet) read(ctx context.Context) (told sources.Told, whole bool) {
	file, err := jsonl.Open(s.file.Files[0])
	if err != nil {
		return told, false
	}
	defer file.Close()
	if edge, err := jsonl.EdgeBefore(file, s.to); err != nil || edge != s.edge { // it may be another file since
		s.rows, s.to = "", 0
	}
	rows, to := []byte(s.rows), s.to
	var has many.IDs
	for row := range rowsIn(s.rows) {
		has.Put(row.key(), 0)
	}
	var members jsonl.Fields
	if err = sources.LinesFrom(ctx, file, s.to, file.Size, func(line sources.Line) error {
		if line.Ended {
			to = line.Offset + line.Length
		}
		row, ok := briefly(line.Text, &members)
		if !ok || !spoke(row.kind) || row.uuid == "" {
			return nil
		}
		one := kinRow{id: numberOf(row.uuid)}
		if _, known := has.Get(one.key()); !known {
			has.Put(one.key(), 0)
			rows = appendRow(rows, one.id, row.time)
		}
		return nil
	}); err != nil {
		return told, false
	}
	sum, err := jsonl.EdgeBefore(file, to)
	return sources.Told{Found: sources.Found{Bytes: to}, Notes: []string{sum, string(rows)}}, err == nil
}

// kin is what was said in one of the files, each row once: in the order of the file, and the ids in their own.
type kin struct {
	f    *sources.Found
	rows string
	has  []uint64
}

func kinOf(f *sources.Found, rows string) *kin {
	k := &kin{f: f, rows: rows, has: make([]uint64, 0, len(rows)/rowBytes)}
	for row := range rowsIn(rows) {
		k.has = append(k.has, row.id)
	}
	slices.Sort(k.has)
	return k
}

func (k *kin) holds(id uint64) bool {
	_, is := slices.BinarySearch(k.has, id)
	return is
}

type kinRow struct {
	id uint64
	at time.Time
}

// key is the number of its id, as [many.IDs] have one.
func (r kinRow) key() string { return string(binary.BigEndian.AppendUint64(nil, r.id)) }

// rowBytes is how much of a sheet a row takes: a number for its id, and when it was said, in microseconds.
const (
	idBytes  = 8
	rowBytes = 2 * idBytes
	noTime   = math.MinInt64
)

func numberOf(uuid string) uint64 {
	hash := fnv.New64a()
	_, _ = io.Copy(hash, strings.NewReader(uuid)) // it never fails
	return hash.Sum64()
}

func appendRow(rows []byte, id uint64, at gjson.Result) []byte {
	when := int64(noTime)
	if t := jsonl.Time(at); !t.IsZero() {
		when = t.UnixMicro()
	}
	rows = binary.BigEndian.AppendUint64(rows, id)
	return binary.BigEndian.AppendUint64(rows, uint64(when)) //nolint:gosec // as rowsIn reads it
}

// rowsIn are those of a sheet, in order.
func rowsIn(rows string) func(yield func(kinRow) bool) {
	return func(yield func(kinRow) bool) {
		var b [rowBytes]byte
		for ; len(rows) >= rowBytes; rows = rows[rowBytes:] {
			copy(b[:], rows)
			row := kinRow{id: binary.BigEndian.Uint64(b[:])}
			if when := int64(binary.BigEndian.Uint64(b[idBytes:])); when != noTime { //nolint:gosec // as appendRow wrote it
				row.at = time.UnixMicro(when).UTC()
			}
			if !yield(row) {
				return
			}
		}
	}
}
