package sources

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Memory remembers what cheap reads of files told, so that the same files need not be read for the next list. It is kept in a file that
// may go at any time. It may be used by several goroutines; the nil Memory remembers nothing.
type Memory struct {
	path, head string
	load       sync.Once

	mu   sync.Mutex
	told map[string]*told
	// fresh tells that something is not in the file yet.
	fresh bool
}

// told is what was told of a file, and of which state of it.
type told struct {
	size, modified int64
	text           []byte
	value          any // the same, once somebody asked
	used           bool
}

// OpenMemory returns the memory that is kept at path. That of another version of the program is forgotten.
func OpenMemory(path, version string) *Memory {
	return &Memory{path: path, head: fmt.Sprintf("told 1 %q", version), told: map[string]*told{}}
}

// Recall returns what look told of a file when it was as it is now; else it looks. Look says with its second result whether that is all
// there is to tell as long as the file stays as it is.
func Recall[T any](m *Memory, agent, path string, look func() (T, bool)) T {
	if m == nil {
		value, _ := look()
		return value
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		value, _ := look()
		return value
	}
	key := agent + "\x00" + path
	if value, ok := recall[T](m, key, info); ok {
		return value
	}
	value, whole := look()
	if whole {
		m.keep(key, info, value)
	}
	return value
}

func recall[T any](m *Memory, key string, info fs.FileInfo) (value T, ok bool) {
	m.load.Do(m.read)
	m.mu.Lock()
	known := m.told[key]
	if known == nil || known.size != info.Size() || known.modified != info.ModTime().UnixNano() {
		m.mu.Unlock()
		return value, false
	}
	known.used = true
	remembered, text := known.value, known.text
	m.mu.Unlock()
	if value, ok = remembered.(T); ok {
		return value, true
	}
	if json.Unmarshal(text, &value) != nil {
		return value, false
	}
	m.mu.Lock()
	known.value = value
	m.mu.Unlock()
	return value, true
}

func (m *Memory) keep(key string, info fs.FileInfo, value any) {
	text, err := json.Marshal(value)
	if err != nil || strings.ContainsAny(key, "\n\t") {
		return // it is looked at again
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told[key] = &told{size: info.Size(), modified: info.ModTime().UnixNano(), text: text, value: value, used: true}
	m.fresh = true
}

// read takes in the file. What it can't read it does without.
func (m *Memory) read() {
	text, err := os.ReadFile(m.path)
	if err != nil {
		return
	}
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(head) != m.head {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for line := range bytes.Lines(rest) {
		var t told
		parts := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"), 4)
		if len(parts) != 4 {
			continue
		}
		var wrong [2]error
		t.size, wrong[0] = strconv.ParseInt(string(parts[1]), 10, 64)
		t.modified, wrong[1] = strconv.ParseInt(string(parts[2]), 10, 64)
		if wrong != [2]error{} {
			continue
		}
		t.text = parts[3]
		if key := string(parts[0]); m.told[key] == nil {
			m.told[key] = &t
		}
	}
}

// Save writes what is new to the file, without what nobody asked for.
func (m *Memory) Save() error {
	m.mu.Lock()
	if !m.fresh {
		m.mu.Unlock()
		return nil
	}
	m.fresh = false
	var keys []string
	for key, t := range m.told {
		if t.used {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var out bytes.Buffer
	to := bufio.NewWriter(&out)
	fmt.Fprintln(to, m.head)
	for _, key := range keys {
		t := m.told[key]
		fmt.Fprintf(to, "%s\t%d\t%d\t%s\n", key, t.size, t.modified, t.text)
	}
	m.mu.Unlock()
	return errors.Join(to.Flush(), replace(m.path, out.Bytes()))
}

// replace writes a file that takes the place of the one that is there.
func replace(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("remembering what files are of: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("remembering what files are of: %w", err)
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // nobody misses it
		return fmt.Errorf("remembering what files are of: %w", err)
	}
	return nil
}
