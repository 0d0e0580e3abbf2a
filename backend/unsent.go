package backend

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"palimpsest/backend/agent"
)

// What lies on the desk of the messages to a session that are not in its log: those that wait for the turn before them,
// and those that came back and that somebody is to have in the field again.
const (
	deskQueued   = "queued"
	deskReturned = "returned."
)

// queuedKey is that of what waits in this program: another one may have messages to the same session waiting.
func (b *Backend) queuedKey(id string) string { return deskQueued + b.tag + "." + id }

// newTag tells programs apart, as part of a key of the desk.
func newTag() string {
	return strings.Map(func(r rune) rune { return 'a' + r%26 }, rand.Text())
}

// keepQueued lays down the messages that wait, so that a crash does not lose them.
func (b *Backend) keepQueued(id string, waiting []agent.Content) {
	b.warnUnkept(id, b.layMessages(b.queuedKey(id), waiting))
}

// giveBack lays down messages that did not get into the log, whole, behind those that nobody has taken yet.
func (b *Backend) giveBack(id string, messages ...agent.Content) {
	b.returning.Lock()
	defer b.returning.Unlock()
	b.warnUnkept(id, b.addReturned(id, messages))
}

// giveBackQueued gives back what waited in programs that are no more. Nobody may be at the session.
func (b *Backend) giveBackQueued(id string) {
	b.returning.Lock()
	defer b.returning.Unlock()
	keys, err := b.desk.Keys()
	for _, key := range keys {
		if strings.HasPrefix(key, deskQueued) && strings.HasSuffix(key, "."+id) {
			err = errors.Join(err, b.giveBackPiece(id, key))
		}
	}
	b.warnUnkept(id, err)
}

// giveBackPiece needs returning.
func (b *Backend) giveBackPiece(id, key string) error {
	messages, err := b.messagesOnDesk(key)
	if err != nil || len(messages) == 0 {
		return err
	}
	// It may have been killed between the log and what waits.
	logged := b.inLog(id, keysOf(messages))
	messages = slices.DeleteFunc(messages, func(one agent.Content) bool { return logged[one.Key] })
	if err := b.addReturned(id, messages); err != nil {
		return err
	}
	return b.layMessages(key, nil)
}

// addReturned needs returning.
func (b *Backend) addReturned(id string, messages []agent.Content) error {
	before, err := b.messagesOnDesk(deskReturned + id)
	if err != nil {
		return err
	}
	if err := b.layMessages(deskReturned+id, append(before, messages...)); err != nil {
		return err
	}
	b.news.desk(deskReturned+id, "")
	return nil
}

func (b *Backend) messagesOnDesk(key string) (messages []agent.Content, err error) {
	value, err := b.desk.Get(key)
	if err == nil && json.Unmarshal(value, &messages) != nil {
		err = errors.New("what lies on the desk under " + key + " is no list of messages")
	}
	return messages, err
}

func (b *Backend) layMessages(key string, messages []agent.Content) error {
	var value bytes.Buffer
	encoder := json.NewEncoder(&value)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(messages); err != nil { // null for none, which takes the piece away
		return fmt.Errorf("encoding %s: %w", key, err)
	}
	return b.desk.Put(key, value.Bytes())
}

func (b *Backend) warnUnkept(id string, err error) {
	if err != nil && b.warn != nil {
		b.warn(fmt.Errorf("session %s: what was not sent could not be kept: %w", id, err))
	}
}
