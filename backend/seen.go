package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// Seen is what the model sees, but for its messages, which are read when they are asked for: all of them may be as long as the session.
// Close ends it.
type Seen struct {
	Context

	before  []Message // what is injected
	light   *overlay.Context
	records *session.Recall
	ends    []func()
}

// Len is how many messages there are, 0 where they were left out.
func (s *Seen) Len() int {
	n := len(s.before)
	if s.light != nil {
		n += s.light.Len()
	}
	return n
}

// Message reads one of them; one behind the other is cheapest.
func (s *Seen) Message(i int) (Message, error) {
	if i < len(s.before) {
		return s.before[i], nil
	}
	light := s.light.Message(i - len(s.before))
	m, err := s.light.Whole(&light, s.records.At)
	if err != nil {
		return Message{}, fmt.Errorf("session %s: %w", s.SessionID, err)
	}
	return messageOf(&m), nil
}

// Close lets go of the log.
func (s *Seen) Close() {
	for _, end := range s.ends {
		end()
	}
}

// See reads a session from its end and returns what the model sees. Its cost is that of the context, not of the log, and what it remembers
// of each message is beside memory.
func (b *Backend) See(id string, opts ContextOptions) (*Seen, error) {
	s := &Seen{}
	if err := b.see(s, id, opts); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (b *Backend) see(s *Seen, id string, opts ContextOptions) error {
	meta, log, err := b.openLog(id)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, func() { _ = log.Close() }) // opened for reading
	end, err := lengthOf(id, &meta, log)
	if err != nil {
		return err
	}
	told, err := b.inject(id)
	if err != nil {
		return err
	}
	if opts.Injected {
		s.before = injectedMessages(&told)
	}
	if opts.WithoutMessages && opts.At == 0 && end > states.ExactBytes {
		rough, ok, err := b.roughContext(id, &told, opts)
		if ok || err != nil {
			s.Context = rough
			return err
		}
	}
	if end > leanFrom {
		lean := leanly() // not for the messages, of which little is held: what there is of all would be gone through again and again
		defer func() {
			lean()
			runtime.GC()
		}()
	}
	if opts.At != 0 {
		if _, end, err = session.FindBackward(log, end, opts.At); err != nil {
			return fmt.Errorf("session %s: %w", id, err)
		}
	}
	back := session.NewReverse(log, end)
	resolved, err := overlay.Resolve(back, overlay.Options{Model: meta.Model, Light: true, Unexplained: true})
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	b.learn(context.Background(), &resolved, contextWait)
	s.Context = b.contextOf(id, &resolved, &told, opts)
	s.Damage = append(s.Damage, allLost(theirs(id, meta), back.Damage())...)
	if !opts.WithoutMessages {
		s.keep(log, end, &resolved)
	}
	return nil
}

// keep has messages read from a log.
func (s *Seen) keep(log io.ReaderAt, end int64, light *overlay.Context) {
	s.light, s.records = light, session.NewRecall(log, end)
	s.ends = append(s.ends, s.records.Close)
}

func messageOf(m *overlay.Message) Message {
	out := Message{Seq: m.Seq, Role: string(m.Role), Content: []json.RawMessage{}, Overlay: m.Overlay}
	if m.Role == "toolResult" {
		out.ToolCallID, out.IsError = &m.ToolCallID, &m.IsError
	}
	for _, block := range m.Content {
		// The bytes are those of the text, which nobody writes to.
		out.Content = append(out.Content, withoutMark(unsafe.Slice(unsafe.StringData(block.JSON), len(block.JSON))))
	}
	return out
}
