package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"palimpsest/backend/borrow"
)

// knownMembers are the JSON names of Metadata's fields.
var knownMembers = func() (names []string) {
	for field := range reflect.TypeFor[Metadata]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}()

// decodeMetadata takes what can be read of a metadata file. Members of the wrong type are left out, and the state says
// so.
func decodeMetadata(data []byte) (Metadata, MetadataState) {
	data = bytes.TrimPrefix(data, bom)
	m := Metadata{source: data}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && json.Unmarshal(data, &m) == nil {
		return m, MetadataOK
	}
	m = Metadata{}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || members == nil {
		return m, MetadataTorn
	}
	m.source = data
	for name, value := range members {
		one, err := json.Marshal(map[string]json.RawMessage{name: value})
		probe := m
		if err == nil && json.Unmarshal(one, &probe) == nil {
			m = probe
		}
	}
	return m, MetadataTorn
}

// others are the members of the file that this version does not know.
func (m *Metadata) others() map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(m.source, &members) != nil {
		return nil
	}
	// The decoder matches names whatever their case, so what it took must not be written a second time.
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return slices.ContainsFunc(knownMembers, func(known string) bool { return strings.EqualFold(known, name) })
	})
	return members
}

func (m Metadata) encode() ([]byte, error) {
	m.CreatedAt, m.LastMessageAt = m.CreatedAt.UTC(), m.LastMessageAt.UTC()
	known, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	if others := m.others(); len(others) > 0 {
		more, err := json.Marshal(others)
		if err != nil {
			return nil, fmt.Errorf("encoding what this version does not know: %w", err)
		}
		known = append(append(known[:len(known)-1], ','), more[1:]...)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, known, "", "  "); err != nil {
		return nil, fmt.Errorf("laying out: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// readMetadata reads what there is. A file that is missing or torn is a state, not an error.
func readMetadata(dir string) (Metadata, MetadataState, error) {
	data, err := borrow.ReadFile(filepath.Join(dir, "metadata.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Metadata{}, MetadataMissing, nil
	}
	if err != nil {
		return Metadata{}, MetadataTorn, fmt.Errorf("reading metadata: %w", err)
	}
	m, state := decodeMetadata(data)
	if state != MetadataOK {
		m.Log = nil // what was counted may belong to a count that was lost
	}
	return m, state, nil
}

// writeMetadata replaces a session's metadata. The caller holds the session's lock, so that temporary files that are
// there are what a killed process left.
func writeMetadata(dir string, m Metadata) error {
	left, err := fs.Glob(os.DirFS(dir), "metadata.json*.tmp-*") // the directory is no part of the pattern
	for _, name := range left {
		_ = os.Remove(filepath.Join(dir, name)) // the next one to write tries again
	}
	data, encodeErr := m.encode()
	if err == nil {
		err = encodeErr
	}
	if err == nil {
		err = ReplaceFile(filepath.Join(dir, "metadata.json"), data)
	}
	if err != nil {
		return fmt.Errorf("writing metadata: %w", err)
	}
	return nil
}
