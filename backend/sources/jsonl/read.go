package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/wellformed"
)

// Each visits the objects of a file. What is no object goes to broken, unless it is nil: a line in the middle nobody can read, or one
// that is too long, whose text is nil. What is left of a last line that is still being written is passed over.
func Each(ctx context.Context, r io.Reader, broken func(sources.Line), visit func(sources.Line, gjson.Result) error) error {
	return each(ctx, r, plainly, broken, visit)
}

// reading is how lines are read: whether one at an offset is JSON, and what it says.
type reading struct {
	found func(offset int64, text []byte) bool
	parse func(line sources.Line, text []byte) gjson.Result
}

var plainly = reading{found: func(_ int64, text []byte) bool { return wellformed.JSON(text) }, parse: parse}

// Twice is for who goes through a file two times: whether a line is JSON is found out the first time only.
type Twice struct{ bad map[int64]bool }

// First is [Each] without what is broken. What a line says is a [View], which is valid until visit returns.
func (t *Twice) First(ctx context.Context, r io.Reader, visit func(sources.Line, gjson.Result) error) error {
	t.bad = map[int64]bool{}
	return each(ctx, r, t.first(), nil, visit)
}

func (t *Twice) first() reading {
	return reading{found: t.find, parse: func(_ sources.Line, text []byte) gjson.Result { return View(text) }}
}

func (t *Twice) second() reading { return reading{found: t.found, parse: parse} }

func (t *Twice) find(offset int64, text []byte) bool {
	if wellformed.JSON(text) {
		return true
	}
	t.bad[offset] = true
	return false
}

func (t *Twice) found(offset int64, _ []byte) bool { return !t.bad[offset] }

// Second is [Each] of the same file, no longer than it was then.
func (t *Twice) Second(ctx context.Context, r io.Reader, broken func(sources.Line), visit func(sources.Line, gjson.Result) error) error {
	return each(ctx, r, t.second(), broken, visit)
}

func each(ctx context.Context, r io.Reader, how reading, broken func(sources.Line), visit func(sources.Line, gjson.Result) error) error {
	return sources.Lines(ctx, r, func(line sources.Line) error { return one(line, how, broken, visit) })
}

// Whole is the value of a line, as [Each] has it; not ok if there is none: it is blank, damaged, or still being written.
func Whole(line []byte) (value []byte, ok bool) {
	text := bytes.Trim(line, around)
	return text, wellformed.JSON(text)
}

// around is what may stand there beside an object: a crash may leave zeros.
const around = " \t\x00"

// one visits a line.
func one(line sources.Line, how reading, broken func(sources.Line), visit func(sources.Line, gjson.Result) error) error {
	text := bytes.Trim(line.Text, around)
	switch {
	case line.Text != nil && len(text) == 0:
		return nil
	case len(text) > 0 && text[0] == '{' && how.found(line.Offset, text):
		return visit(line, how.parse(line, text))
	case !line.Ended && line.Text != nil:
		return nil
	case broken != nil:
		broken(line)
	}
	return nil
}

// parse is what a line says. A long line is not copied for that.
func parse(line sources.Line, text []byte) gjson.Result {
	if line.Long {
		return gjson.Parse(unsafe.String(unsafe.SliceData(text), len(text)))
	}
	return gjson.ParseBytes(text)
}

// Broken keeps in a log what [Each] could not read.
func Broken(log *sources.Log) func(sources.Line) {
	return func(line sources.Line) {
		if line.Text != nil {
			log.Broken(line.Text)
			return
		}
		log.Unknown(line.Offset, "line", line.Length)
	}
}

// Text is a string, and empty for anything else. It is a copy, so that who keeps it does not keep the line it stood in.
func Text(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	const quotes = 2
	if len(value.Str)+quotes != len(value.Raw) { // it had escapes, and so is a copy already
		return sources.Valid(value.Str)
	}
	return strings.Clone(sources.Valid(value.Str))
}

// restMost is the largest member that [Rest] keeps.
const restMost = 64 << 10

// leftOut is the member that has how long those were that are not kept, by their names.
const leftOut = "leftOut"

// Rest are the members of an object that are not named. Of very large ones it is said how long they are.
func Rest(object gjson.Result, known ...string) map[string]json.RawMessage {
	var rest map[string]json.RawMessage
	var large map[string]int
	object.ForEach(func(key, value gjson.Result) bool {
		switch {
		case value.Type == gjson.Null || slices.Contains(known, key.Str):
		case len(value.Raw) > restMost:
			large = with(large, key.Str, len(value.Raw))
		default:
			rest = with(rest, key.Str, json.RawMessage(value.Raw))
		}
		return true
	})
	if large != nil {
		sizes, _ := json.Marshal(large) // names and numbers always can be encoded
		name := leftOut
		for object.Get(name).Exists() { // the agent has one of its own
			name += "_"
		}
		rest = with(rest, name, json.RawMessage(sizes))
	}
	return rest
}

// with is a map, made if there is none, with one more in it.
func with[V any](m map[string]V, name string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[name] = value
	return m
}

// Unknown is a block of a type that only the source knows.
func Unknown(value gjson.Result) sources.Block {
	if value.IsObject() && Text(value.Get("type")) != "" {
		return sources.Block{Raw: json.RawMessage(value.Raw)}
	}
	return sources.Block{Raw: json.RawMessage(`{"type":"unknown","value":` + value.Raw + `}`)}
}

// OneLine is a text as a title: without breaks, and cut. It is a copy.
func OneLine(text string) string {
	const most = 200
	var room [4 * most]byte
	line := room[:0]
	for word := range strings.FieldsSeq(text) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		if line = append(line, word...); len(line) > most && utf8.RuneCount(line) > most {
			break
		}
	}
	if utf8.RuneCount(line) <= most {
		return string(line)
	}
	var begin [cap(room)]byte
	cut := begin[:0]
	for range most {
		r, size := utf8.DecodeRune(line)
		cut, line = utf8.AppendRune(cut, r), line[size:]
	}
	return string(append(cut, "…"...))
}
