package backend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"palimpsest/backend/session"
)

// Where what was written for a session that is yet to begin lies on the desk.
const (
	deskFresh         = "unsent"
	deskFreshAttached = "attached"
)

// fieldPiece is what lies on the desk of a field.
type fieldPiece struct {
	Text    string            `json:"text"`
	Sending []json.RawMessage `json:"sending"`
}

// begin makes the session that a message is for, once. The message lies with it before it is there: whoever dies in between leaves no
// session without it.
func (b *Backend) begin(key string, made session.New) (Session, error) {
	if len(key) > messageKeyMost {
		return Session{}, fmt.Errorf("%w: the key of a message may have %d bytes", session.ErrInput, messageKeyMost)
	}
	b.beginning.Lock()
	defer b.beginning.Unlock()
	if begun := b.begunFor(key); begun != "" {
		return b.Get(begun)
	}
	var id string
	var message, files []json.RawMessage
	made.Before = func(made string) (err error) {
		id = made
		if message, files, err = b.freshOf(key); err != nil {
			return err
		}
		if len(message) > 0 {
			err = b.layValue(deskUnsent+id, fieldPiece{Sending: message})
		}
		if err == nil && len(files) > 0 {
			err = b.layValue(deskAttached+id, files)
		}
		return err
	}
	m, err := b.store.Create(made)
	if err != nil {
		if id != "" {
			b.warnOf(b.desk.Clear(id))
		}
		return Session{}, err
	}
	if len(message)+len(files) > 0 {
		b.warnUnkept(m.ID, b.leaveFresh(key))
	}
	return b.Get(m.ID)
}

// begunFor is the session with which a message lies, if there is one.
func (b *Backend) begunFor(key string) (id string) {
	pieces, _ := b.desk.Keys() // what can't be read tells of nothing
	for _, piece := range pieces {
		word, id, _ := strings.Cut(piece, ".")
		if id == "" || word != deskFresh && word != deskFreshAttached {
			continue
		}
		value, err := b.desk.Get(piece)
		if err != nil {
			continue
		}
		if of, _ := apart(sendingIn(value), key); len(of) > 0 {
			if _, err := b.store.Get(id); err == nil {
				return id
			}
		}
	}
	return ""
}

// freshOf is what lies on the desk of a message that is yet to have a session.
func (b *Backend) freshOf(key string) (message, files []json.RawMessage, err error) {
	text, err := b.desk.Get(deskFresh)
	if err != nil {
		return nil, nil, err
	}
	attached, err := b.desk.Get(deskFreshAttached)
	if err != nil {
		return nil, nil, err
	}
	message, _ = apart(sendingIn(text), key)
	files, _ = apart(sendingIn(attached), key)
	return message, files, nil
}

// leaveFresh takes away from the field of no session what lies with one.
func (b *Backend) leaveFresh(key string) error {
	text, err := b.desk.Get(deskFresh)
	if err != nil {
		return err
	}
	var field fieldPiece
	if json.Unmarshal(text, &field) == nil {
		var of []json.RawMessage
		if of, field.Sending = apart(field.Sending, key); len(of) > 0 {
			if err := b.layValue(deskFresh, field); err != nil {
				return err
			}
			b.news.desk(deskFresh, senderOf(of))
		}
	}
	attached, err := b.desk.Get(deskFreshAttached)
	if err != nil {
		return err
	}
	of, left := apart(sendingIn(attached), key)
	if len(of) == 0 {
		return nil
	}
	if err := b.layValue(deskFreshAttached, left); err != nil {
		return err
	}
	b.news.desk(deskFreshAttached, senderOf(of))
	return nil
}

func (b *Backend) layValue(key string, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("encoding %s: %w", key, err)
	}
	return b.desk.Put(key, text.Bytes())
}

// sendingIn are the messages on their way in a piece, or its files.
func sendingIn(value json.RawMessage) (all []json.RawMessage) {
	var field fieldPiece
	if json.Unmarshal(value, &field) == nil {
		return field.Sending
	}
	_ = json.Unmarshal(value, &all) // of a text there are none
	return all
}

// apart are those that belong to a message, and the others.
func apart(all []json.RawMessage, key string) (of, others []json.RawMessage) {
	others = []json.RawMessage{}
	for _, one := range all {
		var m onItsWay
		if json.Unmarshal(one, &m) == nil && m.By != "" && m.Key == key {
			of = append(of, one)
		} else {
			others = append(others, one)
		}
	}
	return of, others
}

// senderOf is the window that sends these: it is not told of what becomes of them.
func senderOf(of []json.RawMessage) string {
	var m onItsWay
	_ = json.Unmarshal(of[0], &m) // it was read before
	return m.By
}
