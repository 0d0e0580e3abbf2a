package backend

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"palimpsest/backend/agent"
	"palimpsest/backend/library"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// What a window lays down of the field of a session and of what is attached there, and of the messages that left them and are not
// taken yet.
const (
	deskUnsent   = "unsent."
	deskAttached = "attached."
)

const (
	// messageKeyMost bounds what a window calls a message.
	messageKeyMost = 64
	// settledMost is how many messages are remembered; of others the log is asked.
	settledMost = 1000
	// settledWithin is how much of the end of a log is looked through for a message that was taken.
	settledWithin = 64 << 20
)

// settled are the messages, by the keys their windows gave them, that are not on their way any more: taken, or handed back. Of those
// what a window said last before it was gone does not count.
type settled struct {
	mu   sync.Mutex
	keys []string
}

// onItsWay is a message that a window is sending, or an image of one; By is empty for what is not sent.
type onItsWay struct {
	By  string `json:"by"`
	Key string `json:"key"`
}

// settle tells the other windows.
func (b *Backend) settle(id string, m Outgoing) {
	if m.Key == "" {
		return
	}
	b.settled.mu.Lock()
	b.settled.keys = append(b.settled.keys, m.Key)
	b.settled.keys = b.settled.keys[max(0, len(b.settled.keys)-settledMost):]
	b.settled.mu.Unlock()
	b.news.desk(deskUnsent+id, m.By)
	b.news.desk(deskAttached+id, m.By)
}

func (s *settled) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.keys, key)
}

// unsettled is a piece without the messages that are not on their way any more.
func (b *Backend) unsettled(key string, value json.RawMessage) json.RawMessage {
	var all, sending []json.RawMessage
	var object map[string]json.RawMessage
	id, isText := strings.CutPrefix(key, deskUnsent)
	switch {
	case isText && bytes.HasPrefix(value, []byte("{")) && json.Unmarshal(value, &object) == nil:
		_ = json.Unmarshal(object["sending"], &all) // what is no list has nothing on its way
	case !isText && strings.HasPrefix(key, deskAttached):
		id = strings.TrimPrefix(key, deskAttached)
		_ = json.Unmarshal(value, &all)
	}
	if sending = b.stillOnTheirWay(id, all); len(sending) == len(all) {
		return value
	}
	var changed any = sending
	if isText {
		object["sending"], _ = json.Marshal(sending) // of JSON that was read
		changed = object
	}
	text, err := json.Marshal(changed)
	if err != nil {
		return value
	}
	return text
}

// stillOnTheirWay are those of the messages and files that are not settled.
func (b *Backend) stillOnTheirWay(id string, all []json.RawMessage) []json.RawMessage {
	keys := make([]string, len(all))
	var asked []string
	for i, one := range all {
		var m onItsWay
		if json.Unmarshal(one, &m) == nil && m.By != "" && m.Key != "" {
			keys[i] = m.Key
			if !slices.Contains(asked, m.Key) {
				asked = append(asked, m.Key)
			}
		}
	}
	done := b.settledOf(id, asked)
	left := []json.RawMessage{}
	for i, one := range all {
		if !done[keys[i]] {
			left = append(left, one)
		}
	}
	return left
}

// settledOf tells which of these are settled: as is remembered, as lies on the desk and, of the rest, as the log has it.
func (b *Backend) settledOf(id string, keys []string) map[string]bool {
	done := map[string]bool{}
	if len(keys) == 0 {
		return done
	}
	lying := keysOf(b.waitingOrReturned(id))
	var unknown []string
	for _, key := range keys {
		if b.settled.has(key) || slices.Contains(lying, key) {
			done[key] = true
		} else {
			unknown = append(unknown, key)
		}
	}
	for key := range b.inLog(id, unknown) {
		done[key] = true
	}
	return done
}

// waitingOrReturned are the messages to a session that some program has, or had and handed back.
func (b *Backend) waitingOrReturned(id string) (messages []agent.Content) {
	pieces, _ := b.desk.Keys() // what can't be read tells of nothing
	for _, piece := range pieces {
		if strings.HasSuffix(piece, "."+id) && (strings.HasPrefix(piece, deskQueued) || strings.HasPrefix(piece, deskReturned)) {
			some, _ := b.messagesOnDesk(piece)
			messages = append(messages, some...)
		}
	}
	return messages
}

// inLog tells which of these messages the end of the log holds.
func (b *Backend) inLog(id string, keys []string) map[string]bool {
	found := map[string]bool{}
	if len(keys) == 0 || library.IsRef(id) {
		return found
	}
	log, err := b.store.OpenLog(id)
	if err != nil {
		return found
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return found
	}
	back := session.NewReverse(log, info.Size())
	for len(found) < len(keys) {
		entry, err := back.Prev()
		if err != nil || info.Size()-entry.End > settledWithin {
			break
		}
		if entry.Role != record.RoleUser {
			continue
		}
		if key := gjson.GetBytes(entry.Line, "sentAs").String(); slices.Contains(keys, key) {
			found[key] = true
		}
	}
	return found
}

// keysOf are those of the messages that have one.
func keysOf(messages []agent.Content) (keys []string) {
	for _, one := range messages {
		if one.Key != "" {
			keys = append(keys, one.Key)
		}
	}
	return keys
}
