package crabtalk

import (
	"bufio"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// memoryName is the file of the agent's memory in versions that have the summaries of compactions there, each under a name that the
// session has. It is written anew as a whole: a header of 16 bytes as that of a store, and then
//
//	next id 8, count 4, and for each: id 8, time 8, kind 4, name, text, count of aliases 4, aliases
//
// where a name, a text or an alias is its length 4 and so many bytes.
const (
	memoryName   = "memory.db"
	memoryHeader = 16
)

// memory is that file, with where the text of each name stands. It is looked at when the first is asked for. The zero memory has none.
type memory struct {
	path string
	file *jsonl.File
	at   map[string]span
}

type span struct{ from, length int64 }

// memoryOfSession is the memory that a session's file has its summaries in.
func memoryOfSession(path string) *memory {
	return &memory{path: filepath.Join(rootOf(path), memoryName)}
}

// rootOf is CrabTalk's directory that a session's file is in.
func rootOf(path string) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if name := filepath.Base(dir); name == "sessions" || name == storesName {
			return filepath.Dir(dir)
		}
	}
	return filepath.Dir(path)
}

// text is what the memory has under a name; empty if it has nothing, or can't be read: the session has been compacted all the same. Beside
// folders with lines each entry has a file of its own.
func (m *memory) text(name string) string {
	if m.at == nil {
		m.look()
	}
	place, has := m.at[name]
	if !has {
		return jsonl.Text(gjson.GetBytes(jsonl.Small(m.entry(name), sources.LineMost), "content"))
	}
	if place.length > sources.LineMost {
		return ""
	}
	text := make([]byte, place.length)
	if _, err := m.file.ReadAt(text, place.from); err != nil {
		return ""
	}
	return string(text)
}

// dir is where entries have files of their own.
func (m *memory) dir() string { return filepath.Join(filepath.Dir(m.path), "memory") }

// entry is the file that an entry may have.
func (m *memory) entry(name string) string {
	return filepath.Join(m.dir(), url.PathEscape(name)+".json")
}

// files are those of a session's summaries, where they have such: their names count them. What was read before an error counts, and that there
// is no folder of them is usual.
func (m *memory) files(id string) (all []string, err error) {
	entries, err := os.ReadDir(m.dir())
	for _, entry := range entries {
		number, is := strings.CutPrefix(strings.TrimSuffix(handleOf(entry.Name()), ".json"), slug(id)+"-")
		if is && number != "" && strings.Trim(number, "0123456789") == "" {
			all = append(all, filepath.Join(m.dir(), entry.Name()))
		}
	}
	return all, err
}

// look finds the names in the file, as far as it is whole.
func (m *memory) look() {
	m.at = map[string]span{}
	file, err := jsonl.Open(m.path)
	if err != nil {
		return
	}
	m.file = file
	head := make([]byte, memoryHeader+8+4)
	if _, err := file.ReadAt(head, 0); err != nil || string(head[:len(magic)]) != magic || order.Uint32(head[len(magic):]) != 1 {
		return
	}
	from := int64(len(head))
	e := entries{in: bufio.NewReader(io.NewSectionReader(file, from, file.Size-from)), at: from, end: file.Size}
	for range order.Uint32(head[memoryHeader+8:]) {
		name, text, whole := e.next()
		if !whole {
			return
		}
		m.at[name] = text
	}
}

func (m *memory) close() {
	if m.file != nil {
		_ = m.file.Close() // opened for reading
	}
}

// entries reads a memory from the beginning to the end.
type entries struct {
	in      *bufio.Reader
	at, end int64
}

// next is the name of an entry, and where its text is; not whole if the file ends before.
func (e *entries) next() (name string, text span, whole bool) {
	const before = 8 + 8 + 4
	if !e.skip(before) {
		return "", span{}, false
	}
	length, ok := e.number()
	if !ok || length > keyMost || e.at+length > e.end {
		return "", span{}, false
	}
	called := make([]byte, length)
	if _, err := io.ReadFull(e.in, called); err != nil {
		return "", span{}, false
	}
	e.at += length
	if length, ok = e.number(); !ok {
		return "", span{}, false
	}
	text = span{e.at, length}
	if !e.skip(length) {
		return "", span{}, false
	}
	aliases, ok := e.number()
	for i := int64(0); ok && i < aliases; i++ {
		if length, ok = e.number(); ok {
			ok = e.skip(length)
		}
	}
	return string(called), text, ok
}

func (e *entries) number() (int64, bool) {
	var bytes [4]byte
	if _, err := io.ReadFull(e.in, bytes[:]); err != nil {
		return 0, false
	}
	e.at += int64(len(bytes))
	return int64(order.Uint32(bytes[:])), true
}

func (e *entries) skip(length int64) bool {
	if e.at+length > e.end {
		return false
	}
	n, err := e.in.Discard(int(length))
	e.at += int64(n)
	return err == nil
}
