package pi

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// drawn is a session as pi may have written it, or somebody else in its place: it goes where its numbers lead it.
type drawn struct {
	*rand.Rand
	version int
	ids     []string
	calls   []string
}

type object = map[string]any

// drawSession writes one.
func drawSession(seed uint64) string {
	d := &drawn{Rand: rand.New(rand.NewPCG(seed, 0)), version: 1 + int(seed%5)}
	d.version = min(d.version, newest)
	header := object{"type": "session", "id": "s1", "timestamp": "2026-01-02T10:00:00.000Z", "cwd": "/w"}
	if d.version > 1 {
		header["version"] = d.version
	}
	lines := []string{written(header)}
	for range 3 + d.IntN(25) {
		if d.rarely(30) {
			lines = append(lines, pick(d, "not json", "", "null", " \t", `{"type":"mess`, "[1]", `"x"`, "7", written(header)))
		}
		lines = append(lines, written(d.entry(len(lines))))
	}
	return strings.Join(lines, "\n") + "\n"
}

func written(o object) string {
	line, _ := json.Marshal(o) // of nothing but texts, numbers and lists
	return string(line)
}

func pick[T any](d *drawn, of ...T) T { return of[d.IntN(len(of))] }

func (d *drawn) rarely(one int) bool { return d.IntN(one) == 0 }

// entry draws the one for a line.
func (d *drawn) entry(line int) object {
	e := object{"timestamp": fmt.Sprintf("2026-01-02T10:00:%02d.000Z", line%60)}
	d.body(e, line)
	if d.version == 1 && !d.rarely(20) {
		return e
	}
	id := fmt.Sprintf("e%d", line)
	switch {
	case len(d.ids) == 0 || d.rarely(40):
		e["parentId"] = nil
	case d.rarely(6):
		e["parentId"] = pick(d, d.ids...)
	case d.rarely(60):
		e["parentId"] = pick[any](d, "gone", "", id, fmt.Sprintf("e%d", line+1+d.IntN(3)), 7, "e1")
	default:
		e["parentId"] = d.ids[len(d.ids)-1]
	}
	if len(d.ids) > 0 && d.rarely(80) {
		id = pick(d, d.ids...)
	}
	if e["id"] = id; d.rarely(150) {
		delete(e, "id")
		return e
	}
	d.ids = append(d.ids, id)
	return e
}

func (d *drawn) earlier() string {
	if len(d.ids) == 0 || d.rarely(12) {
		return "gone"
	}
	return pick(d, d.ids...)
}

// body draws what an entry says.
func (d *drawn) body(e object, line int) {
	e["type"] = "message"
	say := fmt.Sprintf("t%d", line)
	switch d.IntN(24) {
	case 0, 1, 2, 3, 4:
		e["message"] = object{"role": "user", "content": d.content(say)}
	case 5, 6, 7, 8:
		e["message"] = d.answer(say)
	case 9, 10, 11:
		e["message"] = d.result(say)
	case 12:
		e["message"] = d.command(say)
	case 13:
		e["message"] = object{"role": pick(d, "custom", "hookMessage", "other"), "customType": "x", "display": d.rarely(2), "content": d.content(say)}
	case 14:
		e["message"] = d.system(say)
	case 15, 16:
		d.compaction(e, say, line)
	case 17:
		e["type"], e["summary"], e["fromId"] = "branch_summary", pick(d, say, say, ""), d.earlier()
	case 18:
		e["type"], e["customType"], e["display"], e["content"] = "custom_message", "x", d.rarely(2), d.content(say)
	case 19:
		e["type"], e["provider"], e["modelId"] = "model_change", pick(d, "p", "q"), say
	case 20:
		e["type"], e["thinkingLevel"] = "thinking_level_change", pick(d, "low", "high")
	case 21:
		e["type"], e["targetId"], e["replacement"] = "context_edit", d.earlier(), pick[any](d, nil, object{"content": say}, object{"content": d.content(say)}, object{})
	case 22:
		e["type"], e["targetId"], e["label"] = "label", d.earlier(), say
	default:
		e["type"] = pick(d, "session_info", "custom", "usage", "mystery")
		e["name"] = say
	}
}

func (d *drawn) compaction(e object, say string, line int) {
	e["type"], e["summary"], e["tokensBefore"] = "compaction", pick(d, say, say, say, "", " \n"), 9
	e["firstKeptEntryId"] = d.earlier()
	if d.version == 1 {
		e["firstKeptEntryIndex"] = pick[any](d, d.IntN(line+2), d.IntN(line+2), d.IntN(line+2), 1.5, -1, "2", nil)
	} else if d.rarely(8) {
		e["firstKeptEntryId"] = fmt.Sprintf("e%d", line)
	}
	if d.rarely(8) {
		delete(e, "firstKeptEntryId")
	}
	if d.rarely(3) {
		e["systemMessage"] = object{"role": "system", "content": say}
	}
}

// content is a text, or blocks.
func (d *drawn) content(say string) any {
	blocks := []any{}
	for i := range d.IntN(4) {
		blocks = append(blocks, pick(d,
			object{"type": "text", "text": fmt.Sprintf("%s.%d", say, i)}, object{"type": "text", "text": ""},
			object{"type": "image", "mimeType": "image/png", "data": pick(d, "AQID", "AQ==")}))
	}
	return pick[any](d, say, say, []any{object{"type": "text", "text": say}}, blocks, blocks, nil)
}

func (d *drawn) answer(say string) object {
	blocks := []any{}
	for i := range d.IntN(4) {
		text := fmt.Sprintf("%s.%d", say, i)
		switch d.IntN(5) {
		case 0:
			blocks = append(blocks, object{"type": "thinking", "thinking": text, "thinkingSignature": "s", "redacted": d.rarely(3)})
		case 1:
			blocks = append(blocks, object{"type": "thinking", "thinking": text})
		case 2:
			d.calls = append(d.calls, text)
			blocks = append(blocks, object{"type": "toolCall", "id": text, "name": "ls", "arguments": object{"path": text}})
		default:
			blocks = append(blocks, object{"type": "text", "text": text})
		}
	}
	return object{
		"role": "assistant", "api": "a", "provider": pick(d, "p", "p", "q"), "model": pick(d, "m", "n"), "content": pick[any](d, blocks, blocks, blocks, nil),
		"stopReason": pick(d, "stop", "toolUse", "length", "error", "aborted"), "usage": object{"input": 1, "output": 1},
	}
}

func (d *drawn) result(say string) object {
	call := "nobody's"
	if len(d.calls) > 0 && !d.rarely(10) {
		call = d.calls[len(d.calls)-1-d.IntN(min(3, len(d.calls)))]
	}
	return object{"role": "toolResult", "toolCallId": call, "toolName": "ls", "isError": d.rarely(4), "content": d.content(say)}
}

func (d *drawn) command(say string) object {
	c := object{"role": "bashExecution", "command": say, "output": pick(d, "", say+"\n"), "cancelled": d.rarely(4), "truncated": d.rarely(4), "excludeFromContext": d.rarely(3)}
	if d.rarely(2) {
		c["exitCode"] = pick[any](d, 0, 1, nil, 127, -1)
	}
	if d.rarely(2) {
		c["fullOutputPath"] = "/tmp/" + say
	}
	return c
}

func (d *drawn) system(say string) object {
	return object{
		"role": "system", "content": pick[any](d, "", say, []any{object{"type": "text", "text": say}, object{"type": "text", "text": "more"}}, nil),
		"sections": pick[any](d, nil, object{"a": say, "b": nil, "c": "C"}), "toolsAdded": []any{object{"name": "ls"}},
	}
}
