package corpus

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"
)

// kinds is how many formats there are.
const kinds = 5

// session writes one of the format that its number says, and returns its file and id.
func (w *writer) session(n int, size int64) (file, id string) {
	w.at = w.at.Add(time.Duration(30+w.rand.IntN(120)) * time.Minute)
	w.made.Sessions++
	id = fmt.Sprintf("%08x-%04x-7000-8000-%012x", n+1, n%65536, n+1)
	t := &talk{w: w, n: n, id: id, at: w.at, left: size, project: fmt.Sprintf("/home/dev/work/p%d", n%23)}
	day := w.at.Format("2006/01/02")
	stamp := w.at.Format("2006-01-02T15-04-05")
	switch n % kinds {
	case 0:
		return t.lines(filepath.Join(w.made.Home, ".claude/projects/-work-"+fmt.Sprint(n%23), id+".jsonl"), t.claude), "claudecode:" + id
	case 1:
		return t.lines(filepath.Join(w.made.Home, ".pi/agent/sessions/--work--", stamp+"_"+id+".jsonl"), t.pi), "pi:" + id
	case 2:
		return t.lines(filepath.Join(w.made.Home, ".codex/sessions", day, "rollout-"+stamp+"-"+id+".jsonl"), t.codex), "codex:" + id
	case 3:
		if size < 256<<10 { // each part has a file of its own
			return t.opencode()
		}
		return t.lines(filepath.Join(w.made.Home, ".codex/sessions", day, "rollout-"+stamp+"-"+id+".jsonl"), t.codex), "codex:" + id
	}
	own := fmt.Sprintf("01HZ%022d", n)
	return t.lines(filepath.Join(w.made.Own, "sessions", own, "session.jsonl"), t.ours), own
}

// talk is a session on its way.
type talk struct {
	w       *writer
	n       int
	id      string
	at      time.Time
	left    int64
	project string
	out     bytes.Buffer
	seq     int
}

// lines writes a file of lines: turns of a question, an answer with a call, its output and an answer.
func (t *talk) lines(path string, step func(kind string, text string)) string {
	step("head", "")
	for first := true; first || t.left > 0; first = false {
		question := t.w.text(60 + t.w.rand.IntN(300))
		if first {
			question = t.w.needle(t.n, question)
		}
		step("user", question)
		step("call", "ls -la "+t.w.words[t.w.zipf.Uint64()])
		step("output", t.w.text(200+t.w.rand.IntN(3000)))
		step("answer", t.w.text(200+t.w.rand.IntN(1500)))
		if t.w.rand.IntN(60) == 0 {
			step("compact", t.w.text(1500))
		}
	}
	t.w.write(path, t.out.Bytes())
	return path
}

func (t *talk) line(o object) {
	t.at = t.at.Add(time.Duration(1+t.w.rand.IntN(20)) * time.Second)
	text, err := plain(o)
	if err != nil {
		panic(err) // texts and numbers can always be written
	}
	t.left -= int64(len(text)) + 1
	t.out.Write(append(text, '\n'))
	t.seq++
}

func (t *talk) time() string { return t.at.Format("2006-01-02T15:04:05.000Z") }

func (t *talk) uuid(n int) string { return fmt.Sprintf("%s-%06d", t.id[:8], n) }

func (t *talk) claude(kind, text string) {
	row := object{
		"uuid": t.uuid(t.seq), "parentUuid": nil, "sessionId": t.id, "timestamp": t.time(), "cwd": t.project, "version": "2.1.0", "type": "user",
		"isSidechain": false, "userType": "external", "gitBranch": "main",
	}
	if t.seq > 0 {
		row["parentUuid"] = t.uuid(t.seq - 1)
	}
	switch kind {
	case "head":
		return
	case "user":
		row["message"] = object{"role": "user", "content": text}
	case "call", "answer":
		row["type"] = "assistant"
		block, stop := object{"type": "text", "text": text}, "end_turn"
		if kind == "call" {
			block, stop = object{"type": "tool_use", "id": "toolu_" + t.uuid(t.seq), "name": "Bash", "input": object{"command": text}}, "tool_use"
		}
		row["message"] = object{
			"id": "msg_" + t.uuid(t.seq), "role": "assistant", "model": "claude-x", "content": []object{block}, "stop_reason": stop,
			"usage": object{"input_tokens": 100 + t.seq, "output_tokens": len(text) / 4, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 10},
		}
	case "output":
		row["message"] = object{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": "toolu_" + t.uuid(t.seq-1), "content": text}}}
		row["toolUseResult"] = object{"stdout": text, "stderr": "", "interrupted": false}
	case "compact":
		row["type"], row["subtype"], row["compactMetadata"] = "system", "compact_boundary", object{"trigger": "auto", "preTokens": 150000}
		row["logicalParentUuid"], row["parentUuid"] = row["parentUuid"], nil
		t.line(row)
		row = object{
			"uuid": t.uuid(t.seq), "parentUuid": t.uuid(t.seq - 1), "sessionId": t.id, "timestamp": t.time(), "type": "user", "isCompactSummary": true,
			"message": object{"role": "user", "content": text}, "cwd": t.project,
		}
	}
	t.line(row)
}

func (t *talk) pi(kind, text string) {
	row := object{"type": "message", "id": t.uuid(t.seq), "parentId": nil, "timestamp": t.time()}
	if t.seq > 1 {
		row["parentId"] = t.uuid(t.seq - 1)
	}
	texts := []object{{"type": "text", "text": text}}
	switch kind {
	case "head":
		row = object{"type": "session", "version": 3, "id": t.id, "timestamp": t.time(), "cwd": t.project}
	case "user":
		row["message"] = object{"role": "user", "content": texts, "timestamp": t.at.UnixMilli()}
	case "call", "answer":
		content := texts
		if kind == "call" {
			content = []object{{"type": "toolCall", "id": "c" + t.uuid(t.seq), "name": "bash", "arguments": object{"command": text}}}
		}
		row["message"] = object{
			"role": "assistant", "provider": "p", "model": "pi-x", "content": content, "stopReason": "stop", "timestamp": t.at.UnixMilli(),
			"usage": object{"input": 100 + t.seq, "output": len(text) / 4, "cacheRead": 0, "cacheWrite": 0, "cost": object{"total": 0.001}},
		}
	case "output":
		row["message"] = object{"role": "toolResult", "toolCallId": "c" + t.uuid(t.seq-1), "toolName": "bash", "content": texts, "isError": false, "timestamp": t.at.UnixMilli()}
	case "compact":
		row["type"], row["summary"], row["firstKeptEntryId"], row["tokensBefore"] = "compaction", text, t.uuid(t.seq-2), 150000
	}
	t.line(row)
}

func (t *talk) codex(kind, text string) {
	item := func(payload object) {
		t.line(object{"timestamp": t.time(), "type": "response_item", "payload": payload})
	}
	message := func(role, kind string) object {
		return object{"type": "message", "role": role, "content": []object{{"type": kind, "text": text}}}
	}
	switch kind {
	case "head":
		t.line(object{"timestamp": t.time(), "type": "session_meta", "payload": object{"id": t.id, "timestamp": t.time(), "cwd": t.project, "cli_version": "0.100.0"}})
		t.line(object{"timestamp": t.time(), "type": "turn_context", "payload": object{"cwd": t.project, "model": "gpt-x"}})
	case "user":
		item(message("user", "input_text"))
	case "call":
		item(object{"type": "function_call", "name": "shell", "call_id": "call_" + t.uuid(t.seq), "arguments": fmt.Sprintf(`{"command":%q}`, text)})
	case "output":
		item(object{"type": "function_call_output", "call_id": "call_" + t.uuid(t.seq-1), "output": text})
	case "answer":
		item(message("assistant", "output_text"))
		t.line(object{"timestamp": t.time(), "type": "event_msg", "payload": object{"type": "token_count", "info": object{
			"last_token_usage": object{"input_tokens": 100, "output_tokens": 50, "cached_input_tokens": 20, "total_tokens": 150},
		}}})
	case "compact":
		t.line(object{"timestamp": t.time(), "type": "compacted", "payload": object{"message": text}})
	}
}

func (t *talk) ours(kind, text string) {
	record := object{"recordType": "message", "schemaVersion": 1, "seq": t.seq + 1, "timestamp": t.time(), "content": []object{{"type": "text", "text": text}}}
	switch kind {
	case "head":
		return
	case "user":
		record["role"] = "user"
	case "call":
		record["role"], record["stopReason"] = "assistant", "toolUse"
		record["content"] = []object{{"type": "toolCall", "id": "c" + t.uuid(t.seq), "name": "bash", "arguments": object{"command": text}}}
	case "output":
		record["role"], record["toolCallId"], record["isError"] = "toolResult", "c"+t.uuid(t.seq-1), false
	case "answer":
		record["role"], record["model"], record["usage"] = "assistant", "own-x", object{"input": 100, "output": 50, "cacheRead": 0, "cacheWrite": 0}
	case "compact":
		record = object{
			"recordType": "compaction", "schemaVersion": 1, "seq": t.seq + 1, "timestamp": t.time(), "summary": text, "firstKeptSeq": max(t.seq-2, 1),
			"tokensBefore": 100000, "readFiles": []string{}, "modifiedFiles": []string{},
		}
	}
	t.line(record)
}

// opencode writes a session whose messages and parts have a file each.
func (t *talk) opencode() (file, id string) {
	base := filepath.Join(t.w.made.Home, ".local/share/opencode/storage")
	session := fmt.Sprintf("ses_%08d", t.n)
	ms := func() int64 { return t.at.UnixMilli() }
	began := ms()
	put := func(path string, o object) {
		text, err := plain(o)
		if err != nil {
			panic(err) // texts and numbers can always be written
		}
		t.left -= int64(len(text))
		t.w.write(filepath.Join(base, path), text)
	}
	for first := true; first || t.left > 0; first = false {
		question := t.w.text(200)
		if first {
			question = t.w.needle(t.n, question)
		}
		for _, role := range []string{"user", "assistant"} {
			t.seq++
			t.at = t.at.Add(time.Minute)
			message, part := fmt.Sprintf("msg_%08d%06d", t.n, t.seq), fmt.Sprintf("prt_%08d%06d", t.n, t.seq)
			o := object{"id": message, "sessionID": session, "role": role, "time": object{"created": ms()}}
			text := question
			if role == "assistant" {
				o["modelID"], o["providerID"], o["cost"] = "oc-x", "p", 0.002
				o["tokens"] = object{"input": 100, "output": 40, "reasoning": 0, "cache": object{"read": 0, "write": 0}}
				text = t.w.text(3000 + t.w.rand.IntN(6000))
			}
			put("message/"+session+"/"+message+".json", o)
			put("part/"+message+"/"+part+".json", object{"id": part, "messageID": message, "sessionID": session, "type": "text", "text": text})
		}
	}
	path := "session/global/" + session + ".json"
	put(path, object{"id": session, "title": "about " + t.w.words[t.n%1000], "directory": t.project, "version": "1.0.0", "time": object{"created": began, "updated": ms()}})
	return filepath.Join(base, path), "opencode:" + session
}
