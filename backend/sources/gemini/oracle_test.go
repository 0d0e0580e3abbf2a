package gemini

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// held is what Gemini holds of a message.
type held struct{ id, role, text string }

func (h held) json(rt *rapid.T) string {
	content := rapid.SampledFrom([]string{`"%s"`, `[{"text":"%s"}]`, `{"text":"%s"}`, `["%s"]`}).Draw(rt, "content")
	more := rapid.SampledFrom([]string{"", `,"displayContent":null`, `,"tokens":null`, `,"model":7`, `,"thoughts":7`, `,"thoughts":[{}]`, `,"toolCalls":[]`, `,"toolCalls":null`, `,"later":{"a":1}`}).Draw(rt, "more")
	return fmt.Sprintf(`{"id":"%s","timestamp":"2026-01-02T10:00:00.000Z","type":"%s","content":`+fmt.Sprintf(content, h.text)+`%s}`, h.id, h.role, more)
}

// TestAsGeminiHoldsIt: after any changes the model sees what Gemini's own list has, also if there were more than are told of one by one.
func TestAsGeminiHoldsIt(t *testing.T) {
	t.Run("each", func(t *testing.T) { asGeminiHoldsIt(t) })
	t.Run("at the end", func(t *testing.T) {
		spare(t, -1<<40, 0)
		asGeminiHoldsIt(t)
	})
	t.Run("in records of their own", func(t *testing.T) {
		spare(t, 300, 1)
		insteadOf(t, 600)
		asGeminiHoldsIt(t)
	})
}

// insteadOf has no more of a list stand in one record.
func insteadOf(t *testing.T, most int) {
	before := insteadMost
	t.Cleanup(func() { insteadMost = before })
	insteadMost = most
}

// spare has so much of lists read, and so much more for each byte of a file.
func spare(t *testing.T, first, more int64) {
	beforeFirst, beforeMore := spareFirst, spareMore
	t.Cleanup(func() { spareFirst, spareMore = beforeFirst, beforeMore })
	spareFirst, spareMore = first, more
}

func asGeminiHoldsIt(t *testing.T) {
	home := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		var list []held
		lines := []string{`{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}`}
		texts := 0
		draw := func() held {
			texts++
			return held{fmt.Sprintf("m%d", rapid.IntRange(0, 6).Draw(rt, "id")), rapid.SampledFrom([]string{"user", "gemini"}).Draw(rt, "role"), fmt.Sprintf("t%d", texts)}
		}
		for range rapid.IntRange(1, 14).Draw(rt, "changes") {
			switch rapid.IntRange(0, 9).Draw(rt, "change") {
			case 0: // back to one
				id := fmt.Sprintf("m%d", rapid.IntRange(0, 6).Draw(rt, "back"))
				lines = append(lines, `{"$rewindTo":"`+id+`"}`)
				list = list[:max(slices.IndexFunc(list, func(h held) bool { return h.id == id }), 0)]
			case 1, 2: // another list: some of what is there, and something new
				var next []held
				for _, h := range list {
					if rapid.IntRange(0, 3).Draw(rt, "keep") > 0 {
						next = append(next, h)
					}
				}
				if rapid.Bool().Draw(rt, "fresh") {
					h := draw()
					if !slices.ContainsFunc(next, func(o held) bool { return o.id == h.id }) {
						at := rapid.IntRange(0, len(next)).Draw(rt, "at")
						next = slices.Insert(next, at, h)
					}
				}
				var all []string
				for _, h := range next {
					all = append(all, h.json(rt))
				}
				lines = append(lines, `{"$set":{"messages":[`+strings.Join(all, ",")+`],"lastUpdated":"2026-01-02T10:05:00.000Z"}}`)
				list = next
			case 4: // the same, told as what changes
				var gone, order, updates []string
				list = slices.DeleteFunc(slices.Clone(list), func(h held) bool {
					is := rapid.IntRange(0, 4).Draw(rt, "gone") == 0
					if is {
						gone = append(gone, h.id)
					}
					return is
				})
				for i := range list {
					if rapid.IntRange(0, 4).Draw(rt, "update") == 0 {
						list[i].text = draw().text
						updates = append(updates, `{"id":"`+list[i].id+`","content":"`+list[i].text+`"}`)
					}
				}
				if rapid.Bool().Draw(rt, "order") {
					list = rapid.Permutation(list).Draw(rt, "list")
					for _, h := range list {
						order = append(order, h.id)
					}
				}
				lines = append(lines, `{"$patch":{`+strings.Join([]string{`"updates":[` + strings.Join(updates, ",") + "]", ids("removeIds", gone...), ids("orderIds", order...)}, ",")+`}}`)
			case 3:
				lines = append(lines, rapid.SampledFrom([]string{"", "rubbish", "{", "[]", "null", `{"$set":{"lastUpdated":"x"}}`, `{"$set":null}`, `{"$set":{"messages":null}}`, `{"$rewindTo":7}`, `{"other":1}`, "\x00\x00", "  ", `{"id":null}`}).Draw(rt, "odd"))
			default:
				h := draw()
				if at := slices.IndexFunc(list, func(o held) bool { return o.id == h.id }); at >= 0 {
					h.role = list[at].role
					list[at] = h
				} else {
					list = append(list, h)
				}
				lines = append(lines, h.json(rt))
			}
		}
		ends := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "ends")
		text := rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(rt, "mark") + strings.Join(lines, ends) + ends + rapid.SampledFrom([]string{"", `{"id":"m0","type":"us`}).Draw(rt, "tail")
		sourcetest.Write(t, home, chats+"session-1-s1.jsonl", text)
		env := sourcetest.Env(t, home)
		found := sourcetest.Find(t, Source{}, env)
		if len(found) == 0 {
			return // nothing was said in it
		}
		var want []string
		for _, h := range list {
			role := map[string]string{"user": "user", "gemini": "assistant"}[h.role]
			want = append(want, role+": "+h.text)
		}
		r := sourcetest.Read(t, Source{}, env, found[0])
		got := r.View(t)
		got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "user: <session_context>") })
		if r.Err != nil || !slices.Equal(got, want) {
			rt.Fatalf("%v\n%s\ngot  %q\nwant %q\n%s", r.Err, strings.Join(lines, "\n"), got, want, r.Story())
		}
	})
}
