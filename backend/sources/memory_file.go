package sources

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unsafe"
)

// The file is a line that says of which version it is, a checksum of the rest, and what was told of each file, one behind the other. It is
// read before there is a list, so that it is not JSON, and that what was read stays: texts are parts of it.

// castagnoli is the checksum that processors have built in.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// read takes in the file. What it can't read it does without.
func (m *Memory) read() {
	data, err := os.ReadFile(m.path)
	if err != nil {
		return
	}
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	p := packed{text: unsafe.String(unsafe.SliceData(rest), len(rest))} // nobody writes to it any more
	if string(head) != m.head || p.uint() != uint64(crc32.Checksum(p.rest(), castagnoli)) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for p.more() {
		r := &remembered{was: state{p.int(), p.int(), p.int()}, key: int32(p.uint()), text: p.string()} //nolint:gosec // it is compared below
		if p.bad || r.key < 0 || int(r.key) > len(r.text) {
			return
		}
		if _, newer := m.told[r.keyed()]; !newer {
			m.told[r.keyed()] = r
		}
	}
}

// Save writes what is new to the file, without what nobody asked for of the agents whose sessions were asked for, and what is of files that are
// not there any more: another program may have forgotten these.
func (m *Memory) Save() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	if !m.fresh {
		m.mu.Unlock()
		return nil
	}
	m.fresh = false
	const each = 1 << 20
	all, sum := [][]byte{nil}, uint32(0) // in parts: what grows is written several times
	part := make([]byte, 0, each)
	asked := map[string]bool{}
	for key, r := range m.told {
		if r.used {
			asked[agentOf(key)] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m.told)) {
		if r := m.told[key]; (r.used || !asked[agentOf(key)]) && there(key) {
			part = packInt(packInt(packInt(part, r.was.size), r.was.modified), r.was.changed)
			part = packText(packUint(part, uint64(r.key)), r.text)
		}
		if len(part) > each-each/16 {
			all, sum, part = append(all, part), crc32.Update(sum, castagnoli, part), make([]byte, 0, each)
		}
	}
	m.mu.Unlock()
	sum = crc32.Update(sum, castagnoli, part)
	all[0] = packUint([]byte(m.head+"\n"), uint64(sum))
	return replace(m.path, append(all, part)...)
}

// there tells whether the file is there that something was told of, as far as anybody can tell.
func there(key string) bool {
	_, err := os.Lstat(pathOf(key))
	return !errors.Is(err, fs.ErrNotExist)
}

// replace writes a file that takes the place of the one that is there.
func replace(path string, parts ...[]byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("remembering what files are of: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("remembering what files are of: %w", err)
	}
	for _, part := range parts {
		if _, more := file.Write(part); more != nil {
			err = more
		}
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // nobody misses it
		return fmt.Errorf("remembering what files are of: %w", err)
	}
	return nil
}
