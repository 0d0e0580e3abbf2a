package backend

import (
	"encoding/json"
	"fmt"

	"palimpsest/backend/desk"
)

// DeskMost bounds a piece on the desk, in bytes.
const DeskMost = desk.Most

// DeskPiece is what lies on the desk under a key; null if nothing does.
type DeskPiece struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// deskNews says which piece changed, and who changed it, as far as that is known.
type deskNews struct {
	Key string `json:"key"`
	By  string `json:"by"`
}

// DeskKeys lists what lies unfinished on the desk.
func (b *Backend) DeskKeys() ([]string, error) {
	return b.desk.Keys()
}

// DeskPiece reads a piece.
func (b *Backend) DeskPiece(key string) (DeskPiece, error) {
	value, err := b.desk.Get(key)
	if err != nil {
		return DeskPiece{}, err
	}
	return DeskPiece{key, b.unsettled(key, value)}, nil
}

// LayOnDesk replaces a piece, or takes it away with null. Who did it is handed on with the news.
func (b *Backend) LayOnDesk(key string, value json.RawMessage, by string) (DeskPiece, error) {
	if err := b.desk.Put(key, value); err != nil {
		return DeskPiece{}, err
	}
	b.news.desk(key, by)
	return DeskPiece{key, value}, nil
}

// clearDesk takes away what lay there of a session that is no more.
func (b *Backend) clearDesk(id string) error {
	if err := b.desk.Clear(id); err != nil {
		return fmt.Errorf("session %s is deleted, but not what lay on the desk of it: %w", id, err)
	}
	return nil
}
