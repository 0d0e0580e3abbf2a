package gemini

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"palimpsest/backend/sources/jsonl"
)

// plainly is a list in memory, to which each change is made at once.
type plainly []gjson.Result

func (p plainly) find(id string) int {
	return slices.IndexFunc(p, func(m gjson.Result) bool { return id != "" && jsonl.Text(m.Get("id")) == id })
}

func (p plainly) put(m gjson.Result) plainly {
	if at := p.find(jsonl.Text(m.Get("id"))); at < 0 {
		return append(p, m)
	} else if wording(p[at]) == wording(m) {
		p[at] = m
	}
	return p
}

func (p plainly) patch(patch gjson.Result) plainly {
	for _, by := range updatesIn(patch) {
		if at := p.find(jsonl.Text(by.Get("id"))); at >= 0 {
			p[at] = changedAtOnce(p[at], by)
		}
	}
	gone, order := idsOf(patch, "removeIds"), idsOf(patch, "orderIds")
	p = slices.DeleteFunc(p, func(m gjson.Result) bool { return slices.Contains(gone, jsonl.Text(m.Get("id"))) })
	slices.SortStableFunc(p, func(a, b gjson.Result) int {
		return cmp.Compare(slices.Index(order, jsonl.Text(a.Get("id"))), slices.Index(order, jsonl.Text(b.Get("id"))))
	})
	return p
}

func changedAtOnce(m, by gjson.Result) gjson.Result {
	begin := "{"
	if content := by.Get("content"); content.Exists() {
		begin += `"content":` + content.Raw + ","
	}
	if calls := m.Get("toolCalls"); calls.IsArray() {
		var all []string
		for _, call := range calls.Array() {
			for _, other := range by.Get("toolCalls").Array() {
				if result := other.Get("result"); result.Exists() && call.Get("id").Str == other.Get("id").Str {
					call = gjson.Parse(`{"result":` + result.Raw + "," + call.Raw[1:])
				}
			}
			all = append(all, call.Raw)
		}
		begin += `"toolCalls":[` + strings.Join(all, ",") + "],"
	}
	return gjson.Parse(begin + m.Raw[1:])
}

func (p plainly) String() string {
	var out strings.Builder
	for _, m := range p {
		fmt.Fprintf(&out, "%s %s %s\n", m.Get("id"), m.Get("content"), m.Get("toolCalls.#.result"))
	}
	return out.String()
}

// TestCurrentIsAList: after any changes, read or not between them, it is what a list in memory is.
func TestCurrentIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := current{kept: true}
		var want plainly
		id := rapid.SampledFrom([]string{"m0", "m1", "m2", "m3", "m4", "m5"})
		texts := 0
		draw := func(more string) gjson.Result {
			texts++
			calls := ""
			for _, call := range rapid.SliceOfN(rapid.SampledFrom([]string{"c1", "c2", "c2", ""}), 0, 3).Draw(t, "calls") {
				texts++
				calls += fmt.Sprintf(`,{"id":"%s","result":"%d"}`, call, texts)
			}
			return gjson.Parse(fmt.Sprintf(`{"id":"%s"%s,"toolCalls":[%s]}`, rapid.SampledFrom([]string{"m0", "m1", "m2", "m3", "m4", "m5", ""}).Draw(t, "id"), more, strings.TrimPrefix(calls, ",")))
		}
		message := func() gjson.Result {
			return draw(fmt.Sprintf(`,"content":"t%d"`, rapid.IntRange(0, 3).Draw(t, "text")))
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(*rapid.T) {
				m := message()
				c.put(m)
				want = want.put(m)
			},
			"set": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "seldom") > 0 {
					return
				}
				all := []gjson.Result{message(), message(), message()}
				c.set(listOf(all))
				want = nil
				for _, m := range all {
					want = want.put(m)
				}
			},
			"rewind": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "seldom") > 0 {
					return
				}
				to := id.Draw(t, "to")
				c.rewind(to)
				want = want[:max(want.find(to), 0)]
			},
			"patch": func(t *rapid.T) {
				some := rapid.SliceOfN(id, 0, 7)
				var all []string
				for range rapid.IntRange(0, 3).Draw(t, "updates") {
					all = append(all, draw(rapid.SampledFrom([]string{"", `,"content":"u1"`, `,"content":["u2"]`}).Draw(t, "says")).Raw)
				}
				p := gjson.Parse(`{` + updates(all...) + `,` + ids("removeIds", some.Draw(t, "gone")...) + `,` + ids("orderIds", some.Draw(t, "order")...) + `}`)
				for _, by := range updatesIn(p) {
					if at := c.list.find(by.Get("id").Str); at >= 0 {
						c.change(at, by)
					}
				}
				c.patch(p)
				want = want.patch(p)
			},
			"": func(t *rapid.T) {
				for _, m := range want {
					if at := m.Get("id").Str; at != "" && c.list.at(c.list.find(at)).words != wording(m) {
						t.Fatalf("another wording of %s", m.Raw)
					}
				}
				if rapid.Bool().Draw(t, "read") {
					readAs(t, &c, want)
				}
			},
		})
		readAs(t, &c, want)
	})
}

func readAs(t *rapid.T, c *current, want plainly) {
	var got plainly
	read := 0
	for _, m := range c.messages().from(0) {
		got = append(got, m)
		read += len(m.Raw)
	}
	if got.String() != want.String() {
		t.Fatalf("\n%swant\n%s", got, want)
	}
	if c.bytes != int64(read) {
		t.Fatalf("%d bytes are said to be in a list of %d", c.bytes, read)
	}
}
