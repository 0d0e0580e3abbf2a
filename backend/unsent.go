package backend

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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
func (b *Backend) keepQueued(id string, texts []string) {
	b.warnUnkept(id, b.layTexts(b.queuedKey(id), texts))
}

// giveBack lays down messages that did not get into the log, whole, behind those that nobody has taken yet.
func (b *Backend) giveBack(id string, texts ...string) {
	b.returning.Lock()
	defer b.returning.Unlock()
	b.warnUnkept(id, b.addReturned(id, texts))
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
	texts, err := b.textsOnDesk(key)
	if err != nil || len(texts) == 0 {
		return err
	}
	if err := b.addReturned(id, texts); err != nil {
		return err
	}
	return b.layTexts(key, nil)
}

// addReturned needs returning.
func (b *Backend) addReturned(id string, texts []string) error {
	before, err := b.textsOnDesk(deskReturned + id)
	if err != nil {
		return err
	}
	if err := b.layTexts(deskReturned+id, append(before, texts...)); err != nil {
		return err
	}
	b.news.desk(deskReturned+id, "")
	return nil
}

func (b *Backend) textsOnDesk(key string) (texts []string, err error) {
	value, err := b.desk.Get(key)
	if err == nil && json.Unmarshal(value, &texts) != nil {
		err = errors.New("what lies on the desk under " + key + " is no list of texts")
	}
	return texts, err
}

func (b *Backend) layTexts(key string, texts []string) error {
	var value bytes.Buffer
	encoder := json.NewEncoder(&value)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(texts); err != nil { // null for none, which takes the piece away
		return fmt.Errorf("encoding %s: %w", key, err)
	}
	return b.desk.Put(key, value.Bytes())
}

func (b *Backend) warnUnkept(id string, err error) {
	if err != nil && b.warn != nil {
		b.warn(fmt.Errorf("session %s: what was not sent could not be kept: %w", id, err))
	}
}
