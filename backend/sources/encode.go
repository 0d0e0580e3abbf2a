package sources

import (
	"math"
	"slices"
	"strconv"

	"palimpsest/backend/record"
	"palimpsest/backend/wellformed"
)

// appender writes records as encoding/json does, to the byte, and without looking up by reflection what there is to write: a reading
// is mostly this. What it can't write, or would have to think about, is left to encoding/json: then it is not ok.
type appender struct {
	out []byte
	bad bool
}

// nestedMost is how deep values may be nested that are written without asking encoding/json, which draws the line further on.
const nestedMost = 9000

// name writes the name of a member, and the comma before it if it is not the first.
func (a *appender) name(name string) {
	if c := a.out[len(a.out)-1]; c != '{' {
		a.out = append(a.out, ',')
	}
	a.out = append(append(append(a.out, '"'), name...), '"', ':')
}

// text writes a member that is left out if it is empty, whole one that is not.
func (a *appender) text(name, value string) {
	if value != "" {
		a.name(name)
		a.out = appendText(a.out, value)
	}
}

func (a *appender) number(name string, value int64) {
	if value != 0 {
		a.whole(name, value)
	}
}

func (a *appender) whole(name string, value int64) {
	a.name(name)
	a.out = strconv.AppendInt(a.out, value, 10)
}

func (a *appender) optional(name string, value *int64) {
	if value != nil {
		a.whole(name, *value)
	}
}

func (a *appender) optionalText(name string, value *string) {
	if value != nil {
		a.name(name)
		a.out = appendText(a.out, *value)
	}
}

func (a *appender) truth(name string, value *bool) {
	if value != nil {
		a.name(name)
		a.out = strconv.AppendBool(a.out, *value)
	}
}

func (a *appender) texts(name string, values *[]string) {
	if values == nil {
		return
	}
	a.name(name)
	if *values == nil {
		a.out = append(a.out, "null"...)
		return
	}
	a.out = append(a.out, '[')
	for i, value := range *values {
		a.comma(i)
		a.out = appendText(a.out, value)
	}
	a.out = append(a.out, ']')
}

func (a *appender) comma(i int) {
	if i > 0 {
		a.out = append(a.out, ',')
	}
}

// raw writes what is JSON already, without its white space.
func (a *appender) raw(raw []byte) {
	if deep, ok := wellformed.Depth(raw); !ok || deep > nestedMost {
		a.bad = true
		return
	}
	const rest = 1 << 10 // of the record
	a.out = appendCompact(slices.Grow(a.out, len(raw)+rest), raw)
}

func (a *appender) wire(w *wire) {
	a.out = append(a.out, '{')
	a.text("recordType", string(w.RecordType))
	a.number("schemaVersion", int64(w.SchemaVersion))
	a.number("seq", w.Seq)
	a.text("role", string(w.Role))
	if w.Content != nil {
		a.name("content")
		a.blocks(*w.Content)
	}
	a.text("toolCallId", w.ToolCallID)
	a.truth("isError", w.IsError)
	a.text("startedSession", w.Started)
	a.number("firstKeptSeq", w.FirstKeptSeq)
	a.optional("fromSeq", w.FromSeq)
	a.number("targetSeq", w.TargetSeq)
	a.seqs("seqs", w.Seqs)
	a.optionalText("label", w.Label)
	a.optionalText("summary", w.Summary)
	a.frame(w.Frame)
	a.optional("tokensBefore", w.TokensBefore)
	a.optional("tokensAfter", w.TokensAfter)
	a.optional("tokensFreed", w.TokensFreed)
	a.texts("texts", w.Texts)
	a.texts("readFiles", w.ReadFiles)
	a.texts("modifiedFiles", w.ModifiedFiles)
	a.text("trigger", w.Trigger)
	a.text("instructions", w.Instructions)
	a.replacement(w.Replacement)
	a.seqs("keptSeqs", w.KeptSeqs)
	a.model(w.ActiveModel)
	a.text("provider", w.Provider)
	a.text("model", w.Model)
	a.text("reasoningEffort", w.ReasoningEffort)
	a.usage("usage", w.Usage)
	a.text("stopReason", w.StopReason)
	a.text("errorMessage", w.ErrorMessage)
	a.text("namespace", w.Namespace)
	if len(w.Data) > 0 {
		a.name("data")
		a.raw(w.Data)
	}
	a.truth("display", w.Display)
	a.text("timestamp", w.Timestamp)
	a.origin(w.Origin)
	a.out = append(a.out, '}')
}

func (a *appender) seqs(name string, seqs []int64) {
	if len(seqs) == 0 {
		return
	}
	a.name(name)
	a.out = append(a.out, '[')
	for i, seq := range seqs {
		a.comma(i)
		a.out = strconv.AppendInt(a.out, seq, 10)
	}
	a.out = append(a.out, ']')
}

func (a *appender) replacement(parts []wire) {
	if len(parts) == 0 {
		return
	}
	a.name("replacement")
	a.out = append(a.out, '[')
	for i := range parts {
		a.comma(i)
		a.wire(&parts[i])
	}
	a.out = append(a.out, ']')
}

func (a *appender) frame(f *record.Frame) {
	if f == nil {
		return
	}
	a.name("frame")
	a.out = append(a.out, '{')
	if f.Question != "" {
		a.out = append(appendText(append(a.out, `"question":`...), f.Question), ',')
	}
	if f.Role != "" {
		a.out = append(appendText(append(a.out, `"role":`...), string(f.Role)), ',')
	}
	a.out = appendText(append(a.out, `"before":`...), f.Before)
	a.out = appendText(append(a.out, `,"after":`...), f.After)
	a.out = append(a.out, '}')
}

func (a *appender) model(m *record.Model) {
	if m == nil {
		return
	}
	a.name("activeModel")
	a.out = append(a.out, `{"provider":`...)
	a.out = appendText(a.out, m.Provider)
	a.out = append(a.out, `,"model":`...)
	a.out = appendText(a.out, m.Model)
	a.text("reasoningEffort", m.ReasoningEffort)
	if m.Named {
		a.truth("named", &m.Named)
	}
	a.out = append(a.out, '}')
}

// float writes a number as JavaScript does, but for the very large and the very small ones.
func (a *appender) float(f float64) {
	const least, most = 1e-6, 1e21
	if size := math.Abs(f); size != 0 && !(least <= size && size < most) {
		a.bad = true
		return
	}
	a.out = strconv.AppendFloat(a.out, f, 'f', -1, 64)
}

func (a *appender) origin(o *origin) {
	if o == nil {
		return
	}
	a.name("origin")
	a.out = append(a.out, `{"agent":`...)
	a.out = appendText(a.out, o.Agent)
	a.out = append(a.out, `,"session":`...)
	a.out = appendText(a.out, o.Session)
	a.text("entry", o.Entry)
	a.text("same", o.Same)
	if o.Copied {
		a.truth("copied", &o.Copied)
	}
	a.usage("took", o.Took)
	a.out = append(a.out, '}')
}

func (a *appender) blocks(blocks []Block) {
	if blocks == nil {
		a.out = append(a.out, "null"...)
		return
	}
	a.out = append(a.out, '[')
	for i := range blocks {
		a.comma(i)
		a.block(&blocks[i])
	}
	a.out = append(a.out, ']')
}

// block writes one as [Block.MarshalJSON] does.
func (a *appender) block(b *Block) {
	if b.Raw != nil {
		a.raw(b.Raw)
		return
	}
	a.out = append(a.out, `{"type":`...)
	a.out = appendText(a.out, b.Type)
	saying := b.Type == "text" || b.Type == "thinking"
	if !saying {
		a.text("text", b.Text)
	}
	a.text("signature", b.Signature)
	a.text("id", b.ID)
	a.text("name", b.Name)
	given := b.Arguments
	if b.Type == "toolCall" {
		given = arguments(given)
	}
	if len(given) > 0 {
		a.name("arguments")
		a.raw(given)
	}
	a.text("startedSession", b.Started)
	a.text("mediaType", b.MediaType)
	a.text("blob", b.Blob)
	a.number("bytes", int64(b.Bytes))
	if saying {
		a.name("text")
		a.out = appendText(a.out, b.Text)
	}
	a.out = append(a.out, '}')
}
