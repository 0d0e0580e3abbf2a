package record

import (
	"math"

	"github.com/tidwall/gjson"
)

func decodeBody(r *Record, object gjson.Result) {
	switch r.Type {
	case TypeMessage:
		r.Message = decodeMessage(object)
	case TypeCompaction:
		r.Compaction = decodeCompaction(object)
	case TypeBranch:
		f := fieldsOf(object, "fromSeq", "fromOffset", "summary", "frame", "activeModel")
		from, ok := integer(f["fromSeq"])
		if !ok || from < 0 {
			// Not below its own seq: a branch from nowhere is one without effect.
			from = r.Seq
		}
		r.Branch = &Branch{
			FromSeq: from, FromOffset: number(f["fromOffset"]),
			Summary: text(f["summary"]), Frame: decodeFrame(f["frame"]), ActiveModel: decodeModel(f["activeModel"]),
		}
	case TypeRevert:
		r.Revert = &Revert{TargetSeq: number(fieldsOf(object, "targetSeq")["targetSeq"])}
	case TypePrune:
		f := fieldsOf(object, "seqs", "tokensFreed", "texts")
		r.Prune = &Prune{Seqs: seqList(f["seqs"]), TokensFreed: number(f["tokensFreed"])}
		if texts := f["texts"]; texts.IsArray() && len(texts.Array()) == len(r.Prune.Seqs) { // else nobody knows which is whose
			for _, one := range texts.Array() {
				r.Prune.Texts = append(r.Prune.Texts, text(one))
			}
		}
	case TypeLabel:
		f := fieldsOf(object, "targetSeq", "label")
		r.Label = &Label{TargetSeq: number(f["targetSeq"]), Label: text(f["label"])}
	case TypeModel:
		r.Model = decodeModel(object)
	case TypeNote:
		f := fieldsOf(object, "namespace", "content", "role", "display", "aside")
		r.Note = &Note{
			Namespace: text(f["namespace"]), Content: noteContent(f["content"]), Display: f["display"].Type == gjson.True, Aside: f["aside"].Type == gjson.True,
		}
		if text(f["role"]) == string(RoleAssistant) {
			r.Note.Role = RoleAssistant
		}
	}
}

func decodeMessage(object gjson.Result) *Message {
	m := &Message{}
	object.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "role":
			m.Role = Role(text(value))
		case "content":
			m.Content = decodeBlocks(value)
		case "toolCallId":
			m.ToolCallID = text(value)
		case "isError":
			m.IsError = value.Type == gjson.True
		case "model":
			m.Model = text(value)
		case "provider":
			m.Provider = text(value)
		case "usage":
			m.Usage = decodeUsage(value)
		case "stopReason":
			m.StopReason = text(value)
		case "errorMessage":
			m.ErrorMessage = text(value)
		case "aside":
			m.Aside = value.Type == gjson.True
		case "byAgent":
			m.ByAgent = value.Type == gjson.True
		case "origin":
			m.Same, m.Took = text(value.Get("same")), decodeUsage(value.Get("took"))
		}
		return true
	})
	return m
}

func decodeUsage(value gjson.Result) *Usage {
	if !value.IsObject() {
		return nil
	}
	u := usageIn(value)
	return &u
}

// usageIn reads an object. Of a member that occurs twice the last counts, as everywhere.
func usageIn(object gjson.Result) (u Usage) {
	u.Untold = AllTokens
	object.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "input":
			u.tell(InputTokens, &u.Input, value)
		case "output":
			u.tell(OutputTokens, &u.Output, value)
		case "cacheRead":
			u.tell(CacheReadTokens, &u.CacheRead, value)
		case "cacheWrite":
			u.tell(CacheWriteTokens, &u.CacheWrite, value)
		case "cost":
			u.Cost = nil
			if cost := value.Num; value.Type == gjson.Number && cost >= 0 && !math.IsInf(cost, 0) {
				u.Cost = &cost
			}
		}
		return true
	})
	return u
}

// tell takes a number of tokens; what is no number tells nothing.
func (u *Usage) tell(kind Kinds, to *int, value gjson.Result) {
	*to, u.Untold = int(number(value)), u.Untold|kind
	if value.Type == gjson.Number {
		u.Untold &^= kind
	}
}

func decodeModel(value gjson.Result) *Model {
	if !value.IsObject() {
		return nil
	}
	f := fieldsOf(value, "provider", "model", "reasoningEffort", "contextWindow", "named")
	window, _ := integer(f["contextWindow"])
	return &Model{
		Provider: text(f["provider"]), Model: text(f["model"]), ReasoningEffort: text(f["reasoningEffort"]), Window: max(window, 0),
		Named: f["named"].Type == gjson.True,
	}
}

func decodeFrame(value gjson.Result) *Frame {
	if !value.IsObject() {
		return nil
	}
	f := fieldsOf(value, "question", "role", "before", "after", "xml")
	frame := &Frame{Question: text(f["question"]), Before: text(f["before"]), After: text(f["after"]), XML: f["xml"].Type == gjson.True}
	if text(f["role"]) == string(RoleAssistant) {
		frame.Role = RoleAssistant
	}
	return frame
}

func decodeCompaction(object gjson.Result) *Compaction {
	f := fieldsOf(object, "firstKeptSeq", "summary", "frame", "tokensBefore", "tokensAfter", "readFiles", "modifiedFiles",
		"model", "trigger", "edited", "instructions", "splitTurn", "replacement", "keptSeqs", "activeModel", "usage", "origin")
	c := &Compaction{
		FirstKeptSeq: number(f["firstKeptSeq"]), Summary: text(f["summary"]), Frame: decodeFrame(f["frame"]), TokensBefore: number(f["tokensBefore"]),
		ReadFiles: stringList(f["readFiles"]), ModifiedFiles: stringList(f["modifiedFiles"]),
		Model: text(f["model"]), Trigger: text(f["trigger"]), Edited: f["edited"].Type == gjson.True,
		Instructions: text(f["instructions"]), SplitTurn: f["splitTurn"].Type == gjson.True,
		ActiveModel: decodeModel(f["activeModel"]), Usage: decodeUsage(f["usage"]), KeptSeqs: seqList(f["keptSeqs"]), Same: text(f["origin"].Get("same")),
		Foreign: f["origin"].IsObject(),
	}
	if after, ok := integer(f["tokensAfter"]); ok {
		c.TokensAfter = &after
	}
	if f["replacement"].IsArray() {
		f["replacement"].ForEach(func(_, value gjson.Result) bool {
			if m := decodeMessage(value); value.IsObject() {
				c.Replacement = append(c.Replacement, *m)
			}
			return true
		})
	}
	return c
}

func seqList(value gjson.Result) []int64 {
	var seqs []int64
	if value.IsArray() {
		value.ForEach(func(_, member gjson.Result) bool {
			if n, ok := integer(member); ok {
				seqs = append(seqs, n)
			}
			return true
		})
	}
	return seqs
}

// noteContent takes blocks and, since notes come from extensions of all kinds, a bare string for one text block.
func noteContent(value gjson.Result) []Block {
	if s := text(value); s != "" {
		return []Block{TextBlock(s)}
	}
	if !value.IsArray() {
		return nil
	}
	return decodeBlocks(value)
}
