package sources

import "palimpsest/backend/record"

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
	a.number("contextWindow", w.ContextWindow)
	a.usage("usage", w.Usage)
	a.text("stopReason", w.StopReason)
	a.text("errorMessage", w.ErrorMessage)
	a.text("namespace", w.Namespace)
	if len(w.Data) > 0 {
		a.name("data")
		a.raw(w.Data)
	}
	a.truth("display", w.Display)
	if w.Aside {
		a.truth("aside", &w.Aside)
	}
	if w.ByAgent {
		a.truth("byAgent", &w.ByAgent)
	}
	a.text("timestamp", w.Timestamp)
	a.origin(w.Origin)
	a.out = append(a.out, '}')
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
	a.text("question", f.Question)
	a.text("role", string(f.Role))
	a.said("before", f.Before)
	a.said("after", f.After)
	if f.XML {
		a.truth("xml", &f.XML)
	}
	a.out = append(a.out, '}')
}

func (a *appender) model(m *record.Model) {
	if m == nil {
		return
	}
	a.name("activeModel")
	a.out = append(a.out, '{')
	a.said("provider", m.Provider)
	a.said("model", m.Model)
	a.text("reasoningEffort", m.ReasoningEffort)
	a.number("contextWindow", m.Window)
	if m.Named {
		a.truth("named", &m.Named)
	}
	a.out = append(a.out, '}')
}

func (a *appender) origin(o *origin) {
	if o == nil {
		return
	}
	a.name("origin")
	a.out = append(a.out, '{')
	a.said("agent", o.Agent)
	a.said("session", o.Session)
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
	a.out = append(a.out, '{')
	a.said("type", b.Type)
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
	if b.Aside {
		a.truth("aside", &b.Aside)
	}
	if b.AnyProvider {
		a.truth("anyProvider", &b.AnyProvider)
	}
	if b.SentAsIs {
		a.truth("sentAsIs", &b.SentAsIs)
	}
	if saying {
		a.said("text", b.Text)
	}
	a.out = append(a.out, '}')
}

// usage writes what is known of one.
func (a *appender) usage(name string, u *record.Usage) {
	if u == nil {
		return
	}
	a.name(name)
	a.out = append(a.out, '{')
	for _, n := range [...]struct {
		kind   record.Kinds
		name   string
		tokens int
	}{
		{record.InputTokens, "input", u.Input},
		{record.OutputTokens, "output", u.Output},
		{record.CacheReadTokens, "cacheRead", u.CacheRead},
		{record.CacheWriteTokens, "cacheWrite", u.CacheWrite},
	} {
		if u.Untold&n.kind == 0 {
			a.whole(n.name, int64(n.tokens))
		}
	}
	if u.Cost != nil {
		a.name("cost")
		a.float(*u.Cost)
	}
	a.out = append(a.out, '}')
}
