package gemini

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources/jsonl"
)

// current are the messages that Gemini holds, as they were written. Of each memory has only where it is.
type current struct {
	// kept tells that they are: of a file that patches change.
	kept bool
	list order[version]
	// texts are messages and what changes them, and updates the changes.
	texts   many.Texts
	updates many.List[update]
	// bytes is how long all in the list are, with what changes them.
	bytes int64
	// steady is how many at the beginning are as they were told of, and untold tells that patches changed others.
	steady int
	untold bool
}

// version is a message: the number of its text, that of the last of its updates, -1 if it has none, what stands for what it says with them,
// and how long all of that is.
type version struct {
	text, last int32
	words      uint32
	size       uint32
}

// update is the number of a text that changes a message, and the update before it.
type update struct{ text, before int32 }

// keep is a message that nothing has changed yet.
func (c *current) keep(m gjson.Result) version {
	return version{c.text(m.Raw), -1, wording(m), uint32(len(m.Raw))}
}

func (c *current) text(raw string) int32 {
	c.texts.Add(raw)
	return int32(c.texts.Len() - 1)
}

func (c *current) set(all messages) {
	c.cut(0)
	for _, m := range all.from(0) {
		c.put(m)
	}
}

// told notes that the log has the list as it is; not even if one place there is another one here.
func (c *current) told(even bool) {
	c.untold, c.steady = false, 0
	if even {
		c.steady = c.list.all.Len()
	}
}

// put adds a message, or what it has more. What it says last is what is remembered of it already.
func (c *current) put(m gjson.Result) {
	id := jsonl.Text(m.Get("id"))
	if !c.kept || !m.IsObject() {
		return
	}
	if at := c.list.find(id); at < 0 {
		one := c.keep(m)
		c.bytes += int64(one.size)
		if !c.untold && c.steady == c.list.all.Len() {
			c.steady++ // it is told of next
		}
		c.list.add(id, one)
	} else if wording(m) == c.list.at(at).words {
		c.become(at, c.keep(m))
	}
}

// become puts another version in the place of one.
func (c *current) become(at int, one version) {
	c.bytes += int64(one.size) - int64(c.list.at(at).size)
	c.list.set(at, one)
}

func (c *current) rewind(id string) { c.cut(max(c.list.find(id), 0)) }

func (c *current) cut(from int) {
	for i := from; i < c.list.all.Len(); i++ {
		c.bytes -= int64(c.list.at(i).size)
	}
	c.list.cut(from)
	c.changedFrom(from)
}

// changedFrom notes that the list is another one from a place on.
func (c *current) changedFrom(place int) { c.steady = min(c.steady, place) }

// patch changes which messages there are, and their order, and tells whether the patch is about that at all.
func (c *current) patch(patch gjson.Result) (moves bool) {
	for _, id := range idsOf(patch, "removeIds") {
		if at := c.list.find(id); at >= 0 {
			c.become(at, version{})
		}
	}
	from, moves := c.list.patch(patch)
	c.changedFrom(from)
	return moves
}

// change notes what changes a message.
func (c *current) change(at int, by gjson.Result) {
	v := c.list.at(at)
	c.updates.Add(update{c.text(by.Raw), v.last})
	v.last = int32(c.updates.Len() - 1)
	v.size += uint32(len(by.Raw))
	if by.Get("content").Exists() {
		v.words = wording(by)
	}
	c.become(at, v)
	c.changedFrom(at)
}

// size is about how much there is to read, and to write, to tell of them: next to nothing if only what stood at the end is gone.
func (c *current) size() int64 {
	const place = 256
	if count := c.list.all.Len() - c.list.gaps; count > c.steady {
		return c.bytes + int64(count)*place
	}
	return place
}

// messages are those in the list.
func (c *current) messages() messages {
	c.list.close(c.steady)
	return messages{c.list.all.Len(), c.read}
}

// read reads one with all that changed it, and keeps it so.
func (c *current) read(i int) gjson.Result {
	v := c.list.at(i)
	m := gjson.Parse(c.texts.At(int(v.text)))
	if v.last >= 0 {
		m = c.changed(m, v.last)
		c.become(i, version{c.text(m.Raw), -1, v.words, uint32(len(m.Raw))})
	}
	return m
}

// changed is a message as its updates have it: the last one counts.
func (c *current) changed(m gjson.Result, last int32) gjson.Result {
	calls := m.Get("toolCalls")
	results := map[string]string{}
	for _, call := range few(calls) {
		if call.IsObject() {
			results[jsonl.Text(call.Get("id"))] = ""
		}
	}
	content := ""
	for last >= 0 {
		next := c.updates.At(int(last))
		by := gjson.Parse(c.texts.At(int(next.text)))
		if text := by.Get("content"); content == "" && text.Exists() {
			content = text.Raw
		}
		more := by.Get("toolCalls")
		for _, call := range slices.Backward(few(more)) {
			id, result := jsonl.Text(call.Get("id")), call.Get("result")
			if later, has := results[id]; has && later == "" && result.Exists() && more.IsArray() {
				results[id] = result.Raw
			}
		}
		last = next.before
	}
	var members strings.Builder
	if content != "" {
		members.WriteString(`"content":` + content + ",")
	}
	if len(results) > 0 && calls.IsArray() {
		var all []string
		for _, call := range few(calls) {
			raw := call.Raw
			if result := results[jsonl.Text(call.Get("id"))]; call.IsObject() && result != "" {
				raw = `{"result":` + result + "," + raw[1:]
			}
			all = append(all, raw)
		}
		members.WriteString(`"toolCalls":[` + strings.Join(all, ",") + "],")
	}
	return gjson.Parse("{" + members.String() + strings.TrimSpace(m.Raw)[1:]) // the first of two counts
}
