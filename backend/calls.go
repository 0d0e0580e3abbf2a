package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// callsOf finds the tool calls of a session that started others, by the ids of those. A session that can't be read tells of none.
func (b *Backend) callsOf(ctx context.Context, id string, started []*sources.Found) (map[string]*Call, error) {
	if err := b.Prepare(ctx, id); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("session %s: %w", id, context.Cause(ctx))
		}
		return nil, nil // its children are there all the same
	}
	w := watched{calls: map[string]int64{}, of: map[string]Call{}}
	err := b.Show(ctx, id, ShowOptions{}, func(line *Shown) error {
		w.line(line.JSON)
		return nil
	})
	found := map[string]*Call{}
	for _, one := range started {
		if call, ok := w.find(one); ok {
			found[one.ID] = &call
		}
	}
	return found, err
}

// watched is what the lines of a log tell of calls and of what they started.
type watched struct {
	// calls are the records that hold them, by id; of says which call started a session.
	calls map[string]int64
	of    map[string]Call
}

// line takes one. Of the many that hold neither a call nor a mark nothing is read.
func (w *watched) line(text []byte) {
	marked := bytes.Contains(text, []byte(`"startedSession":`))
	if !marked && !bytes.Contains(text, []byte(`"toolCall"`)) {
		return
	}
	rec := gjson.ParseBytes(text)
	seq := rec.Get("seq").Int()
	rec.Get("content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "toolCall" {
			w.calls[block.Get("id").Str] = seq
			w.started(block, block.Get("id").Str)
		}
		return true
	})
	if marked {
		w.started(rec, rec.Get("toolCallId").Str)
	}
}

// started notes which session a call has started: who is called again later was started by the first.
func (w *watched) started(by gjson.Result, call string) {
	name := by.Get("startedSession").Str
	seq, known := w.calls[call]
	if _, twice := w.of[name]; name != "" && known && !twice {
		w.of[name] = Call{Seq: seq, ID: call}
	}
}

// withoutMark is a block as the model sees it: what a reading notes of what a call started is no part of it.
func withoutMark(block []byte) json.RawMessage {
	if !bytes.Contains(block, []byte(`"startedSession":`)) {
		return block
	}
	var out bytes.Buffer
	gjson.ParseBytes(block).ForEach(func(name, value gjson.Result) bool {
		if name.Str != "startedSession" {
			sign := byte('{')
			if out.Len() > 0 {
				sign = ','
			}
			out.WriteByte(sign)
			out.WriteString(name.Raw + ":" + value.Raw)
		}
		return true
	})
	out.WriteByte('}')
	return out.Bytes()
}

// find is the call that started a session, as that one or its parent tells.
func (w *watched) find(child *sources.Found) (Call, bool) {
	if seq, ok := w.calls[child.Call]; ok && child.Call != "" {
		return Call{Seq: seq, ID: child.Call}, true
	}
	for _, name := range []string{child.ID, child.Key} {
		if call, ok := w.of[name]; ok && name != "" {
			return call, true
		}
	}
	return Call{}, false
}
