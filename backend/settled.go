package backend

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// deskUnsent is what a window lays down of the field of a session, and of the messages that left it and are not taken yet.
const deskUnsent = "unsent."

// settledMost is how many messages are remembered: what a window that is gone said of one is put right by the next that looks.
const settledMost = 1000

// settled are the messages, by the keys their windows gave them, that are not on their way any more: taken, or handed back. Of those
// what a window said last before it was gone does not count.
type settled struct {
	mu   sync.Mutex
	keys []string
}

// onItsWay is a message that a window is sending.
type onItsWay struct {
	By   string `json:"by"`
	Text string `json:"text"`
	Key  string `json:"key"`
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
}

func (s *settled) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return key != "" && slices.Contains(s.keys, key)
}

// unsettled is a piece without the messages that are not on their way any more.
func (s *settled) unsettled(key string, value json.RawMessage) json.RawMessage {
	var lying struct {
		Text    string     `json:"text"`
		Sending []onItsWay `json:"sending"`
	}
	if !strings.HasPrefix(key, deskUnsent) || !bytes.HasPrefix(value, []byte("{")) || json.Unmarshal(value, &lying) != nil {
		return value
	}
	before := len(lying.Sending)
	lying.Sending = slices.DeleteFunc(lying.Sending, func(one onItsWay) bool { return s.has(one.Key) })
	if len(lying.Sending) == before {
		return value
	}
	changed, err := json.Marshal(lying)
	if err != nil {
		return value
	}
	return changed
}
