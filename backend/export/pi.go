// Package export writes sessions in the formats of others.
package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Session is what the first line of a file of pi says.
type Session struct {
	ID, Name, Cwd, Model string
	CreatedAt            time.Time
}

// Pi writes a session as pi, version 3 of its format, would have it: each record is an entry, branches are its tree's, and what the model
// sees is the same. Compactions and prunes that were undone are left out, since pi undoes nothing; so is what is damaged.
type Pi struct {
	out  io.Writer
	blob func(sha string) ([]byte, error)
	// leaf is the entry that the next one goes on from, "" for none; moved tells that the last line is another one.
	leaf  string
	moved bool
	// places are the entries by seq, in order.
	places []entryOf
	tools  map[string]string
	sizes  map[int64]int
	model  record.Model
	at     time.Time
	err    error
}

type entryOf struct {
	seq int64
	id  string
}

// NewPi begins a file. Blob returns what is kept beside the log.
func NewPi(out io.Writer, s Session, blob func(sha string) ([]byte, error)) *Pi {
	p := &Pi{out: out, blob: blob, tools: map[string]string{}, sizes: map[int64]int{}, at: s.CreatedAt}
	p.line(object{"type": "session", "version": 3, "id": piID(s.ID), "timestamp": clock(s.CreatedAt), "cwd": s.Cwd})
	if s.Name != "" {
		p.entry("name", "session_info", object{"name": s.Name})
	}
	return p
}

type object map[string]any

var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// piID is an id that pi takes.
func piID(id string) string {
	return strings.ToLower(strings.Trim(notInID.ReplaceAllString(id, "-"), "._-"))
}

func clock(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// Add writes a record. Undone tells that it does not apply any more.
func (p *Pi) Add(rec *record.Record, undone bool) error {
	if !rec.Time.IsZero() {
		p.at = rec.Time
	}
	id := fmt.Sprintf("%08x", rec.Seq)
	switch {
	case undone || rec.Revert != nil:
	case rec.Message != nil:
		p.message(id, rec)
	case rec.Compaction != nil:
		p.compaction(id, rec)
	case rec.Branch != nil:
		p.branch(id, rec)
	case rec.Prune != nil:
		p.prune(id, rec.Prune)
	case rec.Label != nil:
		p.label(id, rec.Label)
	case rec.Model != nil:
		p.switchTo(id, *rec.Model)
	case rec.Note != nil:
		p.note(id, rec)
	default:
		p.entry(id, "custom", object{"customType": "palimpsest." + string(rec.Type), "data": json.RawMessage(rec.JSON)})
	}
	p.places = append(p.places, entryOf{rec.Seq, p.leaf})
	return p.err
}

// End writes what is missing: pi goes on from the last line.
func (p *Pi) End() error {
	if p.moved {
		p.entry("end", "custom", object{"customType": "palimpsest.branch"})
	}
	return p.err
}

// entry writes one behind the leaf, and is the leaf from then on.
func (p *Pi) entry(id, kind string, members object) {
	members["type"], members["id"], members["parentId"], members["timestamp"] = kind, id, nil, clock(p.at)
	if p.leaf != "" {
		members["parentId"] = p.leaf
	}
	p.line(members)
	p.leaf, p.moved = id, false
}

func (p *Pi) line(members object) {
	if p.err != nil {
		return
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if p.err = enc.Encode(members); p.err == nil {
		_, p.err = p.out.Write(out.Bytes())
	}
	if p.err != nil {
		p.err = fmt.Errorf("writing the session: %w", p.err)
	}
}

// from is the entry that stands for a record, or for the nearest before it.
func (p *Pi) from(seq int64) string {
	for _, place := range slices.Backward(p.places) {
		if place.seq <= seq {
			return place.id
		}
	}
	return ""
}

func (p *Pi) branch(id string, rec *record.Record) {
	b := rec.Branch
	if b.FromSeq >= rec.Seq {
		return
	}
	p.leaf, p.moved = p.from(b.FromSeq), true
	if b.FromSeq == 0 {
		p.leaf = ""
	}
	if b.Summary != "" {
		from := p.leaf
		if from == "" {
			from = "root"
		}
		p.entry(id, "branch_summary", object{"fromId": from, "summary": b.Summary})
	}
}

// compaction keeps from an entry. One that keeps what does not stand together begins a branch with what it keeps.
func (p *Pi) compaction(id string, rec *record.Record) {
	c := rec.Compaction
	if len(c.Replacement) > 0 {
		p.leaf = ""
		for i := range c.Replacement {
			p.put(fmt.Sprintf("%s-%d", id, i), &c.Replacement[i])
		}
		return
	}
	kept := id
	if at := sort.Search(len(p.places), func(i int) bool { return p.places[i].seq >= c.FirstKeptSeq }); at < len(p.places) {
		kept = p.places[at].id
	}
	p.entry(id, "compaction", object{
		"summary": c.Summary, "firstKeptEntryId": kept, "tokensBefore": c.TokensBefore,
		"details": object{"readFiles": orNone(c.ReadFiles), "modifiedFiles": orNone(c.ModifiedFiles)},
	})
}

func orNone(names []string) []string { return append([]string{}, names...) }

func (p *Pi) prune(id string, prune *record.Prune) {
	for i, seq := range prune.Seqs {
		if size, ok := p.sizes[seq]; ok {
			text := object{"type": "text", "text": fmt.Sprintf("[tool result cleared: %d tokens]", size)}
			p.entry(fmt.Sprintf("%s-%d", id, i), "context_edit", object{"targetId": fmt.Sprintf("%08x", seq), "replacement": object{"content": []any{text}}})
		}
	}
}

func (p *Pi) label(id string, label *record.Label) {
	if target := p.from(label.TargetSeq); target != "" {
		members := object{"targetId": target}
		if label.Label != "" {
			members["label"] = label.Label
		}
		p.entry(id, "label", members)
	}
}

func (p *Pi) switchTo(id string, m record.Model) {
	if m.Provider != p.model.Provider || m.Model != p.model.Model {
		p.entry(id, "model_change", object{"provider": m.Provider, "modelId": m.Model})
		id += "-effort"
	}
	if m.ReasoningEffort != p.model.ReasoningEffort && m.ReasoningEffort != "" {
		p.entry(id, "thinking_level_change", object{"thinkingLevel": m.ReasoningEffort})
	}
	p.model = m
}

func (p *Pi) note(id string, rec *record.Record) {
	n := rec.Note
	if len(n.Content) > 0 {
		p.entry(id, "custom_message", object{"customType": n.Namespace, "content": p.blocks(n.Content), "display": n.Display})
		return
	}
	p.entry(id, "custom", object{"customType": n.Namespace, "data": json.RawMessage(orNull(gjson.Get(rec.JSON, "data").Raw))})
}

func orNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}

// errNoBlob is what stands where something that was kept beside the log is missing.
var errNoBlob = errors.New("not kept")

func (p *Pi) whole(sha string) ([]byte, error) {
	if p.blob == nil || sha == "" {
		return nil, errNoBlob
	}
	return p.blob(sha)
}

// middle is what stands for the part of a long text that is kept beside the log.
var middle = regexp.MustCompile(`\n\[… (\d+) bytes …\]\n`)

// text is a text with its middle, if that was only cut out to keep the line short. What a model was shown in short stays so.
func (p *Pi) text(b *record.Block) string {
	at := middle.FindStringSubmatchIndex(b.Text)
	if at == nil {
		return b.Text
	}
	data, err := p.whole(b.Blob)
	head, tail := b.Text[:at[0]], b.Text[at[1]:]
	cut, _ := strconv.Atoi(b.Text[at[2]:at[3]]) // one that is too large for it fits nothing
	if err != nil || len(head)+cut+len(tail) != len(data) || !bytes.HasPrefix(data, []byte(head)) || !bytes.HasSuffix(data, []byte(tail)) {
		return b.Text
	}
	return string(data)
}

func (p *Pi) blocks(content []record.Block) []any {
	out := []any{}
	for i := range content {
		b := &content[i]
		switch b.Kind {
		case record.BlockText:
			out = append(out, object{"type": "text", "text": p.text(b)})
		case record.BlockThinking:
			thinking := object{"type": "thinking", "thinking": b.Text}
			if signature := gjson.Get(b.JSON, "signature").Str; signature != "" {
				thinking["thinkingSignature"] = signature
			}
			out = append(out, thinking)
		case record.BlockToolCall:
			p.tools[b.ID] = b.Name
			out = append(out, object{"type": "toolCall", "id": b.ID, "name": b.Name, "arguments": json.RawMessage(b.Arguments)})
		case record.BlockImage:
			mediaType := gjson.Get(b.JSON, "mediaType").Str
			data, err := p.whole(b.Blob)
			if err != nil {
				out = append(out, object{"type": "text", "text": "[an image that was not kept]"})
				continue
			}
			out = append(out, object{"type": "image", "data": base64.StdEncoding.EncodeToString(data), "mimeType": mediaType})
		case record.BlockUnknown:
			out = append(out, json.RawMessage(b.JSON))
		}
	}
	return out
}

func (p *Pi) message(id string, rec *record.Record) {
	if rec.Message.Role == record.RoleToolResult {
		p.sizes[rec.Seq] = overlay.Estimate(rec.Message.Content)
	}
	p.put(id, rec.Message)
}

// put writes a message as an entry.
func (p *Pi) put(id string, m *record.Message) {
	message := object{"role": m.Role, "content": p.blocks(m.Content), "timestamp": p.at.UnixMilli()}
	switch m.Role {
	case record.RoleUser:
	case record.RoleToolResult:
		message["toolCallId"], message["toolName"], message["isError"] = m.ToolCallID, p.tools[m.ToolCallID], m.IsError
	case record.RoleAssistant:
		model, provider := m.Model, m.Provider
		if model == "" {
			model, provider = p.model.Model, p.model.Provider
		}
		p.model.Model, p.model.Provider = model, provider
		message["api"], message["model"], message["provider"], message["usage"] = "openai-completions", model, provider, usageOf(m.Usage)
		if message["stopReason"] = m.StopReason; m.StopReason == "" {
			message["stopReason"] = "stop"
		}
		if m.ErrorMessage != "" {
			message["errorMessage"] = m.ErrorMessage
		}
	}
	p.entry(id, "message", object{"message": message})
}

// usageOf is all zero where nothing was reported, as pi has it.
func usageOf(u *record.Usage) object {
	if u == nil {
		u = &record.Usage{}
	}
	cost := 0.0
	if u.Cost != nil {
		cost = *u.Cost
	}
	return object{
		"input": u.Input, "output": u.Output, "cacheRead": u.CacheRead, "cacheWrite": u.CacheWrite,
		"totalTokens": u.Input + u.Output + u.CacheRead + u.CacheWrite,
		"cost":        object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": cost},
	}
}
