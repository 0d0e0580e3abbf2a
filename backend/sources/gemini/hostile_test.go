package gemini

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// lineUp are so many lines.
func lineUp(count int, line func(i int) string) []string {
	var all []string
	for i := range count {
		all = append(all, line(i))
	}
	return all
}

// hostile are files as Gemini writes none, by a length.
var hostile = map[string]func(n int) []string{
	"one is put at the end again and again": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(i int) string { return patch(ids("orderIds", fmt.Sprint("m", i))) })...)
	},
	"a list that is as it was": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(int) string { return patch(ids("orderIds", fmt.Sprint("m", n-1)), ids("removeIds", "none")) })...)
	},
	"the first is gone": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(i int) string { return patch(ids("removeIds", fmt.Sprint("m", i))) })...)
	},
	"the last is gone": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(i int) string { return patch(ids("removeIds", fmt.Sprint("m", n-1-i))) })...)
	},
	"one comes and goes": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(i int) string {
			return user(fmt.Sprint("x", i), "next") + "\n" + patch(ids("removeIds", fmt.Sprint("x", i)))
		})...)
	},
	"another one changes": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(i int) string { return patch(fmt.Sprintf(`"id":"m%d"`, i), `"content":"now"`) })...)
	},
	"back into what replaced others": func(n int) []string {
		all := lineUp(n, talk)
		return append(append(all, set(append([]string{all[1], all[0]}, all[2:]...)...)), lineUp(n-2, func(i int) string { return fmt.Sprintf(`{"$rewindTo":"m%d"}`, n-1-i) })...)
	},
	"a short list behind what is in none": func(n int) []string {
		short := []string{user("b", "two"), user("a", "one")}
		all := append([]string{short[1], short[0], set(short...)}, lineUp(n, func(i int) string { return fmt.Sprintf(`{"id":"i%d","type":"info","content":"told"}`, i) })...)
		return append(all, lineUp(n, func(int) string { return set(short...) })...)
	},
	"outputs that were taken out, and back before that": func(n int) []string {
		all := append(lineUp(n, result("whole")), lineUp(n, talk)...)
		all = append(all, lineUp(n, func(i int) string { return patch(updates(result("gone")(i))) })...)
		return append(all, lineUp(n, func(i int) string { return fmt.Sprintf(`{"$rewindTo":"m%d"}`, n-1-i) })...)
	},
	"calls that are listed and among the parts": func(n int) []string {
		parts := lineUp(n, func(i int) string { return fmt.Sprintf(`{"functionCall":{"name":"ls","args":{"a":%d}}}`, n-i) })
		calls := lineUp(n, func(i int) string { return fmt.Sprintf(`{"id":"c%d","name":"ls","args":{"a":%d}}`, i, i) })
		return []string{`{"id":"g","type":"gemini","content":[` + strings.Join(parts, ",") + `],"toolCalls":[` + strings.Join(calls, ",") + `]}`}
	},
	"a long id": func(n int) []string {
		parts := lineUp(n, func(i int) string {
			return fmt.Sprintf(`{"functionResponse":{"id":"c%d","name":"sh","response":{"output":"x"}}}`, i)
		})
		return []string{`{"id":"` + strings.Repeat("long", 8*n) + `","type":"user","content":[` + strings.Join(parts, ",") + `]}`}
	},
	"many sessions in one": func(n int) []string {
		return lineUp(n, func(i int) string { return head[:len(head)-1] + "\n" + talk(i) + "\n" + set(talk(i)) })
	},
	"what is not there": func(n int) []string {
		return append(lineUp(n, talk), lineUp(n, func(i int) string {
			return patch(updates(`{"id":"x","content":"y"}`), ids("removeIds", fmt.Sprint("x", i)), ids("orderIds", fmt.Sprint("y", i)))
		})...)
	},
}

func talk(i int) string {
	return fmt.Sprintf(`{"id":"m%d","type":"user","content":"a word or two of the message with the number %d"}`, i, i)
}

func result(output string) func(i int) string {
	return func(i int) string { return response(fmt.Sprint("r", i), fmt.Sprint("c", i), output) }
}

// longest is the longest line of a log.
func longest(log []byte) (most int) {
	for line := range bytes.Lines(log) {
		most = max(most, len(line))
	}
	return most
}

// TestALongListInRecordsOfItsOwn: of a long list that takes the place of another, little is in one record, and what it took is told once.
func TestALongListInRecordsOfItsOwn(t *testing.T) {
	const count, most = 100, 4 << 10
	insteadOf(t, most)
	_, r := reading(t, "session-1-s1.jsonl", file(append(lineUp(count, func(i int) string { return model(fmt.Sprint("m", i), fmt.Sprint(i), tokens) }), patch(ids("orderIds", "m0")))...))
	took := 0
	for _, rec := range r.Records {
		if rec.Message != nil && rec.Message.Usage != nil {
			took += rec.Message.Usage.Input
		}
	}
	view := r.View(t)
	if longest(r.Log) > most || took != count*100 || len(view) != count || view[0] != "assistant: 1" || view[count-1] != "assistant: 0" {
		t.Errorf("%d bytes in a record, %d tokens; %q", longest(r.Log), took, view)
	}
}

// TestKeepsWhatIsInTheList: what Gemini told the user is in no list that replaces another, and is not looked through with each of them.
func TestKeepsWhatIsInTheList(t *testing.T) {
	r := newReader(nil, "s1")
	text := file(append(hostile["a short list behind what is in none"](100), user("last", "so that nothing is open"))...)
	if err := r.readInto(t, sources.NewLog("gemini", "s1", io.Discard, nil), text); err != nil || r.list.items.all.Len() != 3 {
		t.Errorf("%d in a list of three, %v", r.list.items.all.Len(), err)
	}
}

// counting is how long a log is.
type counting int64

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}
