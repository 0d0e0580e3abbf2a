package opencode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// turn is a message of a drawn session: a prompt, an answer, a mark or a summary.
type turn struct {
	kind, tail, of string
	tailed, whole  bool
}

func turnID(n int) string { return fmt.Sprintf("msg_%03d", n+1) }

// sentOf is which messages opencode sends, in which order, written as it does that: from the newest back, and then what a mark keeps is put
// behind its summary.
func sentOf(all []turn) (sent []int) {
	done, tail := map[string]bool{}, ""
	for i, m := range slices.Backward(all) {
		sent = append(sent, i)
		if tail != "" {
			if turnID(i) == tail {
				break
			}
			continue
		}
		if m.kind == "mark" && done[turnID(i)] {
			if m.tail == "" {
				break
			}
			if tail = m.tail; tail == turnID(i) {
				break
			}
			continue
		}
		if m.kind == "summary" && m.whole {
			done[m.of] = true
		}
	}
	slices.Reverse(sent)
	at := -1
	for i, n := range sent {
		if all[n].kind == "mark" && all[n].tailed {
			at = i
		}
	}
	if at < 0 {
		return sent
	}
	answer := slices.IndexFunc(sent, func(n int) bool { return n > sent[at] && all[n].kind == "summary" && all[n].of == turnID(sent[at]) })
	kept := slices.IndexFunc(sent, func(n int) bool { return turnID(n) == all[sent[at]].tail })
	if kept < 0 || kept >= at || answer < at {
		return sent
	}
	return slices.Concat(sent[at:answer+1], sent[kept:at], sent[answer+1:])
}

// held is a store of messages in memory, each with its parts.
type held [][]string

func (h held) messages(_ context.Context, visit func(row) error) error { return visited(h, visit) }

func visited(all [][]string, visit func(row) error) error {
	for _, m := range all {
		if err := visit(row{id: gjson.Get(m[0], "id").Str, data: []byte(m[0])}); err != nil {
			return err
		}
	}
	return nil
}

func (h held) message(_ context.Context, id string) (found row, err error) {
	err = visited(h, func(m row) error {
		if m.id == id {
			found = m
		}
		return nil
	})
	return found, err
}

func (h held) parts(_ context.Context, message string, visit func(row) error) error {
	for _, m := range h {
		if gjson.Get(m[0], "id").Str == message {
			return visited([][]string{m[1:]}, visit)
		}
	}
	return nil
}

// TestAsOpencodeSendsIt: wherever marks and their summaries stand, whatever they keep from, and whether they came to an end.
func TestAsOpencodeSendsIt(t *testing.T) {
	before := againMost
	t.Cleanup(func() { againMost = before })
	rapid.Check(t, func(rt *rapid.T) {
		againMost = rapid.SampledFrom([]int{before, before, 1200, 0}).Draw(rt, "again") // too little for some, or for any but the last
		var all []turn
		var written [][]string
		for i := range rapid.IntRange(1, 10).Draw(rt, "messages") {
			m := turn{kind: rapid.SampledFrom([]string{"prompt", "answer", "mark", "mark", "summary", "summary", "summary"}).Draw(rt, "kind")}
			if i == 0 {
				m.kind = "mark" // without one, a summary is that of a version which had none
			}
			other := func(what string) string { return turnID(rapid.IntRange(max(i-4, 0), i).Draw(rt, what)) }
			switch m.kind {
			case "prompt":
				written = append(written, asked(i+1, fmt.Sprintf("t%d", i)))
			case "answer":
				written = append(written, answered(i+1, fmt.Sprintf("t%d", i)))
			case "mark":
				more := ""
				if m.tailed = rapid.Bool().Draw(rt, "tailed"); m.tailed {
					if m.tail = rapid.SampledFrom([]string{"", "msg_x"}).Draw(rt, "gone"); m.tail != "" || i > 0 {
						m.tail = other("tail")
					}
					more = fmt.Sprintf(`,"tail_start_id":%q`, m.tail)
				}
				written = append(written, marked(i+1, more))
			case "summary":
				m.of, m.whole = other("of"), rapid.IntRange(0, 2).Draw(rt, "whole") > 0
				more := fmt.Sprintf(`,"summary":true,"parentID":%q`, m.of)
				if !m.whole {
					more += `,"error":{"name":"MessageAbortedError"}`
				}
				written = append(written, answered(i+1, fmt.Sprintf("t%d", i), more))
			}
			all = append(all, m)
		}
		written, all = append(written, answered(len(all)+1, "end")), append(all, turn{kind: "end"})
		var out bytes.Buffer
		log := sources.NewLog("opencode", "ses_2", &out, nil)
		err := read(t.Context(), held(written), session{id: "ses_2"}, nil, log)
		r := &sourcetest.Reading{Log: out.Bytes(), Err: errors.Join(err, log.Err())}
		var want []string
		for _, n := range sentOf(all) {
			switch all[n].kind {
			case "mark":
				want = append(want, "user: "+soFar)
			case "prompt":
				want = append(want, fmt.Sprintf("user: t%d", n))
			case "end":
				want = append(want, "assistant: end")
			default:
				want = append(want, fmt.Sprintf("assistant: t%d", n))
			}
		}
		if got := r.View(t); r.Err != nil || !slices.Equal(got, want) {
			rt.Fatalf("%v\n%s\ngot  %q\nwant %q\n%s", r.Err, strings.Join(slices.Concat(written...), "\n"), got, want, r.Story())
		}
	})
}
