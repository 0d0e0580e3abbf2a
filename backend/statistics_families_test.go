package backend

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// relative is a session of a family: what it says, and how much of that it has from another.
type relative struct {
	id, parent string
	born       time.Time
	says       []int
	copied     int
}

var familyBegan = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// familyOf are sessions that fork each other anywhere, copies of copies, too. What is said is a number, and what it took another.
func familyOf(rt *rapid.T) (all []relative) {
	said := 0
	for i := range rapid.IntRange(1, 7).Draw(rt, "sessions") {
		one := relative{id: fmt.Sprintf("pi:%d", i)}
		if len(all) > 0 && rapid.IntRange(0, 4).Draw(rt, "forks") > 0 {
			from := rapid.SampledFrom(all).Draw(rt, "of")
			one.parent, one.copied = from.id, rapid.IntRange(0, len(from.says)).Draw(rt, "copied")
			one.says = slices.Clone(from.says[:one.copied])
		}
		one.born = familyBegan.Add(time.Duration(said)*time.Hour + time.Minute)
		for range rapid.IntRange(0, 4).Draw(rt, "more") {
			said++
			one.says = append(one.says, said)
		}
		all = append(all, one)
	}
	return all
}

// digest is that of the session as its agent keeps it: with the times of what was copied, or with the one at which it was.
func (r *relative) digest(rt *rapid.T, named, anew bool, steps int) digested {
	var log bytes.Buffer
	for i, n := range r.says {
		at, origin, text := familyBegan.Add(time.Duration(n)*time.Hour), "", n%5
		if anew { // without its time, what is said alike after the same is the same
			text = n
		}
		if anew && i < r.copied {
			at, origin = r.born, `"origin":{"agent":"pi","copied":true},`
		}
		role, more := "user", ""
		if n%3 == 0 {
			role, more = "assistant", fmt.Sprintf(`,"model":"m","usage":{"input":%d,"output":1}`, 1<<n)
		}
		fmt.Fprintf(&log, `{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":%q,%s"role":%q,"content":[{"type":"text","text":"says %d"}]%s}`+"\n",
			i+1, at.Format(time.RFC3339), origin, role, text, more)
	}
	opts := digest.Options{About: digest.About{Agent: "pi"}, CopiedBefore: r.born, Anew: anew}
	if named && r.parent != "" {
		opts.About.Parent, opts.About.Relation = r.parent, string(sources.Fork)
	}
	text := log.Bytes()
	first := 0
	for range min(steps, len(r.says)) {
		first += bytes.IndexByte(text[first:], '\n') + 1
	}
	d, err := digest.Read(bytes.NewReader(text[:first]), int64(first), opts, nil)
	if err != nil {
		rt.Fatal(err)
	}
	if d.Continue != nil {
		d, err = digest.Continue(d, bytes.NewReader(text), int64(len(text)), opts, nil)
	} else {
		d, err = digest.Read(bytes.NewReader(text), int64(len(text)), opts, nil)
	}
	if err != nil {
		rt.Fatal(err)
	}
	if d, err = digest.Decode(d.Encode()); err != nil {
		rt.Fatal(err)
	}
	return digested{Digest: d, ID: r.id}
}

// TestSumsOverFamilies: whichever sessions of a family are there or asked for, what they took together is what all that was said took, once.
func TestSumsOverFamilies(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		named, anew := rapid.Bool().Draw(rt, "named"), rapid.Bool().Draw(rt, "anew")
		all, said := map[string]digested{}, map[int]bool{}
		for _, one := range familyOf(rt) {
			if rapid.IntRange(0, 2).Draw(rt, "there") == 0 {
				continue
			}
			all[one.id] = one.digest(rt, named, anew, rapid.IntRange(0, 20).Draw(rt, "read first"))
			for _, n := range one.says {
				said[n] = true
			}
		}
		messages, input := 0, int64(0)
		for n := range said {
			if messages++; n%3 == 0 {
				input += 1 << n
			}
		}
		sums := newTally(StatisticsOptions{}, func(*digest.Digest) record.Kinds { return 0 })
		inherited, _ := heirsOf(all)
		for id, d := range all {
			sums.take(id, d.Digest, inherited[id])
		}
		got := sums.statistics().Totals
		var in int64
		if got.Input != nil {
			in = *got.Input
		}
		if got.Messages != messages || in != input {
			rt.Fatalf("%d messages with %b tokens, not %d with %b", got.Messages, in, messages, input)
		}
	})
}
